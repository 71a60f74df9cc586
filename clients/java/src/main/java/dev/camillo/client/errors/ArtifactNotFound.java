package dev.camillo.client.errors;

/** No such artifact, or none that may be shown in this channel. */
public class ArtifactNotFound extends NotFound {
  private static final long serialVersionUID = 1L;

  /** The error of this failure. */
  public ArtifactNotFound(Failure failure) {
    super(failure);
  }
}
