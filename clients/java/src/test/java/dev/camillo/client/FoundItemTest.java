package dev.camillo.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.protobuf.Timestamp;
import dev.camillo.v1.Chunk;
import dev.camillo.v1.Decision;
import dev.camillo.v1.DocumentCitation;
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
        found("tea", "m1", "m1", "preference"),
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
        found("ada: 茶?", "c1", "e1", "tool_result"),
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
        found("Order tea", "c2", "d1", "decision"),
        FoundItem.of(RecallHit.newBuilder().setChunk(recalled).build()));
    NewDecision.Builder stated = NewDecision.newBuilder().setDecision("Order tea").setDecidedAt(AT);
    Decision.Builder decision = Decision.newBuilder().setDecisionId("d1").setStated(stated);
    assertEquals(
        new FoundItem(
            "Order tea", "d1", "d1", "decision", Optional.of(NOON), "decision", Optional.empty()),
        FoundItem.of(FoundDecision.newBuilder().setDecision(decision).build()));
  }

  @Test
  void whatANewerServerFoundIsEmptyAndAKindOfItANumber() {
    assertEquals(
        new FoundItem("", "", "", "", Optional.empty(), "", Optional.empty()),
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

  @Test
  void aPassageOfADocumentTellsWhereItIs() {
    DocumentCitation citation =
        DocumentCitation.newBuilder().setDocumentId("d1").setHeading("茶 > 水").build();
    Chunk.Builder passage =
        Chunk.newBuilder()
            .setChunkId("c1")
            .setOriginId("d1")
            .setText("80 °C")
            .setSource(Source.SOURCE_DOCUMENT)
            .setCitation(citation);
    FoundItem item =
        FoundItem.of(
            RecallHit.newBuilder().setChunk(passage).setSource(Source.SOURCE_DOCUMENT).build());
    assertEquals("document", item.kind());
    assertEquals("document", item.source());
    assertEquals(Optional.of(citation), item.citation());
    assertEquals("77", FoundItem.of(RecallHit.newBuilder().setSourceValue(77).build()).source());
  }

  private static FoundItem found(String text, String id, String ref, String kind) {
    return new FoundItem(text, id, ref, kind, Optional.of(NOON), "", Optional.empty());
  }
}
