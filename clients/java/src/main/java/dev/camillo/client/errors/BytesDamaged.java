package dev.camillo.client.errors;

/** Bytes of an artifact came otherwise than the server sent them: read them again. */
public class BytesDamaged extends CamilloError {
  private static final long serialVersionUID = 1L;

  /** The error of this failure. */
  public BytesDamaged(Failure failure) {
    super(failure);
  }
}
