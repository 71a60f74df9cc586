package dev.camillo.client.errors;

/** No such agent in the tenant. */
public class AgentNotFound extends NotFound {
  private static final long serialVersionUID = 1L;

  /** The error of this failure. */
  public AgentNotFound(Failure failure) {
    super(failure);
  }
}
