package dev.camillo.client;

import dev.camillo.client.errors.CamilloError;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** How long to wait before trying again. */
final class BackOff {
  private static final double FIRST_SECONDS = 0.1;
  private static final double MAX_SECONDS = 5.0;

  /** Where no deadline ends a wait: who is told to come back later than that is told so. */
  static final Duration LONGEST_ASKED = Duration.ofMinutes(1);

  private BackOff() {}

  /**
   * The time that the server asked for, else twice as long after each failure; spread so that
   * clients do not return as one.
   */
  static Duration after(CamilloError error, int failures) {
    return error.retryAfter().orElseGet(() -> spread(failures));
  }

  private static Duration spread(int failures) {
    double longest = Math.min(MAX_SECONDS, FIRST_SECONDS * Math.pow(2, failures - 1.0));
    double seconds = longest * ThreadLocalRandom.current().nextDouble(0.5, 1.0);
    return Duration.ofNanos(Math.round(seconds * 1e9));
  }
}
