package dev.camillo.client.errors;

/** No such decision, or none that may be shown in this channel. */
public class DecisionNotFound extends NotFound {
  private static final long serialVersionUID = 1L;

  /** The error of this failure. */
  public DecisionNotFound(Failure failure) {
    super(failure);
  }
}
