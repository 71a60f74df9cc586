package dev.camillo.client;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.Context;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.util.concurrent.CancellationException;

/**
 * Gives a cause to what this side cancels: CANCELLED without one was said by the server, which took
 * a call and stopped before it began it.
 */
final class CancelInterceptor implements ClientInterceptor {
  @Override
  public <Q, R> ClientCall<Q, R> interceptCall(
      MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
    Context caller = Context.current();
    return new SimpleForwardingClientCall<>(next.newCall(method, options)) {
      @Override
      public void start(Listener<R> answers, Metadata headers) {
        super.start(new Marking<>(answers, caller), headers);
      }

      @Override
      public void cancel(String message, Throwable cause) {
        super.cancel(message, cause == null ? new CancellationException(message) : cause);
      }
    };
  }

  private static final class Marking<R> extends SimpleForwardingClientCallListener<R> {
    private final Context caller;

    Marking(ClientCall.Listener<R> answers, Context caller) {
      super(answers);
      this.caller = caller;
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      boolean isOurs =
          status.getCode() == Status.Code.CANCELLED
              && status.getCause() == null
              && caller.isCancelled();
      super.onClose(
          isOurs ? status.withCause(new CancellationException(status.getDescription())) : status,
          trailers);
    }
  }
}
