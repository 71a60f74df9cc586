package dev.camillo.client.errors;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.rpc.BadRequest;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import com.google.rpc.Status;
import io.grpc.Metadata;
import io.grpc.Status.Code;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * From a status of gRPC to a typed error: the one place that knows the wire form of errors.
 *
 * <p>For those who use the bare stubs: their exceptions and the errors in batches become the same
 * errors here.
 */
public final class Failures {
  static final String DOMAIN = "camillo.v1";

  private static final Metadata.Key<byte[]> DETAILS =
      Metadata.Key.of("grpc-status-details-bin", Metadata.BINARY_BYTE_MARSHALLER);

  private Failures() {}

  /** The typed error of a failed call; anything but an exception of gRPC has the code UNKNOWN. */
  public static CamilloError of(Throwable failed) {
    return of(failed, "");
  }

  /** The typed error of a failed mutation with this request id. */
  public static CamilloError of(Throwable failed, String requestId) {
    io.grpc.Status status = status(failed);
    String message = status.getDescription() == null ? "" : status.getDescription();
    Metadata trailers = io.grpc.Status.trailersFromThrowable(failed);
    Failure plain = Failure.of(status.getCode(), message).withRequestId(requestId);
    CamilloError error = typed(detailed(plain, details(trailers)));
    error.initCause(failed);
    return error;
  }

  /** The typed error of one item of a batch. */
  public static CamilloError of(Status status) {
    Code code = io.grpc.Status.fromCodeValue(status.getCode()).getCode();
    return typed(detailed(Failure.of(code, status.getMessage()), status.getDetailsList()));
  }

  /** The error of a failure, of the class that says most about it. */
  public static CamilloError typed(Failure failure) {
    return ErrorTypes.typed(failure);
  }

  private static io.grpc.Status status(Throwable failed) {
    io.grpc.Status status = io.grpc.Status.fromThrowable(failed);
    // Text of gRPC for a call that begins while its connection breaks.
    boolean isBroken =
        status.getCode() == Code.UNKNOWN && status.getCause() instanceof ClosedChannelException;
    if (isBroken) {
      return io.grpc.Status.UNAVAILABLE.withDescription("the connection broke");
    }
    String said = status.getDescription();
    // Reason of a stream that a proxy ended because the server behind it is gone; no server says
    // so.
    boolean isReset =
        status.getCode() == Code.INTERNAL && said != null && said.contains("RST_STREAM");
    if (isReset) {
      return io.grpc.Status.UNAVAILABLE.withDescription(said);
    }
    // A call cancelled on this side has a cause; one without was taken and dropped by the server.
    boolean isDropped = status.getCode() == Code.CANCELLED && status.getCause() == null;
    return isDropped ? io.grpc.Status.UNAVAILABLE.withDescription("the server went away") : status;
  }

  private static List<Any> details(Metadata trailers) {
    byte[] told = trailers == null ? null : trailers.get(DETAILS);
    if (told == null) {
      return List.of();
    }
    try {
      return Status.parseFrom(told).getDetailsList();
    } catch (InvalidProtocolBufferException mangled) {
      // Whatever mangled it on the way: the code and the message still stand.
      return List.of();
    }
  }

  private static Failure detailed(Failure plain, List<Any> details) {
    ErrorInfo info = found(details, ErrorInfo.getDefaultInstance());
    BadRequest request = found(details, BadRequest.getDefaultInstance());
    RetryInfo retry = found(details, RetryInfo.getDefaultInstance());
    return new Failure(
        plain.code(),
        plain.message(),
        info.getDomain(),
        info.getReason(),
        Map.copyOf(info.getMetadataMap()),
        request.getFieldViolationsList().stream()
            .map(told -> new FieldViolation(told.getField(), told.getDescription()))
            .toList(),
        retry.hasRetryDelay() ? span(retry.getRetryDelay()) : null,
        plain.requestId());
  }

  @SuppressWarnings("unchecked")
  private static <M extends Message> M found(List<Any> details, M none) {
    for (Any detail : details) {
      if (detail.is(none.getClass())) {
        try {
          return (M) detail.unpack(none.getClass());
        } catch (InvalidProtocolBufferException mangled) {
          return none;
        }
      }
    }
    return none;
  }

  private static Duration span(com.google.protobuf.Duration delay) {
    try {
      Duration span = Duration.ofSeconds(delay.getSeconds(), delay.getNanos());
      return span.isNegative() ? Duration.ZERO : span;
    } catch (ArithmeticException tooLong) {
      return Duration.ofSeconds(Long.MAX_VALUE);
    }
  }
}
