package dev.camillo.client;

import dev.camillo.client.errors.CamilloError;
import dev.camillo.v1.GetSlotRequest;
import dev.camillo.v1.ListSlotHistoryRequest;
import dev.camillo.v1.ListSlotHistoryResponse;
import dev.camillo.v1.ListSlotsRequest;
import dev.camillo.v1.ListSlotsResponse;
import dev.camillo.v1.RestoreSlotRequest;
import dev.camillo.v1.SetMemoryRequest;
import dev.camillo.v1.SetMemoryResponse;
import dev.camillo.v1.Slot;
import dev.camillo.v1.SlotChange;
import dev.camillo.v1.SlotEntry;
import dev.camillo.v1.SlotProvenance;
import dev.camillo.v1.SlotServiceGrpc;
import dev.camillo.v1.SlotSource;
import dev.camillo.v1.WatchSlotsRequest;
import java.util.List;
import java.util.function.Consumer;

/**
 * Slots: JSON under keys, of which the last write is in force. Failures are {@link CamilloError}.
 * Secrets are never stored: of each one taken out, the logger {@code dev.camillo.client} warns.
 */
public final class Slots {
  private final Calls calls;
  private final UnaryCalls unary;

  Slots(Calls calls, UnaryCalls unary) {
    this.calls = calls;
    this.unary = unary;
  }

  /**
   * Writes JSON text under a key, kept byte for byte; {@code null} as a text is a tombstone. The
   * source is told in words. The version is 0 while the write is spooled.
   */
  public Written<Slot> setMemory(String key, String json, String source) {
    return setMemory(key, json, source, options -> {});
  }

  /** As the other, with the version that is demanded, the sensitivity and so on. */
  public Written<Slot> setMemory(
      String key, String json, String source, Consumer<SetMemoryRequest.Builder> options) {
    return setMemory(key, json, SlotSource.newBuilder().setText(source).build(), options);
  }

  /**
   * As the other, with a source that can be found again. Content from outside needs all of it, else
   * ProvenanceRequired.
   */
  public Written<Slot> setMemory(String key, String json, SlotProvenance source) {
    return setMemory(key, json, source, options -> {});
  }

  /**
   * As the others; VersionConflict where the slot does not have the version that is demanded, which
   * is 0 for one that is not there.
   */
  public Written<Slot> setMemory(
      String key, String json, SlotProvenance source, Consumer<SetMemoryRequest.Builder> options) {
    return setMemory(key, json, SlotSource.newBuilder().setProvenance(source).build(), options);
  }

  /** The newest version of a slot; SlotNotFound if it has no content. */
  public Slot get(String key) {
    return get(key, options -> {});
  }

  /** As the other, for a channel or in the shared scope. */
  public Slot get(String key, Consumer<GetSlotRequest.Builder> options) {
    GetSlotRequest.Builder request = GetSlotRequest.newBuilder().setKey(key);
    options.accept(request);
    return unary.call(SlotServiceGrpc.getGetSlotMethod(), request.build()).getSlot();
  }

  /** The slots below a prefix, in the order of keys; below the empty one: all. */
  public Series<SlotEntry> list(String prefix) {
    return list(prefix, conditions -> {});
  }

  /** As the other, of what passes all conditions. */
  public Series<SlotEntry> list(String prefix, Consumer<ListSlotsRequest.Builder> conditions) {
    ListSlotsRequest.Builder request = ListSlotsRequest.newBuilder().setPrefix(prefix);
    conditions.accept(request);
    return new Series<>(
            new Pages<>(unary, SlotServiceGrpc.getListSlotsMethod(), request.build()), () -> {})
        .parts(ListSlotsResponse::getEntriesList);
  }

  /** Every version of a slot, the newest first, tombstones among them. */
  public Series<Slot> history(String key) {
    return history(key, options -> {});
  }

  /** As the other, for a channel or in the shared scope. */
  public Series<Slot> history(String key, Consumer<ListSlotHistoryRequest.Builder> options) {
    ListSlotHistoryRequest.Builder request = ListSlotHistoryRequest.newBuilder().setKey(key);
    options.accept(request);
    return new Series<>(
            new Pages<>(unary, SlotServiceGrpc.getListSlotHistoryMethod(), request.build()),
            () -> {})
        .parts(ListSlotHistoryResponse::getVersionsList);
  }

  /** Writes the content of an earlier version again, as the newest one. */
  public Slot restore(String key, long version) {
    return restore(key, version, options -> {});
  }

  /** As the other, with the version that is demanded and so on. */
  public Slot restore(String key, long version, Consumer<RestoreSlotRequest.Builder> options) {
    RestoreSlotRequest.Builder request =
        RestoreSlotRequest.newBuilder().setKey(key).setVersion(version);
    options.accept(request);
    return unary.call(SlotServiceGrpc.getRestoreSlotMethod(), request.build()).getSlot();
  }

  /** The versions of all slots from now on, checkpoints among them, without end; see the other. */
  public Series<SlotChange> watch() {
    return watch(WatchSlotsRequest.getDefaultInstance(), Watches.MAX_RECONNECTS);
  }

  /**
   * Every version of slots as it is written, and which slots were forgotten, checkpoints among
   * them, without end. When the server goes away, the watch resumes after the last change handed
   * out; it gives up after so many attempts in a row that brought nothing.
   */
  public Series<SlotChange> watch(WatchSlotsRequest request, int maxReconnects) {
    var method = SlotServiceGrpc.getWatchSlotsMethod();
    return new Watches<>(calls, method, unary.forAgent(method, request))
        .messages(maxReconnects)
        .parts(answer -> answer.hasChange() ? List.of(answer.getChange()) : List.of());
  }

  private Written<Slot> setMemory(
      String key, String json, SlotSource source, Consumer<SetMemoryRequest.Builder> options) {
    SetMemoryRequest.Builder request =
        SetMemoryRequest.newBuilder().setKey(key).setJsonContent(json).setSource(source);
    options.accept(request);
    SetMemoryResponse answer = unary.call(SlotServiceGrpc.getSetMemoryMethod(), request.build());
    Redactions.warn(answer.getRedactionsList());
    return Written.of(answer.getSlot(), answer.getDurability(), answer.getSpoolId());
  }
}
