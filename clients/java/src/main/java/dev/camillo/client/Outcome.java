package dev.camillo.client;

import dev.camillo.client.errors.CamilloError;
import java.util.Optional;

/**
 * The outcome of one item of many: a value, or an error that concerns it alone.
 *
 * @param <T> of the value
 */
public final class Outcome<T> {
  private final T value;
  private final CamilloError error;

  private Outcome(T value, CamilloError error) {
    this.value = value;
    this.error = error;
  }

  static <T> Outcome<T> of(T value) {
    return new Outcome<>(value, null);
  }

  static <T> Outcome<T> of(CamilloError error) {
    return new Outcome<>(null, error);
  }

  /** The value; throws the error if there is none. */
  public T get() {
    if (error != null) {
      throw error;
    }
    return value;
  }

  /** Why there is no value; empty if there is one. */
  public Optional<CamilloError> error() {
    return Optional.ofNullable(error);
  }
}
