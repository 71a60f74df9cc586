package dev.camillo.client.errors;

/** No message of a stream was taken or sent for longer than the server waits. */
public class StreamIdle extends Unavailable {
  private static final long serialVersionUID = 1L;

  /** The error of this failure. */
  public StreamIdle(Failure failure) {
    super(failure);
  }
}
