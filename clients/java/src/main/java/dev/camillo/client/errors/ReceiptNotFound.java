package dev.camillo.client.errors;

/** No such receipt. */
public class ReceiptNotFound extends NotFound {
  private static final long serialVersionUID = 1L;

  /** The error of this failure. */
  public ReceiptNotFound(Failure failure) {
    super(failure);
  }
}
