package dev.camillo.client.errors;

/** A revision of another database or of another scope. */
public class RevisionUnknown extends CamilloError {
  private static final long serialVersionUID = 1L;

  /** The error of this failure. */
  public RevisionUnknown(Failure failure) {
    super(failure);
  }
}
