package dev.camillo.client.errors;

/** The compaction is not in a state for what was asked of it. */
public class CompactionInWrongState extends FailedPrecondition {
  private static final long serialVersionUID = 1L;

  /** The error of this failure. */
  public CompactionInWrongState(Failure failure) {
    super(failure);
  }

  /** The state that it is in. */
  public String state() {
    return stated("state");
  }
}
