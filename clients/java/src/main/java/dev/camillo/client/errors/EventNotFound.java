package dev.camillo.client.errors;

/** No such event, or none that may be shown in this channel. */
public class EventNotFound extends NotFound {
  private static final long serialVersionUID = 1L;

  /** The error of this failure. */
  public EventNotFound(Failure failure) {
    super(failure);
  }
}
