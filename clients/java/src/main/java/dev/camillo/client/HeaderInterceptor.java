package dev.camillo.client;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;

/**
 * Adds the metadata of each call when it begins: its trace is that of the moment. For a key that
 * the caller did not give, it says where it is from if the server refuses it.
 */
final class HeaderInterceptor implements ClientInterceptor {
  private final Caller caller;
  private final String agentId;

  HeaderInterceptor(Caller caller, String agentId) {
    this.caller = caller;
    this.agentId = agentId;
  }

  @Override
  public <Q, R> ClientCall<Q, R> interceptCall(
      MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
    return new SimpleForwardingClientCall<>(next.newCall(method, options)) {
      @Override
      public void start(Listener<R> answers, Metadata headers) {
        headers.merge(Headers.of(caller, agentId));
        super.start(caller.refusal().isEmpty() ? answers : explained(answers), headers);
      }
    };
  }

  private <R> ClientCall.Listener<R> explained(ClientCall.Listener<R> answers) {
    return new SimpleForwardingClientCallListener<>(answers) {
      @Override
      public void onClose(Status status, Metadata trailers) {
        boolean isRefused = status.getCode() == Status.Code.UNAUTHENTICATED;
        super.onClose(isRefused ? status.withDescription(caller.refusal()) : status, trailers);
      }
    };
  }
}
