package dev.camillo.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.protobuf.Timestamp;
import dev.camillo.v1.Chunk;
import dev.camillo.v1.Decision;
import dev.camillo.v1.EventKind;
import dev.camillo.v1.FoundDecision;
import dev.camillo.v1.Memory;
import dev.camillo.v1.MemoryKind;
import dev.camillo.v1.NewDecision;
import dev.camillo.v1.RecallHit;
import dev.camillo.v1.Source;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Whatever was found is read the same way. */
class FoundItemTest {
  private static final Instant NOON = Instant.parse("2026-05-01T12:00:00Z");
  private static final Timestamp AT = Values.timestamp(NOON);

  @Test
  void aMemoryIsItsContent() {
    Memory memory =
        Memory.newBuilder()
            .setMemoryId("m1")
            .setContent("tea")
            .setKind(MemoryKind.MEMORY_KIND_PREFERENCE)
            .setOccurredAt(AT)
            .build();
    assertEquals(
        new FoundItem("tea", "m1", "m1", "preference", Optional.of(NOON)),
        FoundItem.of(RecallHit.newBuilder().setMemory(memory).build()));
  }

  @Test
  void aPassageOfAnEventRefersToTheEvent() {
    Chunk.Builder said =
        Chunk.newBuilder()
            .setChunkId("c1")
            .setOriginId("e1")
            .setText("ada: 茶?")
            .setEventKind(EventKind.EVENT_KIND_TOOL_RESULT)
            .setOccurredAt(AT);
    assertEquals(
        new FoundItem("ada: 茶?", "c1", "e1", "tool_result", Optional.of(NOON)),
        FoundItem.of(RecallHit.newBuilder().setChunk(said).build()));
  }

  @Test
  void aDecisionIsTheSameFromARecallAndFromAQuery() {
    Chunk.Builder recalled =
        Chunk.newBuilder()
            .setChunkId("c2")
            .setOriginId("d1")
            .setText("Order tea")
            .setSource(Source.SOURCE_DECISION)
            .setOccurredAt(AT);
    assertEquals(
        new FoundItem("Order tea", "c2", "d1", "decision", Optional.of(NOON)),
        FoundItem.of(RecallHit.newBuilder().setChunk(recalled).build()));
    NewDecision.Builder stated = NewDecision.newBuilder().setDecision("Order tea").setDecidedAt(AT);
    Decision.Builder decision = Decision.newBuilder().setDecisionId("d1").setStated(stated);
    assertEquals(
        new FoundItem("Order tea", "d1", "d1", "decision", Optional.of(NOON)),
        FoundItem.of(FoundDecision.newBuilder().setDecision(decision).build()));
  }

  @Test
  void whatANewerServerFoundIsEmptyAndAKindOfItANumber() {
    assertEquals(
        new FoundItem("", "", "", "", Optional.empty()),
        FoundItem.of(RecallHit.getDefaultInstance()));
    Memory.Builder newer = Memory.newBuilder().setKindValue(77);
    assertEquals("77", FoundItem.of(RecallHit.newBuilder().setMemory(newer).build()).kind());
  }

  @Test
  void whatHasNoTimeIsNotOfTheEpoch() {
    RecallHit.Builder hit = RecallHit.newBuilder();
    assertEquals(
        Optional.empty(), FoundItem.of(hit.setMemory(Memory.newBuilder()).build()).occurredAt());
    assertEquals(
        Optional.empty(), FoundItem.of(hit.setChunk(Chunk.newBuilder()).build()).occurredAt());
    assertEquals(Optional.empty(), FoundItem.of(FoundDecision.getDefaultInstance()).occurredAt());
  }
}
