package dev.camillo.client;

import com.google.protobuf.Message;
import dev.camillo.client.errors.CamilloError;
import dev.camillo.client.errors.Failure;
import dev.camillo.client.errors.Failures;
import dev.camillo.client.errors.Overloaded;
import dev.camillo.client.errors.Unavailable;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.Deadline;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Calls with the credential, a deadline and typed errors. */
final class Calls {
  private static final int MAX_RETRIES = 3;

  private final Connection connection;
  private final Settings settings;

  Calls(Connection connection, Settings settings) {
    this.connection = connection;
    this.settings = settings;
  }

  Settings settings() {
    return settings;
  }

  Connection connection() {
    return connection;
  }

  /** When a call that begins now has to be over. */
  Deadline deadline() {
    return Deadline.after(Spans.nanos(settings.timeout()), TimeUnit.NANOSECONDS);
  }

  /** The answer; beside what gRPC repeats, comes back as the server asks while it is overloaded. */
  <Q extends Message, R extends Message> R unary(
      MethodDescriptor<Q, R> method, Q request, Deadline deadline) {
    checkSize(request);
    for (int retries = 0; ; retries++) {
      try {
        return attempt(method, request, deadline);
      } catch (Overloaded | Unavailable error) {
        Optional<Duration> wait = waitBefore(method, error, retries + 1);
        if (wait.isEmpty() || isLate(wait.get(), deadline) || retries == MAX_RETRIES) {
          throw error;
        }
        connection.pause().await(wait.get());
      }
    }
  }

  /** The messages of a server stream, which begins at once. */
  <Q extends Message, R extends Message> ServerStream<R> stream(
      MethodDescriptor<Q, R> method, Q request) {
    checkSize(request);
    String agentId = RequestFields.agentId(request, settings.agentId());
    return ServerStream.begin(channelFor(agentId), method, streamOptions(), request);
  }

  /** A channel whose calls carry the metadata for this agent. */
  Channel channelFor(String agentId) {
    return ClientInterceptors.intercept(
        connection.channel(),
        new HeaderInterceptor(connection.caller(), agentId),
        new CancelInterceptor());
  }

  /** The options of a stream: no deadline unless one is set. */
  CallOptions streamOptions() {
    Duration timeout = settings.streamTimeout();
    return timeout == null
        ? CallOptions.DEFAULT
        : CallOptions.DEFAULT.withDeadlineAfter(Spans.nanos(timeout), TimeUnit.NANOSECONDS);
  }

  /**
   * Waits after a failure; throws it if it is one too many, if the server asks for more patience
   * than there is, or if the client was closed, after which nothing succeeds.
   */
  void waitAfter(CamilloError error, int failures, int maxFailures) {
    Duration wait = BackOff.after(error, failures);
    boolean isOver = failures > maxFailures || connection.channel().isShutdown();
    if (isOver || wait.compareTo(BackOff.LONGEST_ASKED) > 0) {
      throw error;
    }
    connection.pause().await(wait);
  }

  private <Q extends Message, R extends Message> R attempt(
      MethodDescriptor<Q, R> method, Q request, Deadline deadline) {
    Channel channel = channelFor(RequestFields.agentId(request, settings.agentId()));
    try {
      CallOptions options = CallOptions.DEFAULT.withDeadline(deadline);
      return ClientCalls.blockingUnaryCall(channel, method, options, request);
    } catch (StatusRuntimeException failed) {
      throw Failures.of(failed, RequestFields.requestId(request));
    }
  }

  /** For a message that is too large, gRPC for Java says only that the call was cancelled. */
  private void checkSize(Message request) {
    int most = connection.maxMessageBytes();
    if (request.getSerializedSize() > most) {
      String told = "the request has " + request.getSerializedSize() + " bytes, more than " + most;
      Failure failure = Failure.of(Status.Code.RESOURCE_EXHAUSTED, told);
      throw Failures.typed(failure.withRequestId(RequestFields.requestId(request)));
    }
  }

  /**
   * How long to wait before a repetition that gRPC leaves to its caller; nothing: there is none.
   */
  private static Optional<Duration> waitBefore(
      MethodDescriptor<?, ?> method, CamilloError error, int failures) {
    if (error instanceof Overloaded) {
      return error.retryAfter();
    }
    // Calls that gRPC repeats it has repeated itself, but not what it says while a connection
    // breaks.
    boolean isRepeated = ServiceConfig.isRetried(Status.fromThrowable(error.getCause()).getCode());
    return isRepeated || !ServiceConfig.isRetried(method)
        ? Optional.empty()
        : Optional.of(BackOff.after(error, failures));
  }

  private static boolean isLate(Duration asked, Deadline deadline) {
    return Spans.nanos(asked) >= deadline.timeRemaining(TimeUnit.NANOSECONDS);
  }
}
