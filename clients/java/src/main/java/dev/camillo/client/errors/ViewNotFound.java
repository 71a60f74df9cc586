package dev.camillo.client.errors;

/** No text of this name, neither the agent's nor the tenant's. */
public class ViewNotFound extends NotFound {
  private static final long serialVersionUID = 1L;

  /** The error of this failure. */
  public ViewNotFound(Failure failure) {
    super(failure);
  }
}
