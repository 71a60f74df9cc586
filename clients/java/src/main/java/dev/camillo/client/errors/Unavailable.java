package dev.camillo.client.errors;

/** The server, or what it needs, cannot be reached at the moment. */
public class Unavailable extends CamilloError {
  private static final long serialVersionUID = 1L;

  /** The error of this failure. */
  public Unavailable(Failure failure) {
    super(failure);
  }
}
