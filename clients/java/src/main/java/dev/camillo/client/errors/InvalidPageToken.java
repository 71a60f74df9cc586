package dev.camillo.client.errors;

/** A page token or resume token that this server did not make, or made for another query. */
public class InvalidPageToken extends InvalidArgument {
  private static final long serialVersionUID = 1L;

  /** The error of this failure. */
  public InvalidPageToken(Failure failure) {
    super(failure);
  }
}
