package dev.camillo.client;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;

/** Adds the metadata of each call when it begins: its trace is that of the moment. */
final class HeaderInterceptor implements ClientInterceptor {
  private final String key;
  private final String agentId;

  HeaderInterceptor(String key, String agentId) {
    this.key = key;
    this.agentId = agentId;
  }

  @Override
  public <Q, R> ClientCall<Q, R> interceptCall(
      MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
    return new SimpleForwardingClientCall<>(next.newCall(method, options)) {
      @Override
      public void start(Listener<R> answers, Metadata headers) {
        headers.merge(Headers.of(key, agentId));
        super.start(answers, headers);
      }
    };
  }
}
