package dev.camillo.client.errors;

/** The demanded revision was not reached in time. */
public class RevisionBehind extends Unavailable {
  private static final long serialVersionUID = 1L;

  /** The error of this failure. */
  public RevisionBehind(Failure failure) {
    super(failure);
  }
}
