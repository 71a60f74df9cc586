package dev.camillo.client;

import java.time.Duration;

/** How waiting is done. */
@FunctionalInterface
interface Pause {
  /** Waits so long. */
  void await(Duration span);
}
