package dev.camillo.client.errors;

/** The store of artifact bytes cannot be reached. */
public class BytesUnavailable extends Unavailable {
  private static final long serialVersionUID = 1L;

  /** The error of this failure. */
  public BytesUnavailable(Failure failure) {
    super(failure);
  }
}
