package dev.camillo.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import com.google.rpc.BadRequest;
import dev.camillo.client.errors.CamilloError;
import dev.camillo.client.errors.Failures;
import dev.camillo.client.errors.FieldViolation;
import dev.camillo.client.errors.InternalError;
import dev.camillo.client.errors.InvalidField;
import dev.camillo.client.errors.MethodUnknown;
import dev.camillo.client.errors.NotFound;
import dev.camillo.client.errors.Unavailable;
import dev.camillo.client.errors.VersionConflict;
import dev.camillo.v1.ErrorReason;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.Status.Code;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Holds what a status of gRPC becomes. */
class FailuresTest {
  @ParameterizedTest
  @EnumSource(
      value = ErrorReason.class,
      mode = EnumSource.Mode.EXCLUDE,
      names = {"ERROR_REASON_UNSPECIFIED", "UNRECOGNIZED"})
  void everyReasonHasAClassOfItsOwn(ErrorReason reason) {
    String name = reason.name().replace("ERROR_REASON_", "");
    CamilloError error = Failures.of(Refusals.of(Code.UNKNOWN, name));
    assertNotEquals(CamilloError.class, error.getClass());
    assertEquals(name, error.reason());
  }

  @Test
  void aStreamThatWasResetOnItsWayIsUnavailableAndADefectIsNot() {
    Status reset =
        Status.INTERNAL.withDescription("RST_STREAM closed stream. HTTP/2 error code: 2");
    assertEquals(Unavailable.class, Failures.of(reset.asException()).getClass());
    Status defect = Status.INTERNAL.withDescription("something is wrong");
    assertEquals(InternalError.class, Failures.of(defect.asException()).getClass());
  }

  @Test
  void aReasonOfANewerServerIsKeptAndHasTheTypeOfItsCode() {
    CamilloError error = Failures.of(Refusals.of(Code.NOT_FOUND, "TEAPOT_NOT_FOUND"));
    assertEquals(NotFound.class, error.getClass());
    assertEquals("TEAPOT_NOT_FOUND", error.reason());
  }

  @Test
  void aReasonOfAnotherDomainIsNotOurs() {
    var info = Refusals.info("MEMORY_NOT_FOUND", Map.of()).toBuilder().setDomain("proxy").build();
    assertEquals(NotFound.class, Failures.of(Refusals.with(Code.NOT_FOUND, info)).getClass());
  }

  @Test
  void whatGoesWithAReasonIsTold() {
    Map<String, String> metadata = Map.of("expected_version", "3", "actual_version", "later");
    CamilloError error = Failures.of(Refusals.of(Code.ABORTED, "VERSION_CONFLICT", metadata));
    VersionConflict conflict = assertInstanceOf(VersionConflict.class, error);
    assertEquals(OptionalLong.of(3), conflict.expected());
    assertEquals(OptionalLong.empty(), conflict.actual());
    assertEquals("VERSION_CONFLICT: refused", conflict.getMessage());
  }

  @Test
  void brokenLimitsAreTold() {
    var violation =
        BadRequest.FieldViolation.newBuilder().setField("limit").setDescription("too high");
    var request = BadRequest.newBuilder().addFieldViolations(violation).build();
    var info = Refusals.info("INVALID_FIELD", Map.of());
    CamilloError error = Failures.of(Refusals.with(Code.INVALID_ARGUMENT, info, request));
    assertInstanceOf(InvalidField.class, error);
    assertEquals(List.of(new FieldViolation("limit", "too high")), error.fieldViolations());
    assertEquals("INVALID_FIELD: refused; limit: too high", error.getMessage());
  }

  @Test
  void whenToComeBackIsTold() {
    assertEquals(
        Optional.of(Duration.ofMillis(250)), Failures.of(Refusals.overloaded(250)).retryAfter());
  }

  @Test
  void mangledDetailsLeaveCodeAndMessage() {
    Metadata trailers = new Metadata();
    trailers.put(
        Metadata.Key.of("grpc-status-details-bin", Metadata.BINARY_BYTE_MARSHALLER),
        new byte[] {-1, -2, 7});
    Status status = Status.NOT_FOUND.withDescription("gone");
    CamilloError error = Failures.of(new StatusRuntimeException(status, trailers));
    assertEquals(NotFound.class, error.getClass());
    assertEquals("gone", error.message());
    assertEquals("", error.reason());
  }

  @Test
  void anUnknownMethodIsOneThatTheServerDoesNotSupport() {
    assertInstanceOf(MethodUnknown.class, Failures.of(Status.UNIMPLEMENTED.asRuntimeException()));
  }

  @Test
  void itemsOfBatchesHaveTheSameErrors() {
    var info = Refusals.info("MEMORY_NOT_FOUND", Map.of("memory_id", "m"));
    CamilloError error = Failures.of(Refusals.status(Code.NOT_FOUND, info));
    assertEquals("m", error.metadata().get("memory_id"));
  }
}
