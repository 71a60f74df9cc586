package dev.camillo.client.errors;

/** The proposal is in a state in which this call is not possible. */
public class ProposalInWrongState extends FailedPrecondition {
  private static final long serialVersionUID = 1L;

  /** The error of this failure. */
  public ProposalInWrongState(Failure failure) {
    super(failure);
  }

  /** The state that it is in. */
  public String state() {
    return stated("state");
  }
}
