package dev.camillo.client.errors;

/** The agent accepts no handoffs from this one. */
public class HandoffRefused extends ScopeForbidden {
  private static final long serialVersionUID = 1L;

  /** The error of this failure. */
  public HandoffRefused(Failure failure) {
    super(failure);
  }
}
