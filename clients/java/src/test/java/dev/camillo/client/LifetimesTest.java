package dev.camillo.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import com.google.protobuf.util.Durations;
import com.google.rpc.RetryInfo;
import dev.camillo.client.errors.BytesDamaged;
import dev.camillo.client.errors.CamilloError;
import dev.camillo.client.errors.Unavailable;
import dev.camillo.v1.ArtifactServiceGrpc;
import dev.camillo.v1.ExportMemoriesRequest;
import dev.camillo.v1.ExportMemoriesResponse;
import dev.camillo.v1.MemoryChange;
import dev.camillo.v1.MemoryServiceGrpc;
import dev.camillo.v1.ReadArtifactResponse;
import dev.camillo.v1.WatchMemoriesResponse;
import io.grpc.Context;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Streams that are left, fail or are closed hold on to nothing. */
class LifetimesTest {
  private static final WatchMemoriesResponse CHANGE =
      WatchMemoriesResponse.newBuilder()
          .setChange(MemoryChange.newBuilder().setResumeToken("t1"))
          .build();

  private final List<Duration> pauses = new CopyOnWriteArrayList<>();
  private final CountDownLatch ended = new CountDownLatch(1);
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

  @Test
  void aSeriesThatIsClosedEarlyEndsItsCall() throws InterruptedException {
    server.on(MemoryServiceGrpc.getWatchMemoriesMethod(), ScriptedServer.open(ended, CHANGE));
    try (Series<MemoryChange> changes = camillo.watch()) {
      changes.iterator().next();
    }
    assertTrue(ended.await(10, TimeUnit.SECONDS));
  }

  @Test
  void aReadOfDamagedBytesEndsItsCall() throws InterruptedException {
    ReadArtifactResponse damaged =
        ReadArtifactResponse.newBuilder()
            .setData(ByteString.copyFromUtf8("tea"))
            .setCrc32C(7)
            .build();
    server.on(ArtifactServiceGrpc.getReadArtifactMethod(), ScriptedServer.open(ended, damaged));
    Iterator<ReadArtifactResponse> messages =
        camillo.artifacts().stream("tea_1", Ranges.all()).iterator();
    assertThrows(BytesDamaged.class, messages::next);
    assertTrue(ended.await(10, TimeUnit.SECONDS));
  }

  @Test
  void aListThatCannotBeMadeEndsItsCall() throws InterruptedException {
    server.on(
        MemoryServiceGrpc.getExportMemoriesMethod(),
        ScriptedServer.open(ended, ExportMemoriesResponse.getDefaultInstance()));
    Series<ExportMemoriesResponse> messages =
        camillo.stream(
            MemoryServiceGrpc.getExportMemoriesMethod(),
            ExportMemoriesRequest.getDefaultInstance());
    Series<String> refused =
        messages.map(
            message -> {
              throw new IllegalStateException("no");
            });
    assertThrows(IllegalStateException.class, refused::toList);
    assertTrue(ended.await(10, TimeUnit.SECONDS));
  }

  @Test
  void aStreamThatIsOverHasLeftTheContextOfItsCaller() {
    server.on(
        MemoryServiceGrpc.getExportMemoriesMethod(),
        ScriptedServer.messages(ExportMemoriesResponse.getDefaultInstance()));
    Context.CancellableContext caller = Context.current().withCancellation();
    assertTrue(streamOver(caller).isReleased());
    caller.cancel(null);
  }

  private ServerStream<ExportMemoriesResponse> streamOver(Context caller) {
    Context before = caller.attach();
    try {
      ServerStream<ExportMemoriesResponse> stream =
          ServerStream.begin(
              camillo.channel(),
              MemoryServiceGrpc.getExportMemoriesMethod(),
              io.grpc.CallOptions.DEFAULT,
              ExportMemoriesRequest.getDefaultInstance());
      stream.forEachRemaining(message -> {});
      return stream;
    } finally {
      caller.detach(before);
    }
  }

  @Test
  void whoWaitsToAskAgainIsWokenWhenTheClientIsClosed() throws Exception {
    server.on(MemoryServiceGrpc.getRememberMethod(), ScriptedServer.broken(inAMinute()));
    Camillo patient = server.client(pauses).pause(null).timeout(Duration.ofDays(1)).connect();
    var stored = CompletableFuture.runAsync(() -> patient.remember("tea"));
    while (server.requests.isEmpty()) {
      Thread.onSpinWait();
    }
    patient.close();
    assertThrows(ExecutionException.class, () -> stored.get(30, TimeUnit.SECONDS));
  }

  @Test
  void whoIsInterruptedWhileItWaitsIsToldSo() {
    server.on(MemoryServiceGrpc.getRememberMethod(), ScriptedServer.broken(inAMinute()));
    Duration day = Duration.ofDays(1);
    try (Camillo patient = server.client(pauses).pause(null).timeout(day).connect()) {
      Thread caller = Thread.currentThread();
      CompletableFuture.runAsync(
          () -> {
            while (caller.getState() != Thread.State.TIMED_WAITING || server.requests.isEmpty()) {
              Thread.onSpinWait();
            }
            caller.interrupt();
          });
      CamilloError error = assertThrows(CamilloError.class, () -> patient.remember("tea"));
      assertEquals(Status.Code.CANCELLED, error.code());
      assertTrue(Thread.interrupted());
    }
  }

  private static StatusRuntimeException inAMinute() {
    return Refusals.with(
        Status.Code.RESOURCE_EXHAUSTED,
        Refusals.info("OVERLOADED", Map.of()),
        RetryInfo.newBuilder().setRetryDelay(Durations.fromMinutes(1)).build());
  }

  @Test
  void aWatchEndsWithItsClient() throws InterruptedException {
    server.on(MemoryServiceGrpc.getWatchMemoriesMethod(), ScriptedServer.open(CHANGE));
    Iterator<MemoryChange> changes = camillo.watch().iterator();
    changes.next();
    var next = CompletableFuture.supplyAsync(changes::hasNext);
    camillo.close();
    ExecutionException told = assertThrows(ExecutionException.class, next::get);
    assertInstanceOf(Unavailable.class, told.getCause());
    assertEquals(List.of(), pauses);
  }
}
