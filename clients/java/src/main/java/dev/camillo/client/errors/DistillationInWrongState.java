package dev.camillo.client.errors;

/** The distillation is in a state in which this call is not possible. */
public class DistillationInWrongState extends FailedPrecondition {
  private static final long serialVersionUID = 1L;

  /** The error of this failure. */
  public DistillationInWrongState(Failure failure) {
    super(failure);
  }

  /** The state that it is in. */
  public String state() {
    return stated("state");
  }
}
