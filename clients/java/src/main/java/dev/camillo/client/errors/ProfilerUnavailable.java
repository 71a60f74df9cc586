package dev.camillo.client.errors;

/**
 * No profiler is installed beside the server, or it may not look into it; the message says which.
 */
public class ProfilerUnavailable extends FailedPrecondition {
  private static final long serialVersionUID = 1L;

  /** The error of this failure. */
  public ProfilerUnavailable(Failure failure) {
    super(failure);
  }
}
