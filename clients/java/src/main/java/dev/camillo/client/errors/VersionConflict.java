package dev.camillo.client.errors;

import java.util.OptionalLong;

/** The object of a change has moved on since the version that the caller saw. */
public class VersionConflict extends CamilloError {
  private static final long serialVersionUID = 1L;

  /** The error of this failure. */
  public VersionConflict(Failure failure) {
    super(failure);
  }

  /** The version that the caller saw. */
  public OptionalLong expected() {
    return number("expected_version");
  }

  /** The version that it has. */
  public OptionalLong actual() {
    return number("actual_version");
  }
}
