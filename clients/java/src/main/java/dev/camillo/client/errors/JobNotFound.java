package dev.camillo.client.errors;

/** No such job of the tenant. */
public class JobNotFound extends NotFound {
  private static final long serialVersionUID = 1L;

  /** The error of this failure. */
  public JobNotFound(Failure failure) {
    super(failure);
  }
}
