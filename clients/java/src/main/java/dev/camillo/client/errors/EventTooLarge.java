package dev.camillo.client.errors;

/**
 * The content of an event is larger than an event can be: put it into an artifact. Nothing was
 * sent.
 */
public class EventTooLarge extends InvalidArgument {
  private static final long serialVersionUID = 1L;

  /** The error of this failure. */
  public EventTooLarge(Failure failure) {
    super(failure);
  }
}
