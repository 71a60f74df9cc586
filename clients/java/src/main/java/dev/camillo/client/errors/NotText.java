package dev.camillo.client.errors;

/** Lines or pages of text are asked of what is no text that has lines. */
public class NotText extends FailedPrecondition {
  private static final long serialVersionUID = 1L;

  /** The error of this failure. */
  public NotText(Failure failure) {
    super(failure);
  }
}
