package dev.camillo.client.errors;

/** No such tenant. */
public class TenantNotFound extends NotFound {
  private static final long serialVersionUID = 1L;

  /** The error of this failure. */
  public TenantNotFound(Failure failure) {
    super(failure);
  }
}
