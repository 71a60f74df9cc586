package dev.camillo.client;

import com.google.protobuf.Any;
import com.google.protobuf.Duration;
import com.google.protobuf.Message;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import com.google.rpc.Status;
import io.grpc.Status.Code;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import java.util.Map;

/** Failures as the server tells them. */
final class Refusals {
  static final StatusRuntimeException UNAVAILABLE = io.grpc.Status.UNAVAILABLE.asRuntimeException();

  private Refusals() {}

  static StatusRuntimeException of(Code code, String reason) {
    return with(code, info(reason, Map.of()));
  }

  static StatusRuntimeException of(Code code, String reason, Map<String, String> metadata) {
    return with(code, info(reason, metadata));
  }

  /** Comes back after so many milliseconds. */
  static StatusRuntimeException overloaded(int millis) {
    Duration delay = Duration.newBuilder().setNanos(millis * 1_000_000).build();
    return with(
        Code.RESOURCE_EXHAUSTED,
        info("OVERLOADED", Map.of()),
        RetryInfo.newBuilder().setRetryDelay(delay).build());
  }

  static StatusRuntimeException with(Code code, Message... details) {
    return StatusProto.toStatusRuntimeException(status(code, details));
  }

  static Status status(Code code, Message... details) {
    Status.Builder status = Status.newBuilder().setCode(code.value()).setMessage("refused");
    for (Message detail : details) {
      status.addDetails(Any.pack(detail));
    }
    return status.build();
  }

  static ErrorInfo info(String reason, Map<String, String> metadata) {
    return ErrorInfo.newBuilder()
        .setDomain("camillo.v1")
        .setReason(reason)
        .putAllMetadata(metadata)
        .build();
  }
}
