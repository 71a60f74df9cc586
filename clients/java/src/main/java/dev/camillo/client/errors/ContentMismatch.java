package dev.camillo.client.errors;

/** The bytes are not those that were announced. */
public class ContentMismatch extends InvalidArgument {
  private static final long serialVersionUID = 1L;

  /** The error of this failure. */
  public ContentMismatch(Failure failure) {
    super(failure);
  }

  /** Which of them: {@code size}, {@code sha256} or {@code prefix_sha256}. */
  public String what() {
    return stated("what");
  }

  /** Returns what was announced. */
  public String expected() {
    return stated("expected");
  }

  /** Returns what came. */
  public String actual() {
    return stated("actual");
  }
}
