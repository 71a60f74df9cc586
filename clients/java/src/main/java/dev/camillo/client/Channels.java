package dev.camillo.client;

import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;

import io.grpc.ChannelCredentials;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;

/** The channel to a server, and its properties. */
final class Channels {
  static final String VERSION = "0.1.0";
  private static final int KEEPALIVE_TIMEOUT_SECONDS = 20;
  // gRPC retries only what it still has in its buffer: 1 MiB by default, less than a batch of
  // memories.
  private static final long RETRY_BUFFER_BYTES = 16L * 1024 * 1024;

  // Details of errors come in it: 8 KiB, as gRPC has it, are less than a hundred broken limits
  // take.
  private static final int MAX_METADATA_BYTES = 64 * 1024;

  private Channels() {}

  /** A channel; it connects with the first call. */
  static ManagedChannel open(CamilloBuilder target) {
    Tls tls = target.tls();
    ChannelCredentials credentials =
        tls == null ? InsecureChannelCredentials.create() : tls.credentials();
    ManagedChannelBuilder<?> builder =
        Grpc.newChannelBuilder(target.resolvedAddress(), credentials)
            .defaultServiceConfig(target.serviceConfig())
            .enableRetry()
            .perRpcBufferLimit(RETRY_BUFFER_BYTES)
            .retryBufferSize(4 * RETRY_BUFFER_BYTES)
            .maxInboundMessageSize(target.maxMessageBytes())
            .maxInboundMetadataSize(MAX_METADATA_BYTES)
            .keepAliveTime(Spans.nanos(target.keepalive()), NANOSECONDS)
            .keepAliveTimeout(KEEPALIVE_TIMEOUT_SECONDS, SECONDS)
            .userAgent("camillo-client-java/" + VERSION);
    if (tls != null && !tls.serverName().isEmpty()) {
      builder.overrideAuthority(tls.serverName());
    }
    ManagedChannel channel = builder.build();
    Reconnects.hasten(channel);
    return channel;
  }
}
