package dev.camillo.client.errors;

/** Not there, or not visible to the caller. */
public class NotFound extends CamilloError {
  private static final long serialVersionUID = 1L;

  /** The error of this failure. */
  public NotFound(Failure failure) {
    super(failure);
  }
}
