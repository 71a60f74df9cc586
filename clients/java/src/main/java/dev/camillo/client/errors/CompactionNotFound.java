package dev.camillo.client.errors;

/** No such compaction, or a proposal that is too old. */
public class CompactionNotFound extends NotFound {
  private static final long serialVersionUID = 1L;

  /** The error of this failure. */
  public CompactionNotFound(Failure failure) {
    super(failure);
  }
}
