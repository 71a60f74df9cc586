package dev.camillo.client;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.TimeUnit;

/** A channel whose connection breaks just when the first so many calls begin. */
final class BreakingChannel extends ManagedChannel {
  private static final Status BROKEN =
      Status.UNKNOWN.withDescription("channel closed").withCause(new ClosedChannelException());

  private final ManagedChannel whole;
  private int breaks;

  BreakingChannel(ManagedChannel whole, int breaks) {
    this.whole = whole;
    this.breaks = breaks;
  }

  @Override
  public <Q, R> ClientCall<Q, R> newCall(MethodDescriptor<Q, R> method, CallOptions options) {
    breaks--;
    return breaks < 0 ? whole.newCall(method, options) : new BrokenCall<>();
  }

  @Override
  public String authority() {
    return whole.authority();
  }

  @Override
  public ManagedChannel shutdown() {
    whole.shutdown();
    return this;
  }

  @Override
  public ManagedChannel shutdownNow() {
    whole.shutdownNow();
    return this;
  }

  @Override
  public boolean isShutdown() {
    return whole.isShutdown();
  }

  @Override
  public boolean isTerminated() {
    return whole.isTerminated();
  }

  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
    return whole.awaitTermination(timeout, unit);
  }

  private static final class BrokenCall<Q, R> extends ClientCall<Q, R> {
    @Override
    public void start(Listener<R> answers, Metadata headers) {
      answers.onClose(BROKEN, new Metadata());
    }

    @Override
    public void request(int messages) {}

    @Override
    public void cancel(String message, Throwable cause) {}

    @Override
    public void halfClose() {}

    @Override
    public void sendMessage(Q message) {}
  }
}
