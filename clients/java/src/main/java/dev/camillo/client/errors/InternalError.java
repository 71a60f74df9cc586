package dev.camillo.client.errors;

/** A defect of the server. */
public class InternalError extends CamilloError {
  private static final long serialVersionUID = 1L;

  /** The error of this failure. */
  public InternalError(Failure failure) {
    super(failure);
  }
}
