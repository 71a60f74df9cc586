package dev.camillo.client.errors;

import io.grpc.Status;
import java.io.Serializable;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Holds what was told about a call that failed.
 *
 * @param code the status of gRPC
 * @param message what the server, or gRPC, says about it
 * @param domain whose reason it is: {@code camillo.v1}, or empty where the failure did not come
 *     from Camillo
 * @param reason without the prefix {@code ERROR_REASON_}; empty where none was told
 * @param metadata the keys that go with the reason
 * @param fieldViolations the fields of the request that break limits
 * @param retryAfter when to come back; null where that was not told
 * @param requestId of the mutation that failed, else empty: sent again with it, the mutation
 *     happens once at most
 */
public record Failure(
    Status.Code code,
    String message,
    String domain,
    String reason,
    Map<String, String> metadata,
    List<FieldViolation> fieldViolations,
    Duration retryAfter,
    String requestId)
    implements Serializable {

  /** A failure of which only a code and a message are known. */
  public static Failure of(Status.Code code, String message) {
    return new Failure(code, message, "", "", Map.of(), List.of(), null, "");
  }

  /** The same failure of the mutation with this id. */
  public Failure withRequestId(String id) {
    return new Failure(code, message, domain, reason, metadata, fieldViolations, retryAfter, id);
  }
}
