package dev.camillo.client.errors;

import java.util.OptionalLong;

/**
 * The bytes cannot be read as the document that they are said to be, or have more of something than
 * the server reads.
 */
public class DocumentUnreadable extends FailedPrecondition {
  private static final long serialVersionUID = 1L;

  /** The error of this failure. */
  public DocumentUnreadable(Failure failure) {
    super(failure);
  }

  /** {@code not_text}, {@code damaged}, {@code encrypted}, {@code too_large} and so on. */
  public String why() {
    return stated("why");
  }

  /** The most that the server reads, where it is that. */
  public OptionalLong limit() {
    return number("limit");
  }
}
