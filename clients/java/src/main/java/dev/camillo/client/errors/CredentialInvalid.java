package dev.camillo.client.errors;

/** No credential, or one that is unknown, expired or revoked. */
public class CredentialInvalid extends CamilloError {
  private static final long serialVersionUID = 1L;

  /** The error of this failure. */
  public CredentialInvalid(Failure failure) {
    super(failure);
  }
}
