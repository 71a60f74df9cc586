package dev.camillo.client.errors;

import java.util.OptionalLong;

/** Bytes of an upload do not follow those before. */
public class UploadOffsetMismatch extends CamilloError {
  private static final long serialVersionUID = 1L;

  /** The error of this failure. */
  public UploadOffsetMismatch(Failure failure) {
    super(failure);
  }

  /** Where the upload goes on, in bytes. */
  public OptionalLong expected() {
    return number("expected_offset");
  }

  /** Where the bytes that came begin. */
  public OptionalLong actual() {
    return number("actual_offset");
  }
}
