package dev.camillo.client.errors;

/** No model may be asked about this space. */
public class DistillationOff extends FailedPrecondition {
  private static final long serialVersionUID = 1L;

  /** The error of this failure. */
  public DistillationOff(Failure failure) {
    super(failure);
  }
}
