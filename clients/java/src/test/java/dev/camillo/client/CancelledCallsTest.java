package dev.camillo.client;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.camillo.client.errors.CamilloError;
import dev.camillo.client.errors.Failures;
import dev.camillo.client.errors.Unavailable;
import dev.camillo.v1.ArtifactServiceGrpc;
import dev.camillo.v1.ExportMemoriesRequest;
import dev.camillo.v1.GetMemoryRequest;
import dev.camillo.v1.MemoryChange;
import dev.camillo.v1.MemoryServiceGrpc;
import dev.camillo.v1.RememberResponse;
import dev.camillo.v1.WatchMemoriesResponse;
import io.grpc.ClientCall;
import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * CANCELLED that the server says is a server that went away; what the caller cancels is not asked
 * for again.
 */
class CancelledCallsTest {
  private static final StatusRuntimeException CANCELLED = Status.CANCELLED.asRuntimeException();
  private static final ScriptedServer.Reply DROPPED = ScriptedServer.broken(CANCELLED);

  private final List<Duration> pauses = new CopyOnWriteArrayList<>();
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
  void aCallThatTheServerDroppedIsRepeated() {
    server.on(
        MemoryServiceGrpc.getRememberMethod(),
        DROPPED,
        DROPPED,
        ScriptedServer.messages(RememberResponse.getDefaultInstance()));
    camillo.remember("tea");
    assertEquals(3, server.requests.size());
    assertEquals(1, server.requests.stream().distinct().count());
  }

  @Test
  void aServerThatDropsEveryCallIsUnavailable() {
    server.on(MemoryServiceGrpc.getRememberMethod(), DROPPED);
    Unavailable error = assertThrows(Unavailable.class, () -> camillo.remember("tea"));
    assertEquals(Status.Code.UNAVAILABLE, error.code());
    assertEquals(4, server.requests.size());
    assertTrue(pauses.isEmpty(), "gRPC has repeated it already");
  }

  @Test
  void aStreamThatIsNotBegunAnewIsUnavailable() {
    server.on(MemoryServiceGrpc.getExportMemoriesMethod(), DROPPED);
    var messages =
        camillo.stream(
                MemoryServiceGrpc.getExportMemoriesMethod(),
                ExportMemoriesRequest.getDefaultInstance())
            .iterator();
    assertThrows(Unavailable.class, messages::hasNext);
  }

  @Test
  void aWatchGoesOn() {
    server.on(
        MemoryServiceGrpc.getWatchMemoriesMethod(),
        ScriptedServer.broken(CANCELLED, change("t1")),
        ScriptedServer.open(change("t2")));
    try (Series<MemoryChange> changes = camillo.watch()) {
      assertEquals(2, changes.stream().limit(2).count());
    }
  }

  @Test
  void anUploadGoesOn() {
    server.on(ArtifactServiceGrpc.getGetUploadMethod(), server.uploads.found());
    server.uploads.breaks.add(0);
    server.uploads.breaking = Status.CANCELLED;
    camillo.artifacts().put(ByteSource.of("tea"), fields -> {});
    assertArrayEquals(new byte[] {'t', 'e', 'a'}, server.uploads.held());
  }

  @Test
  void aCallThatIsInterruptedIsNot() throws Exception {
    CountDownLatch ended = new CountDownLatch(1);
    server.on(MemoryServiceGrpc.getGetMemoryMethod(), ScriptedServer.open(ended));
    Thread caller = Thread.currentThread();
    CompletableFuture.runAsync(() -> whenAsked(caller::interrupt));
    cancelled(() -> camillo.get("m-1"));
    assertTrue(Thread.interrupted(), "whoever interrupted wants to see it");
    assertTrue(ended.await(10, TimeUnit.SECONDS));
    assertEquals(1, server.requests.size());
  }

  @Test
  void aWatchThatIsInterruptedIsNot() {
    server.on(MemoryServiceGrpc.getWatchMemoriesMethod(), ScriptedServer.open());
    Thread caller = Thread.currentThread();
    CompletableFuture.runAsync(() -> whenAsked(caller::interrupt));
    try (Series<MemoryChange> changes = camillo.watch()) {
      cancelled(() -> changes.iterator().hasNext());
    }
    assertTrue(Thread.interrupted());
    assertEquals(1, server.requests.size());
    assertTrue(pauses.isEmpty());
  }

  @Test
  void aCallOfAContextThatIsCancelledIsNot() {
    server.on(MemoryServiceGrpc.getGetMemoryMethod(), ScriptedServer.open());
    Context.CancellableContext context = Context.current().withCancellation();
    CompletableFuture.runAsync(() -> whenAsked(() -> context.cancel(null)));
    context.run(() -> cancelled(() -> camillo.get("m-1")));
    assertEquals(1, server.requests.size());
  }

  @Test
  void aWatchOfAContextThatIsCancelledIsNot() {
    server.on(MemoryServiceGrpc.getWatchMemoriesMethod(), ScriptedServer.open());
    Context.CancellableContext context = Context.current().withCancellation();
    CompletableFuture.runAsync(() -> whenAsked(() -> context.cancel(null)));
    context.run(() -> cancelled(() -> camillo.watch().iterator().hasNext()));
    assertEquals(1, server.requests.size());
    assertTrue(pauses.isEmpty());
  }

  @Test
  void aCallOfABareStubThatIsCancelledIsNot() {
    CompletableFuture<Status> told = new CompletableFuture<>();
    var method = MemoryServiceGrpc.getGetMemoryMethod();
    var call = camillo.channel().newCall(method, io.grpc.CallOptions.DEFAULT);
    call.start(
        new ClientCall.Listener<>() {
          @Override
          public void onClose(Status status, Metadata trailers) {
            told.complete(status);
          }
        },
        new Metadata());
    call.sendMessage(GetMemoryRequest.getDefaultInstance());
    call.cancel("no longer wanted", null);
    assertEquals(Status.Code.CANCELLED, Failures.of(told.join().asException()).code());
  }

  /** Does it when the call has reached the server. */
  private void whenAsked(Runnable action) {
    while (server.requests.isEmpty()) {
      Thread.onSpinWait();
    }
    action.run();
  }

  private static void cancelled(Runnable call) {
    CamilloError error = assertThrows(CamilloError.class, call::run);
    assertEquals(Status.Code.CANCELLED, error.code());
    assertFalse(error instanceof Unavailable);
    assertNotEquals("", error.message());
  }

  private static WatchMemoriesResponse change(String token) {
    return WatchMemoriesResponse.newBuilder()
        .setChange(MemoryChange.newBuilder().setResumeToken(token))
        .build();
  }
}
