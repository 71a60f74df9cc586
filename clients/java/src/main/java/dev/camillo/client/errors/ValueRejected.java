package dev.camillo.client.errors;

/** A value that was forgotten in this scope is being stated again; LiftValueBlocks allows it. */
public class ValueRejected extends FailedPrecondition {
  private static final long serialVersionUID = 1L;

  /** The error of this failure. */
  public ValueRejected(Failure failure) {
    super(failure);
  }

  /** The field that states it. */
  public String field() {
    return stated("field");
  }
}
