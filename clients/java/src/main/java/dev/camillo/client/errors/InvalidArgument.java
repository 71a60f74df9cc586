package dev.camillo.client.errors;

/** The request cannot be right, whatever the server's state. */
public class InvalidArgument extends CamilloError {
  private static final long serialVersionUID = 1L;

  /** The error of this failure. */
  public InvalidArgument(Failure failure) {
    super(failure);
  }
}
