package dev.camillo.client.errors;

/** The server has no model that is to serve next. */
public class NoNextModel extends FailedPrecondition {
  private static final long serialVersionUID = 1L;

  /** The error of this failure. */
  public NoNextModel(Failure failure) {
    super(failure);
  }
}
