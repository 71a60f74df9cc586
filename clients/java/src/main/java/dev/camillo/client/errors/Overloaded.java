package dev.camillo.client.errors;

/** More calls in flight than the server takes. */
public class Overloaded extends ResourceExhausted {
  private static final long serialVersionUID = 1L;

  /** The error of this failure. */
  public Overloaded(Failure failure) {
    super(failure);
  }
}
