package dev.camillo.client.errors;

/**
 * The call took longer than its timeout. A mutation may have happened: repeat it with {@link
 * #requestId}.
 */
public class DeadlineExceeded extends CamilloError {
  private static final long serialVersionUID = 1L;

  /** The error of this failure. */
  public DeadlineExceeded(Failure failure) {
    super(failure);
  }
}
