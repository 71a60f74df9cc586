package dev.camillo.client.errors;

/** No such proposal of a distillation, or an event that it rests on was forgotten. */
public class ProposalNotFound extends NotFound {
  private static final long serialVersionUID = 1L;

  /** The error of this failure. */
  public ProposalNotFound(Failure failure) {
    super(failure);
  }
}
