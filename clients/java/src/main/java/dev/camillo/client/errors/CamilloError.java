package dev.camillo.client.errors;

import io.grpc.Status;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/** Every failure of a call. Subclasses say why; an unknown reason is kept in {@link #reason}. */
public class CamilloError extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Failure failure;

  /** The error of this failure. {@link Failures} chooses the class. */
  public CamilloError(Failure failure) {
    super(told(failure));
    this.failure = failure;
  }

  /** All that was told. */
  public Failure failure() {
    return failure;
  }

  /** The status of gRPC. */
  public Status.Code code() {
    return failure.code();
  }

  /** Returns what the server said, without reason and fields. */
  public String message() {
    return failure.message();
  }

  /**
   * Without the prefix {@code ERROR_REASON_}; empty where the failure did not come from Camillo.
   */
  public String reason() {
    return failure.reason();
  }

  /** The keys that go with the reason. */
  public Map<String, String> metadata() {
    return failure.metadata();
  }

  /** The fields of the request that break limits. */
  public List<FieldViolation> fieldViolations() {
    return failure.fieldViolations();
  }

  /** When to come back, where the server told. */
  public Optional<Duration> retryAfter() {
    return Optional.ofNullable(failure.retryAfter());
  }

  /**
   * Id of the mutation that failed, else empty: sent again with it, the mutation happens once at
   * most.
   */
  public String requestId() {
    return failure.requestId();
  }

  /** A text of the metadata; empty where it is not there. */
  final String stated(String key) {
    return failure.metadata().getOrDefault(key, "");
  }

  /** A number of the metadata; none where a newer server means something else by the key. */
  final OptionalLong number(String key) {
    try {
      return OptionalLong.of(Long.parseLong(stated(key)));
    } catch (NumberFormatException noNumber) {
      return OptionalLong.empty();
    }
  }

  private static String told(Failure failure) {
    String fields =
        failure.fieldViolations().stream()
            .map(violation -> "; " + violation.field() + ": " + violation.description())
            .collect(Collectors.joining());
    String kind = failure.reason().isEmpty() ? failure.code().name() : failure.reason();
    return kind + ": " + failure.message() + fields;
  }
}
