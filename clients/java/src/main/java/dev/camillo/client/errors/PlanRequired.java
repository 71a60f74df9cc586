package dev.camillo.client.errors;

/** More memories would go than go without the plan token of a dry run. */
public class PlanRequired extends FailedPrecondition {
  private static final long serialVersionUID = 1L;

  /** The error of this failure. */
  public PlanRequired(Failure failure) {
    super(failure);
  }
}
