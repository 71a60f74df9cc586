package dev.camillo.client.errors;

import java.util.OptionalLong;

/** A limit of the server or of the transport. */
public class ResourceExhausted extends CamilloError {
  private static final long serialVersionUID = 1L;

  /** The error of this failure. */
  public ResourceExhausted(Failure failure) {
    super(failure);
  }

  /** The limit, where it is told. */
  public OptionalLong limit() {
    return number("limit");
  }
}
