package dev.camillo.client.errors;

/** A decision would take its own place. */
public class DecisionCycle extends FailedPrecondition {
  private static final long serialVersionUID = 1L;

  /** The error of this failure. */
  public DecisionCycle(Failure failure) {
    super(failure);
  }
}
