package dev.camillo.client.errors;

/** Something that has to cite its sources cites none. */
public class ProvenanceRequired extends FailedPrecondition {
  private static final long serialVersionUID = 1L;

  /** The error of this failure. */
  public ProvenanceRequired(Failure failure) {
    super(failure);
  }
}
