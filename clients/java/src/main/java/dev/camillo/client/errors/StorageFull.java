package dev.camillo.client.errors;

/** The server's store has no room left; nothing of the call is kept. */
public class StorageFull extends ResourceExhausted {
  private static final long serialVersionUID = 1L;

  /** The error of this failure. */
  public StorageFull(Failure failure) {
    super(failure);
  }
}
