package dev.camillo.client;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import java.util.concurrent.CompletableFuture;

/**
 * Connects again soon after a connection failed.
 *
 * <p>gRPC waits a second by default: its retries would all meet the connection that failed.
 */
final class Reconnects {
  private static final long FIRST_MILLIS = 100;
  // From here on gRPC's own back-off is about as quick.
  private static final long LAST_MILLIS = 800;

  private final ManagedChannel channel;

  private Reconnects(ManagedChannel channel) {
    this.channel = channel;
  }

  /** Watches over the channel until it is closed. */
  static void hasten(ManagedChannel channel) {
    new Reconnects(channel).watch();
  }

  private void watch() {
    ConnectivityState state = channel.getState(false);
    if (state == ConnectivityState.TRANSIENT_FAILURE) {
      tryAfter(FIRST_MILLIS);
    }
    if (state != ConnectivityState.SHUTDOWN) {
      channel.notifyWhenStateChanged(state, this::watch);
    }
  }

  private void tryAfter(long millis) {
    CompletableFuture.delayedExecutor(millis, MILLISECONDS).execute(() -> connect(millis));
  }

  private void connect(long waited) {
    if (channel.getState(false) != ConnectivityState.TRANSIENT_FAILURE) {
      return;
    }
    channel.resetConnectBackoff();
    if (waited < LAST_MILLIS) {
      tryAfter(2 * waited);
    }
  }
}
