package dev.camillo.client.errors;

/** No such run, or it has ended. */
public class RunNotFound extends NotFound {
  private static final long serialVersionUID = 1L;

  /** The error of this failure. */
  public RunNotFound(Failure failure) {
    super(failure);
  }
}
