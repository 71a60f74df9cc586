package dev.camillo.client.errors;

/** No such memory. */
public class MemoryNotFound extends NotFound {
  private static final long serialVersionUID = 1L;

  /** The error of this failure. */
  public MemoryNotFound(Failure failure) {
    super(failure);
  }
}
