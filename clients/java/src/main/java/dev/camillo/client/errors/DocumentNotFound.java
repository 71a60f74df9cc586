package dev.camillo.client.errors;

/** No such document or version of one, or none that may be shown in this channel or to this key. */
public class DocumentNotFound extends NotFound {
  private static final long serialVersionUID = 1L;

  /** The error of this failure. */
  public DocumentNotFound(Failure failure) {
    super(failure);
  }
}
