package dev.camillo.client.errors;

/** The memory id chosen by the client is taken in this scope. */
public class MemoryIdTaken extends AlreadyExists {
  private static final long serialVersionUID = 1L;

  /** The error of this failure. */
  public MemoryIdTaken(Failure failure) {
    super(failure);
  }
}
