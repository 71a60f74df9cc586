package dev.camillo.client.errors;

/** No such distillation. */
public class DistillationNotFound extends NotFound {
  private static final long serialVersionUID = 1L;

  /** The error of this failure. */
  public DistillationNotFound(Failure failure) {
    super(failure);
  }
}
