package dev.camillo.client.errors;

/** No such key in the tenant. */
public class KeyNotFound extends NotFound {
  private static final long serialVersionUID = 1L;

  /** The error of this failure. */
  public KeyNotFound(Failure failure) {
    super(failure);
  }
}
