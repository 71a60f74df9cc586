package dev.camillo.client.errors;

/** No such upload, or it is older than 24 hours: begin anew. */
public class UploadNotFound extends NotFound {
  private static final long serialVersionUID = 1L;

  /** The error of this failure. */
  public UploadNotFound(Failure failure) {
    super(failure);
  }
}
