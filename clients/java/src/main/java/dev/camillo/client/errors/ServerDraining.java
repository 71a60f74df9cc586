package dev.camillo.client.errors;

/** The server is shutting down. */
public class ServerDraining extends Unavailable {
  private static final long serialVersionUID = 1L;

  /** The error of this failure. */
  public ServerDraining(Failure failure) {
    super(failure);
  }
}
