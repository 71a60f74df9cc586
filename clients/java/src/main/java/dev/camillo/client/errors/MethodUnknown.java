package dev.camillo.client.errors;

/** Not supported by this server: it is older than this client. */
public class MethodUnknown extends CamilloError {
  private static final long serialVersionUID = 1L;

  /** The error of this failure. */
  public MethodUnknown(Failure failure) {
    super(failure);
  }
}
