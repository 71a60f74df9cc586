package dev.camillo.client.errors;

/** The name of what is to be emptied was not typed out. */
public class ConfirmationRequired extends FailedPrecondition {
  private static final long serialVersionUID = 1L;

  /** The error of this failure. */
  public ConfirmationRequired(Failure failure) {
    super(failure);
  }
}
