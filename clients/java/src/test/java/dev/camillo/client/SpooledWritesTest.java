package dev.camillo.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.camillo.v1.Durability;
import dev.camillo.v1.EventServiceGrpc;
import dev.camillo.v1.Memory;
import dev.camillo.v1.MemoryServiceGrpc;
import dev.camillo.v1.RecallHit;
import dev.camillo.v1.RecallRequest;
import dev.camillo.v1.RecallResponse;
import dev.camillo.v1.RecordEventResponse;
import dev.camillo.v1.RememberRequest;
import dev.camillo.v1.RememberResponse;
import dev.camillo.v1.Revision;
import dev.camillo.v1.SetMemoryResponse;
import dev.camillo.v1.SlotServiceGrpc;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Writes while Postgres is away: they say so, have no revision, and no read demands one. */
class SpooledWritesTest {
  private static final Memory TEA = Memory.newBuilder().setMemoryId("m1").setContent("ชา").build();
  private static final RememberResponse STORED =
      RememberResponse.newBuilder()
          .setMemory(TEA)
          .setDurability(Durability.DURABILITY_COMMITTED)
          .build();
  private static final RememberResponse SPOOLED =
      RememberResponse.newBuilder()
          .setMemory(TEA)
          .setDurability(Durability.DURABILITY_SPOOLED)
          .setSpoolId("s1")
          .build();

  private ScriptedServer server;
  private Camillo camillo;

  @BeforeEach
  void connect() throws IOException {
    server = new ScriptedServer();
    camillo = server.client(new ArrayList<>()).agentId("ada").connect();
    RecallHit hit = RecallHit.newBuilder().setIsSpooled(true).build();
    server.on(
        MemoryServiceGrpc.getRecallMethod(),
        ScriptedServer.messages(RecallResponse.newBuilder().addHits(hit).build()));
  }

  @AfterEach
  void close() {
    camillo.close();
    server.close();
  }

  @Test
  void aSpooledWriteTellsWhereItIsAndIsDemandedOfNoRead() {
    everyWriteIs(Durability.DURABILITY_SPOOLED, "s1");
    for (Written<?> written : everyWrite()) {
      assertEquals(Durability.DURABILITY_SPOOLED, written.durability());
      assertEquals(Optional.of("s1"), written.spoolId());
    }
    RememberRequest own = RememberRequest.newBuilder().setRequestId("mine").build();
    camillo.call(MemoryServiceGrpc.getRememberMethod(), own);
    assertTrue(camillo.recall("茶").getHits(0).getIsSpooled());
    assertFalse(server.of(RecallRequest.class).get(0).hasFreshness());
  }

  @Test
  void whatWasStoredBeforeAndAfterItIsDemanded() {
    server.on(
        MemoryServiceGrpc.getRememberMethod(),
        ScriptedServer.messages(STORED.toBuilder().setRevision(revision("r1")).build()),
        ScriptedServer.messages(SPOOLED),
        ScriptedServer.messages(STORED.toBuilder().setRevision(revision("r2")).build()));
    assertEquals(
        new Written<>(TEA, Durability.DURABILITY_COMMITTED, Optional.empty()),
        camillo.remember("ชา"));
    for (int write = 0; write < 2; write++) {
      camillo.remember("ชา");
      camillo.recall("ชา");
    }
    List<Revision> demanded =
        server.of(RecallRequest.class).stream()
            .map(request -> request.getFreshness().getAtLeastAsFresh())
            .toList();
    assertEquals(List.of(revision("r1"), revision("r2")), demanded);
  }

  @Test
  void aDroppedWriteHasNothingButThat() {
    everyWriteIs(Durability.DURABILITY_DROPPED, "");
    for (Written<?> written : everyWrite()) {
      assertEquals(Durability.DURABILITY_DROPPED, written.durability());
      assertEquals(Optional.empty(), written.spoolId());
    }
    assertEquals(Memory.getDefaultInstance(), camillo.remember("tea").value());
  }

  private List<Written<?>> everyWrite() {
    return List.of(
        camillo.remember("茶 before dinner"),
        camillo.events().record("есть чай?", "s1", Actors.human("ada")),
        camillo.workflows().record("backup", "copy", step -> step.setOutput("done")),
        camillo.slots().setMemory("/茶", "1", "chat"));
  }

  private void everyWriteIs(Durability durability, String spoolId) {
    server.on(
        MemoryServiceGrpc.getRememberMethod(),
        ScriptedServer.messages(
            RememberResponse.newBuilder().setDurability(durability).setSpoolId(spoolId).build()));
    server.on(
        EventServiceGrpc.getRecordEventMethod(),
        ScriptedServer.messages(
            RecordEventResponse.newBuilder()
                .setDurability(durability)
                .setSpoolId(spoolId)
                .build()));
    server.on(
        SlotServiceGrpc.getSetMemoryMethod(),
        ScriptedServer.messages(
            SetMemoryResponse.newBuilder().setDurability(durability).setSpoolId(spoolId).build()));
  }

  private static Revision revision(String token) {
    return Revision.newBuilder().setToken(token).build();
  }
}
