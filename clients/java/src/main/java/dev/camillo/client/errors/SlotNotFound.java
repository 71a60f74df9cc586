package dev.camillo.client.errors;

/** No such slot or version of one, or none that may be shown in this channel. */
public class SlotNotFound extends NotFound {
  private static final long serialVersionUID = 1L;

  /** The error of this failure. */
  public SlotNotFound(Failure failure) {
    super(failure);
  }
}
