package dev.camillo.client.errors;

/** A JSON value is asked of what is not one JSON document. */
public class NotJson extends FailedPrecondition {
  private static final long serialVersionUID = 1L;

  /** The error of this failure. */
  public NotJson(Failure failure) {
    super(failure);
  }
}
