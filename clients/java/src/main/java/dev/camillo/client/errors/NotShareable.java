package dev.camillo.client.errors;

/** Something is too sensitive for another agent. */
public class NotShareable extends FailedPrecondition {
  private static final long serialVersionUID = 1L;

  /** The error of this failure. */
  public NotShareable(Failure failure) {
    super(failure);
  }

  /** The subject. */
  public String ref() {
    return stated("ref");
  }
}
