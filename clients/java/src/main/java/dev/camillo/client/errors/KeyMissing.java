package dev.camillo.client.errors;

/** The server lacks an encryption key. */
public class KeyMissing extends FailedPrecondition {
  private static final long serialVersionUID = 1L;

  /** The error of this failure. */
  public KeyMissing(Failure failure) {
    super(failure);
  }

  /** Which; empty where it has no key at all. */
  public String keyId() {
    return stated("key_id");
  }
}
