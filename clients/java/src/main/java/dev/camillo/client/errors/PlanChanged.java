package dev.camillo.client.errors;

/** The subject of a plan has changed since, or the plan is over an hour old: make a new one. */
public class PlanChanged extends CamilloError {
  private static final long serialVersionUID = 1L;

  /** The error of this failure. */
  public PlanChanged(Failure failure) {
    super(failure);
  }
}
