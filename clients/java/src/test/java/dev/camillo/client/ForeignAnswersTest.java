package dev.camillo.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.Message;
import com.google.rpc.BadRequest;
import com.google.rpc.RetryInfo;
import dev.camillo.client.errors.CamilloError;
import dev.camillo.client.errors.InternalError;
import dev.camillo.client.errors.InvalidField;
import dev.camillo.client.errors.Overloaded;
import dev.camillo.client.errors.Unavailable;
import dev.camillo.v1.ArtifactServiceGrpc;
import dev.camillo.v1.BatchRecallRequest;
import dev.camillo.v1.BatchRecallResponse;
import dev.camillo.v1.BatchRememberResponse;
import dev.camillo.v1.GetUploadResponse;
import dev.camillo.v1.MemoryChange;
import dev.camillo.v1.MemoryServiceGrpc;
import dev.camillo.v1.NewMemory;
import dev.camillo.v1.PutArtifactRequest;
import dev.camillo.v1.PutArtifactResponse;
import dev.camillo.v1.RecallRequest;
import dev.camillo.v1.RememberResponse;
import dev.camillo.v1.Revision;
import dev.camillo.v1.WatchMemoriesRequest;
import dev.camillo.v1.WatchMemoriesResponse;
import io.grpc.Status.Code;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers that no server of ours would give do no harm. */
class ForeignAnswersTest {
  private final List<Duration> pauses = new ArrayList<>();
  private ScriptedServer server;
  private Camillo camillo;

  @BeforeEach
  void connect() throws IOException {
    server = new ScriptedServer();
    camillo = server.client(pauses).connect();
  }

  @AfterEach
  void close() {
    camillo.close();
    server.close();
  }

  private static StatusRuntimeException comeBack(Code code, String reason, long seconds) {
    var delay = com.google.protobuf.Duration.newBuilder().setSeconds(seconds);
    return Refusals.with(
        code, Refusals.info(reason, Map.of()), RetryInfo.newBuilder().setRetryDelay(delay).build());
  }

  @ParameterizedTest
  @ValueSource(longs = {315_576_000_000L, Long.MAX_VALUE})
  void whoIsToComeBackInAThousandYearsIsToldSo(long seconds) {
    server.on(
        MemoryServiceGrpc.getRememberMethod(),
        ScriptedServer.broken(comeBack(Code.RESOURCE_EXHAUSTED, "OVERLOADED", seconds)));
    Overloaded error = assertThrows(Overloaded.class, () -> camillo.remember("tea"));
    assertEquals(Optional.of(Duration.ofSeconds(seconds)), error.retryAfter());
    assertTrue(pauses.isEmpty());
  }

  @Test
  void whoShouldHaveComeBackAlreadyDoesSoAtOnce() {
    server.on(
        MemoryServiceGrpc.getRememberMethod(),
        ScriptedServer.broken(comeBack(Code.RESOURCE_EXHAUSTED, "OVERLOADED", -5)),
        ScriptedServer.messages(RememberResponse.getDefaultInstance()));
    camillo.remember("tea");
    assertEquals(List.of(Duration.ZERO), pauses);
  }

  @Test
  void whatHasNoDeadlineDoesNotWaitForLong() {
    server.on(
        MemoryServiceGrpc.getWatchMemoriesMethod(),
        ScriptedServer.broken(comeBack(Code.UNAVAILABLE, "SERVER_DRAINING", 61)));
    assertThrows(Unavailable.class, () -> camillo.watch().iterator().hasNext());
    assertTrue(pauses.isEmpty());
  }

  @Test
  void aHundredBrokenLimitsAreTold() {
    BadRequest.Builder limits = BadRequest.newBuilder();
    for (int number = 0; number < 100; number++) {
      limits
          .addFieldViolationsBuilder()
          .setField("memories[" + number + "].metadata.somewhere_deep_within")
          .setDescription("x".repeat(100));
    }
    var info = Refusals.info("INVALID_FIELD", Map.of());
    server.on(
        MemoryServiceGrpc.getRememberMethod(),
        ScriptedServer.broken(Refusals.with(Code.INVALID_ARGUMENT, info, limits.build())));
    InvalidField error = assertThrows(InvalidField.class, () -> camillo.remember("tea"));
    assertEquals(100, error.fieldViolations().size());
  }

  @Test
  void aBatchOfWhichNotAllIsAnsweredIsADefect() {
    server.on(
        MemoryServiceGrpc.getBatchRememberMethod(),
        ScriptedServer.messages(BatchRememberResponse.getDefaultInstance()));
    List<NewMemory> memories = List.of(NewMemory.getDefaultInstance());
    CamilloError error = assertThrows(InternalError.class, () -> camillo.rememberMany(memories));
    assertEquals(32, error.requestId().length());
  }

  @Test
  void recallsThatAreNotAnsweredDoNoHarm() {
    server.on(
        MemoryServiceGrpc.getRememberMethod(),
        ScriptedServer.messages(
            RememberResponse.newBuilder()
                .setRevision(Revision.newBuilder().setToken("r"))
                .build()));
    server.on(
        MemoryServiceGrpc.getBatchRecallMethod(),
        ScriptedServer.messages(BatchRecallResponse.getDefaultInstance()));
    camillo.remember("tea");
    BatchRecallRequest two =
        BatchRecallRequest.newBuilder()
            .addRequests(RecallRequest.getDefaultInstance())
            .addRequests(RecallRequest.getDefaultInstance())
            .build();
    assertEquals(0, camillo.call(MemoryServiceGrpc.getBatchRecallMethod(), two).getResultsCount());
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, 4, 1L << 40})
  void anUploadDoesNotGoOnWhereThereIsNothing(long held) {
    server.uploads.breaks.add(0);
    server.on(
        ArtifactServiceGrpc.getGetUploadMethod(),
        ScriptedServer.messages(GetUploadResponse.newBuilder().setHeldBytes(held).build()));
    assertThrows(
        InternalError.class, () -> camillo.artifacts().put(ByteSource.of("tea"), fields -> {}));
  }

  @Test
  void anUploadThatEndsWithoutAnAnswerFailed() {
    ClientStream<PutArtifactRequest, PutArtifactResponse> call = new ClientStream<>();
    call.onCompleted();
    assertThrows(InternalError.class, call::finish);
  }

  @Test
  void whatIsNoChangeIsPassedOver() {
    Message newer = WatchMemoriesResponse.getDefaultInstance();
    server.on(
        MemoryServiceGrpc.getWatchMemoriesMethod(),
        ScriptedServer.broken(Refusals.UNAVAILABLE, change("t1"), newer),
        ScriptedServer.open(newer, change("t2")));
    try (Series<MemoryChange> changes = camillo.watch()) {
      assertEquals(
          List.of("t1", "t2"),
          changes.stream().limit(2).map(MemoryChange::getResumeToken).toList());
    }
    assertEquals("t1", server.of(WatchMemoriesRequest.class).get(1).getResumeToken());
  }

  private static WatchMemoriesResponse change(String token) {
    return WatchMemoriesResponse.newBuilder()
        .setChange(MemoryChange.newBuilder().setResumeToken(token))
        .build();
  }
}
