package dev.camillo.client.errors;

/** Postgres cannot be reached. */
public class StorageUnavailable extends Unavailable {
  private static final long serialVersionUID = 1L;

  /** The error of this failure. */
  public StorageUnavailable(Failure failure) {
    super(failure);
  }
}
