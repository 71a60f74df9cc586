package dev.camillo.client;

import dev.camillo.client.errors.Failure;
import dev.camillo.client.errors.Failures;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Holds what all views of one client share. */
final class Connection {
  private static final int CLOSING_SECONDS = 5;

  private final ManagedChannel channel;
  private final Caller caller;
  private final int maxMessageBytes;
  private final Pause pause;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final WrittenRevisions written = new WrittenRevisions();

  /** Without a pause, waiting is waiting, until the connection is closed. */
  Connection(ManagedChannel channel, Caller caller, int maxMessageBytes, Pause pause) {
    this.channel = channel;
    this.caller = caller;
    this.maxMessageBytes = maxMessageBytes;
    this.pause = pause == null ? this::rest : pause;
  }

  ManagedChannel channel() {
    return channel;
  }

  Caller caller() {
    return caller;
  }

  int maxMessageBytes() {
    return maxMessageBytes;
  }

  Pause pause() {
    return pause;
  }

  WrittenRevisions written() {
    return written;
  }

  /** Ends all calls, and those that wait to be repeated. */
  void close() {
    channel.shutdownNow();
    closed.countDown();
    try {
      channel.awaitTermination(CLOSING_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits; an interrupt is a call that was cancelled. */
  private void rest(Duration span) {
    try {
      closed.await(Spans.nanos(span), TimeUnit.NANOSECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw Failures.typed(Failure.of(Status.Code.CANCELLED, "interrupted while waiting"));
    }
  }
}
