package dev.camillo.client;

import dev.camillo.v1.Durability;
import java.util.Optional;

/**
 * A write, and where it is by the time that it is answered.
 *
 * @param value what was written; of a write that was dropped, it may be empty
 * @param durability where it is; unspecified where the server does not know of it
 * @param spoolId names a write that was spooled, see {@link WriteSpool}
 * @param <T> of the value
 */
public record Written<T>(T value, Durability durability, Optional<String> spoolId) {
  static <T> Written<T> of(T value, Durability durability, String spoolId) {
    return new Written<>(value, durability, Optional.of(spoolId).filter(id -> !id.isEmpty()));
  }
}
