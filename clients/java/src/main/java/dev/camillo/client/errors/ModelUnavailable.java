package dev.camillo.client.errors;

/** The model that distils gave no answer. */
public class ModelUnavailable extends Unavailable {
  private static final long serialVersionUID = 1L;

  /** The error of this failure. */
  public ModelUnavailable(Failure failure) {
    super(failure);
  }
}
