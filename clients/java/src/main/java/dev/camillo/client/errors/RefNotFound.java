package dev.camillo.client.errors;

/** The cited object is nothing that the caller may see. */
public class RefNotFound extends FailedPrecondition {
  private static final long serialVersionUID = 1L;

  /** The error of this failure. */
  public RefNotFound(Failure failure) {
    super(failure);
  }

  /** Returns what was cited. */
  public String ref() {
    return stated("ref");
  }
}
