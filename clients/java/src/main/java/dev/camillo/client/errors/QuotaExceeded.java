package dev.camillo.client.errors;

/** A quota or budget is used up. */
public class QuotaExceeded extends ResourceExhausted {
  private static final long serialVersionUID = 1L;

  /** The error of this failure. */
  public QuotaExceeded(Failure failure) {
    super(failure);
  }

  /** Which. */
  public String quota() {
    return stated("quota");
  }
}
