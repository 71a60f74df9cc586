package dev.camillo.client;

import com.google.protobuf.FieldMask;
import dev.camillo.v1.Memory;
import dev.camillo.v1.MemoryKind;
import dev.camillo.v1.Sensitivity;
import dev.camillo.v1.Vector;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The changes of an update: the fields that are named here, and no others. The limits are those of
 * {@code NewMemory}; a field that is named but empty, or null, gets its default.
 */
public final class MemoryChanges {
  private final Memory.Builder memory = Memory.newBuilder();
  private final Set<String> paths = new LinkedHashSet<>();

  /** No changes yet. */
  public MemoryChanges() {}

  /** The statement. */
  public MemoryChanges content(String content) {
    return set("content", content, memory::setContent);
  }

  /** Its subjects. */
  public MemoryChanges kind(MemoryKind kind) {
    return set("kind", kind, memory::setKind);
  }

  /** The conversation it comes from. */
  public MemoryChanges sessionId(String sessionId) {
    return set("session_id", sessionId, memory::setSessionId);
  }

  /** When that which it tells happened. */
  public MemoryChanges occurredAt(Instant moment) {
    return set("occurred_at", moment, given -> memory.setOccurredAt(Values.timestamp(given)));
  }

  /** Tags, in place of those that it has. */
  public MemoryChanges tags(List<String> tags) {
    return set("tags", tags, memory::addAllTags);
  }

  /** Who may be shown it. */
  public MemoryChanges sensitivity(Sensitivity sensitivity) {
    return set("sensitivity", sensitivity, memory::setSensitivity);
  }

  /** 0 to 1. */
  public MemoryChanges importance(Float importance) {
    return set("importance", importance, memory::setImportance);
  }

  /** Flat, in place of what it has. */
  public MemoryChanges metadata(Map<String, ?> metadata) {
    return set("metadata", metadata, given -> memory.setMetadata(Values.struct(given)));
  }

  /** Hidden from this moment on; null: by the lifetime of its kind. */
  public MemoryChanges expiresAt(Instant moment) {
    return set("expires_at", moment, given -> memory.setExpiresAt(Values.timestamp(given)));
  }

  /** From when on that which it tells is true; null: unknown. */
  public MemoryChanges validFrom(Instant moment) {
    return set("valid_from", moment, given -> memory.setValidFrom(Values.timestamp(given)));
  }

  /** From when on it is true no longer; null: it still is, as far as is known. */
  public MemoryChanges validUntil(Instant moment) {
    return set("valid_until", moment, given -> memory.setValidUntil(Values.timestamp(given)));
  }

  /** Always a candidate for a snapshot, exempt from clean-up. */
  public MemoryChanges pinned(boolean isPinned) {
    return set("pinned", isPinned, memory::setPinned);
  }

  /** Kept, but out of recall unless asked for. */
  public MemoryChanges archived(boolean isArchived) {
    return set("archived", isArchived, memory::setArchived);
  }

  /** Returns what it rests on, in place of what it named. */
  public MemoryChanges sourceRefs(List<String> ids) {
    return set("source_refs", ids, memory::addAllSourceRefs);
  }

  /** An embedding made by the client; null: the server makes one. */
  public MemoryChanges vector(Vector vector) {
    return set("vector", vector, memory::setVector);
  }

  Memory memory() {
    return memory.build();
  }

  FieldMask mask() {
    return FieldMask.newBuilder().addAllPaths(paths).build();
  }

  private <V> MemoryChanges set(String path, V value, Consumer<V> setter) {
    paths.add(path);
    // The last word counts, of lists too.
    memory.clearField(Memory.getDescriptor().findFieldByName(path));
    if (value != null) {
      setter.accept(value);
    }
    return this;
  }
}
