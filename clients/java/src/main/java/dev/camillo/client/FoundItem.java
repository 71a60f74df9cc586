package dev.camillo.client;

import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Timestamp;
import dev.camillo.v1.Chunk;
import dev.camillo.v1.DocumentCitation;
import dev.camillo.v1.EventKind;
import dev.camillo.v1.FoundDecision;
import dev.camillo.v1.Memory;
import dev.camillo.v1.MemoryKind;
import dev.camillo.v1.NewDecision;
import dev.camillo.v1.RecallHit;
import dev.camillo.v1.Source;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/**
 * Holds what was found, whether it is a memory, a passage of an event or a document, or a decision.
 *
 * @param text a memory's content, a passage, or what was decided
 * @param id its own id, which no other hit of an answer has
 * @param ref the id of the whole memory, event, document or decision, which {@code refs} cites;
 *     passages of one event have the same
 * @param kind the kind of the memory ({@code preference}) or of the event ({@code message}), or
 *     {@code decision}
 * @param occurredAt when it happened; empty where the server did not say
 * @param source where it was found: {@code memory}, {@code event}, {@code document} and so on
 * @param citation where in its document a passage is; empty for what is of no document
 */
public record FoundItem(
    String text,
    String id,
    String ref,
    String kind,
    Optional<Instant> occurredAt,
    String source,
    Optional<DocumentCitation> citation) {

  /**
   * Makes it of a hit; its texts are empty where a newer server found what this client does not
   * know.
   */
  public static FoundItem of(RecallHit hit) {
    return switch (hit.getItemCase()) {
      case MEMORY -> of(hit.getMemory(), source(hit));
      case CHUNK -> of(hit.getChunk(), source(hit));
      case ITEM_NOT_SET ->
          new FoundItem("", "", "", "", Optional.empty(), source(hit), Optional.empty());
    };
  }

  /** Makes it of a decision that a query found. */
  public static FoundItem of(FoundDecision found) {
    NewDecision stated = found.getDecision().getStated();
    String id = found.getDecision().getDecisionId();
    Optional<Instant> decidedAt = moment(stated.hasDecidedAt(), stated.getDecidedAt());
    return new FoundItem(
        stated.getDecision(), id, id, "decision", decidedAt, "decision", Optional.empty());
  }

  private static String source(RecallHit hit) {
    int number = hit.getSourceValue();
    return number == 0 ? "" : name(Source.getDescriptor(), number);
  }

  private static FoundItem of(Memory memory, String source) {
    String id = memory.getMemoryId();
    String kind = name(MemoryKind.getDescriptor(), memory.getKindValue());
    Optional<Instant> occurredAt = moment(memory.hasOccurredAt(), memory.getOccurredAt());
    return new FoundItem(memory.getContent(), id, id, kind, occurredAt, source, Optional.empty());
  }

  private static FoundItem of(Chunk chunk, String source) {
    String kind =
        chunk.getEventKindValue() == 0
            ? name(Source.getDescriptor(), chunk.getSourceValue())
            : name(EventKind.getDescriptor(), chunk.getEventKindValue());
    Optional<Instant> occurredAt = moment(chunk.hasOccurredAt(), chunk.getOccurredAt());
    Optional<DocumentCitation> citation =
        chunk.hasCitation() ? Optional.of(chunk.getCitation()) : Optional.empty();
    return new FoundItem(
        chunk.getText(),
        chunk.getChunkId(),
        chunk.getOriginId(),
        kind,
        occurredAt,
        source,
        citation);
  }

  private static Optional<Instant> moment(boolean isSet, Timestamp timestamp) {
    return isSet ? Optional.of(Values.instant(timestamp)) : Optional.empty();
  }

  /** In lower case, without the prefix; the number where this client does not know the value. */
  private static String name(EnumDescriptor type, int number) {
    EnumValueDescriptor value = type.findValueByNumber(number);
    if (value == null) {
      return String.valueOf(number);
    }
    // Every enum of the contract names its zero <PREFIX>UNSPECIFIED.
    int prefix = type.findValueByNumber(0).getName().length() - "UNSPECIFIED".length();
    return value.getName().substring(prefix).toLowerCase(Locale.ROOT);
  }
}
