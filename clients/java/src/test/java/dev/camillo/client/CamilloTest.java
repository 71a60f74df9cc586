package dev.camillo.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.camillo.client.errors.CamilloError;
import dev.camillo.client.errors.EventTooLarge;
import dev.camillo.client.errors.InvalidArgument;
import dev.camillo.client.errors.Unavailable;
import dev.camillo.v1.BatchRememberRequest;
import dev.camillo.v1.BatchRememberResponse;
import dev.camillo.v1.BatchRememberResult;
import dev.camillo.v1.EventServiceGrpc;
import dev.camillo.v1.Memory;
import dev.camillo.v1.MemoryKind;
import dev.camillo.v1.MemoryServiceGrpc;
import dev.camillo.v1.NewMemory;
import dev.camillo.v1.RecordEventRequest;
import dev.camillo.v1.RecordEventResponse;
import dev.camillo.v1.RememberRequest;
import dev.camillo.v1.RememberResponse;
import dev.camillo.v1.UpdateMemoryRequest;
import dev.camillo.v1.UpdateMemoryResponse;
import io.grpc.Status.Code;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The facade says what its caller means. */
class CamilloTest {
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

  @Test
  void theEnvironmentNamesServerAndKey() {
    Map<String, String> told = Map.of("CAMILLO_ADDRESS", "there:1", "CAMILLO_KEY", "k-2\n");
    assertEquals("there:1", new CamilloBuilder(told).resolvedAddress());
    assertEquals("k-2", new CamilloBuilder(told).resolvedKey());
    assertEquals("here:2", new CamilloBuilder(told).address("here:2").resolvedAddress());
    assertEquals("localhost:7070", new CamilloBuilder(Map.of()).resolvedAddress());
    assertEquals("", new CamilloBuilder(told).key("").resolvedKey());
  }

  @Test
  void theVersionThatServersAreToldIsThatOfThePackage() throws IOException {
    String pom = Files.readString(Path.of("pom.xml"));
    assertTrue(pom.contains("<version>" + Channels.VERSION + "</version>"));
    assertTrue(
        Files.readString(Path.of("README.md"))
            .contains("<version>" + Channels.VERSION + "</version>"));
  }

  @Test
  void aKeyThatNoHeaderHoldsIsRefusedAndNotTold() {
    for (String key : List.of("k-1\nx: y", "k 1", "k\u00e9y")) {
      var error =
          assertThrows(
              IllegalArgumentException.class, () -> server.client(pauses).key(key).connect());
      assertFalse(error.getMessage().contains(key));
    }
  }

  @Test
  void whatIsMissingIsRefusedWhereItIsGiven() {
    CamilloBuilder builder = server.client(pauses);
    assertThrows(NullPointerException.class, () -> builder.agentId(null));
    assertThrows(NullPointerException.class, () -> builder.timeout(null));
    assertThrows(NullPointerException.class, () -> camillo.forAgent(null));
    assertThrows(NullPointerException.class, () -> camillo.withTimeout(null));
  }

  @Test
  void aTimeoutMayBeForever() {
    server.on(
        MemoryServiceGrpc.getRememberMethod(),
        ScriptedServer.messages(RememberResponse.getDefaultInstance()));
    Duration forever = ChronoUnit.FOREVER.getDuration();
    try (Camillo patient = server.client(pauses).timeout(forever).keepalive(forever).connect()) {
      patient.withStreamTimeout(forever).remember("tea");
    }
  }

  @Test
  void namesInMetadataAreText() {
    assertThrows(
        IllegalArgumentException.class, () -> Values.struct(Map.of("drinks", Map.of(1, "tea"))));
  }

  @Test
  void whatIsStatedOfAMemoryArrives() {
    server.on(
        MemoryServiceGrpc.getRememberMethod(),
        ScriptedServer.messages(RememberResponse.getDefaultInstance()));
    Instant moment = Instant.parse("2026-01-02T03:04:05.006Z");
    camillo.remember(
        "Ada prefers tea",
        memory ->
            memory
                .setKind(MemoryKind.MEMORY_KIND_PREFERENCE)
                .addTags("drinks")
                .setOccurredAt(Values.timestamp(moment))
                .setMetadata(Values.struct(Map.of("cups", 2))));
    NewMemory stated = server.of(RememberRequest.class).get(0).getMemory();
    assertEquals(MemoryKind.MEMORY_KIND_PREFERENCE, stated.getKind());
    assertEquals(moment, Values.instant(stated.getOccurredAt()));
    assertEquals(Map.of("cups", 2.0), Values.map(stated.getMetadata()));
  }

  @Test
  void anUpdateNamesTheFieldsThatItChanges() {
    server.on(
        MemoryServiceGrpc.getUpdateMemoryMethod(),
        ScriptedServer.messages(UpdateMemoryResponse.getDefaultInstance()));
    camillo.update("m-1", 3, new MemoryChanges().importance(0.9f).tags(List.of()).expiresAt(null));
    UpdateMemoryRequest request = server.of(UpdateMemoryRequest.class).get(0);
    assertEquals(
        List.of("importance", "tags", "expires_at"), request.getUpdateMask().getPathsList());
    assertEquals(3, request.getExpectedVersion());
    assertEquals(0.9f, request.getMemory().getImportance());
  }

  @Test
  void ofWhatIsSaidTwiceTheLastCounts() {
    MemoryChanges changes =
        new MemoryChanges().tags(List.of("a")).tags(List.of("b")).content("tea").content(null);
    assertEquals(List.of("b"), changes.memory().getTagsList());
    assertEquals("", changes.memory().getContent());
    assertEquals(List.of("tags", "content"), changes.mask().getPathsList());
  }

  @Test
  void manyMemoriesAreSentInBatchesUnderOneRequestId() {
    server.on(MemoryServiceGrpc.getBatchRememberMethod(), ScriptedServer.answer(CamilloTest::kept));
    List<NewMemory> memories =
        IntStream.range(0, 1500)
            .mapToObj(number -> NewMemory.newBuilder().setContent("m" + number).build())
            .toList();
    List<Outcome<Memory>> outcomes = camillo.rememberMany(memories);
    assertEquals("m1499", outcomes.get(1499).get().getContent());
    assertThrows(InvalidArgument.class, () -> outcomes.get(7).get());
    assertInstanceOf(CamilloError.class, outcomes.get(7).error().orElseThrow());
    List<BatchRememberRequest> requests = server.of(BatchRememberRequest.class);
    assertEquals(1000, requests.get(0).getMemoriesCount());
    assertEquals(requests.get(0).getRequestId() + ".1", requests.get(1).getRequestId());
  }

  private static BatchRememberResponse kept(BatchRememberRequest request) {
    BatchRememberResponse.Builder answer = BatchRememberResponse.newBuilder();
    for (NewMemory memory : request.getMemoriesList()) {
      BatchRememberResult.Builder result = BatchRememberResult.newBuilder();
      if (memory.getContent().equals("m7")) {
        result.setError(Refusals.status(Code.INVALID_ARGUMENT));
      } else {
        result.setMemory(Memory.newBuilder().setContent(memory.getContent()));
      }
      answer.addResults(result);
    }
    return answer.build();
  }

  @Test
  void theErrorOfABatchHasTheIdThatRepeatsAllOfThem() {
    server.on(
        MemoryServiceGrpc.getBatchRememberMethod(), ScriptedServer.broken(Refusals.UNAVAILABLE));
    NewMemory memory = NewMemory.newBuilder().setContent("tea").build();
    Unavailable error =
        assertThrows(Unavailable.class, () -> camillo.rememberMany(List.of(memory)));
    assertEquals(server.of(BatchRememberRequest.class).get(0).getRequestId(), error.requestId());
  }

  @Test
  void eventsAreRecorded() {
    server.on(
        EventServiceGrpc.getRecordEventMethod(),
        ScriptedServer.messages(RecordEventResponse.getDefaultInstance()));
    camillo.events().record("Is there tea?", "s1", Actors.human("ada"));
    assertEquals("ada", server.of(RecordEventRequest.class).get(0).getEvent().getActor().getId());
  }

  @Test
  void anEventThatIsTooLargeIsNotSent() {
    EventTooLarge error =
        assertThrows(
            EventTooLarge.class,
            () -> camillo.events().record("x".repeat(1024 * 1024 + 1), "s1", Actors.human("ada")));
    assertEquals("content.text", error.fieldViolations().get(0).field());
    assertTrue(server.requests.isEmpty());
  }

  @Test
  void bareStubsCarryTheCredential() {
    server.on(
        MemoryServiceGrpc.getRememberMethod(),
        ScriptedServer.messages(RememberResponse.getDefaultInstance()));
    MemoryServiceGrpc.newBlockingStub(camillo.channel())
        .remember(RememberRequest.getDefaultInstance());
    assertEquals("Bearer k-1", server.header("authorization"));
  }
}
