package dev.camillo.client;

import dev.camillo.client.errors.Failure;
import dev.camillo.client.errors.Failures;
import io.grpc.Status;
import java.time.Duration;

/** How waiting is done. */
@FunctionalInterface
interface Pause {
  /** Really waits; an interrupt is a call that was cancelled. */
  Pause SLEEP =
      span -> {
        try {
          Thread.sleep(span.toMillis());
        } catch (InterruptedException interrupted) {
          Thread.currentThread().interrupt();
          throw Failures.typed(Failure.of(Status.Code.CANCELLED, "interrupted while waiting"));
        }
      };

  /** Waits so long. */
  void await(Duration span);
}
