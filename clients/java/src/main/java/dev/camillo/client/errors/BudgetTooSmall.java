package dev.camillo.client.errors;

import java.util.OptionalLong;

/** What may not be cut takes more than the budget. */
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

  /** What it takes, in tokens. */
  public OptionalLong neededTokens() {
    return number("needed_tokens");
  }

  /** What may not be cut, in tokens by section: {@code name=tokens}, separated by commas. */
  public String sections() {
    return stated("sections");
  }
}
