package dev.camillo.client.errors;

/** Bytes of the artifact are missing or damaged in the server's store. */
public class BytesLost extends CamilloError {
  private static final long serialVersionUID = 1L;

  /** The error of this failure. */
  public BytesLost(Failure failure) {
    super(failure);
  }
}
