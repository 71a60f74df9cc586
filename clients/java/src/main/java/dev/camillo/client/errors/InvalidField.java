package dev.camillo.client.errors;

/** A field breaks a limit; {@link #fieldViolations} names each. */
public class InvalidField extends InvalidArgument {
  private static final long serialVersionUID = 1L;

  /** The error of this failure. */
  public InvalidField(Failure failure) {
    super(failure);
  }
}
