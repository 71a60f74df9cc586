package dev.camillo.client.errors;

/** The request id was used for other content within 24 hours. */
public class RequestIdReused extends AlreadyExists {
  private static final long serialVersionUID = 1L;

  /** The error of this failure. */
  public RequestIdReused(Failure failure) {
    super(failure);
  }
}
