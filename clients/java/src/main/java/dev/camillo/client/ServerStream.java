package dev.camillo.client;

import com.google.protobuf.Message;
import dev.camillo.client.errors.Failures;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.Context;
import io.grpc.MethodDescriptor;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import java.util.Iterator;
import java.util.NoSuchElementException;

/** The messages of one server stream, with typed errors; closing it cancels the call. */
final class ServerStream<R> implements Iterator<R>, AutoCloseable {
  private final Context.CancellableContext context;
  private final Iterator<R> messages;
  private volatile boolean isClosed;

  private ServerStream(Context.CancellableContext context, Iterator<R> messages) {
    this.context = context;
    this.messages = messages;
  }

  static <Q extends Message, R extends Message> ServerStream<R> begin(
      Channel channel, MethodDescriptor<Q, R> method, CallOptions options, Q request) {
    Context.CancellableContext context = Context.current().withCancellation();
    Context previous = context.attach();
    try {
      return new ServerStream<>(
          context, ClientCalls.blockingServerStreamingCall(channel, method, options, request));
    } finally {
      context.detach(previous);
    }
  }

  @Override
  public boolean hasNext() {
    if (isClosed) {
      return false;
    }
    try {
      boolean goesOn = messages.hasNext();
      if (!goesOn) {
        release();
      }
      return goesOn;
    } catch (StatusRuntimeException failed) {
      release();
      if (isClosed) {
        // By another thread, while this one waited.
        return false;
      }
      throw Failures.of(failed);
    }
  }

  @Override
  public R next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    return messages.next();
  }

  @Override
  public void close() {
    isClosed = true;
    release();
  }

  /** Whether nothing is held on to any more. */
  boolean isReleased() {
    return context.isCancelled();
  }

  /** Ends the call if it still goes on; the caller's context would hold on to one that is over. */
  private void release() {
    context.cancel(null);
  }
}
