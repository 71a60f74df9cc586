package dev.camillo.client.errors;

/** The tenant or agent is there already, or the upload is finished. */
public class AlreadyExists extends CamilloError {
  private static final long serialVersionUID = 1L;

  /** The error of this failure. */
  public AlreadyExists(Failure failure) {
    super(failure);
  }
}
