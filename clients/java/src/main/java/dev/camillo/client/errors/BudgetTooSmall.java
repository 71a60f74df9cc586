package dev.camillo.client.errors;

import java.util.OptionalLong;

/** The part that may not be cut takes more than the budget. */
public class BudgetTooSmall extends FailedPrecondition {
  private static final long serialVersionUID = 1L;

  /** The error of this failure. */
  public BudgetTooSmall(Failure failure) {
    super(failure);
  }

  /** The budget, in tokens. */
  public OptionalLong maxTokens() {
    return number("max_tokens");
  }

  /** Its cost in tokens. */
  public OptionalLong neededTokens() {
    return number("needed_tokens");
  }

  /**
   * The parts that may not be cut, in tokens by section: {@code name=tokens}, separated by commas.
   */
  public String sections() {
    return stated("sections");
  }
}
