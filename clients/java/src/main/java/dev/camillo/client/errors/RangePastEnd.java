package dev.camillo.client.errors;

import java.util.OptionalLong;

/** A range that begins behind the end. */
public class RangePastEnd extends CamilloError {
  private static final long serialVersionUID = 1L;

  /** The error of this failure. */
  public RangePastEnd(Failure failure) {
    super(failure);
  }

  /** {@code bytes} or {@code lines}. */
  public String unit() {
    return stated("unit");
  }

  /** How many there are. */
  public OptionalLong length() {
    return number("length");
  }
}
