package dev.camillo.client;

import java.time.Duration;

/** Spans of time of any length, as gRPC takes them. */
final class Spans {
  private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE);

  private Spans() {}

  /** In nanoseconds; what is too long for a number of them, such as "forever", is the longest. */
  static long nanos(Duration span) {
    return span.compareTo(LONGEST) < 0 ? span.toNanos() : Long.MAX_VALUE;
  }
}
