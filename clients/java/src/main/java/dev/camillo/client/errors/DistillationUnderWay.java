package dev.camillo.client.errors;

/** Another distillation of the space has not ended. */
public class DistillationUnderWay extends CamilloError {
  private static final long serialVersionUID = 1L;

  /** The error of this failure. */
  public DistillationUnderWay(Failure failure) {
    super(failure);
  }
}
