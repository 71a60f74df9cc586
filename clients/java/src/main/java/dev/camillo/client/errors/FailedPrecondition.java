package dev.camillo.client.errors;

/** Right in form, but not in the state things are in. */
public class FailedPrecondition extends CamilloError {
  private static final long serialVersionUID = 1L;

  /** The error of this failure. */
  public FailedPrecondition(Failure failure) {
    super(failure);
  }
}
