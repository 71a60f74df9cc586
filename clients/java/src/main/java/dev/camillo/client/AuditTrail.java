package dev.camillo.client;

import dev.camillo.client.errors.CamilloError;
import dev.camillo.v1.AuditChange;
import dev.camillo.v1.AuditEntry;
import dev.camillo.v1.AuditFilter;
import dev.camillo.v1.AuditHead;
import dev.camillo.v1.AuditPolicy;
import dev.camillo.v1.AuditServiceGrpc;
import dev.camillo.v1.GetAuditPolicyRequest;
import dev.camillo.v1.ListAuditEntriesRequest;
import dev.camillo.v1.ListAuditEntriesResponse;
import dev.camillo.v1.NewAuditAction;
import dev.camillo.v1.RecordAuditEntryRequest;
import dev.camillo.v1.RecordAuditEntryResponse;
import dev.camillo.v1.SetAuditPolicyRequest;
import dev.camillo.v1.VerifyAuditRequest;
import dev.camillo.v1.VerifyAuditResponse;
import dev.camillo.v1.WatchAuditRequest;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;

/**
 * The audit trail of the tenant. All but {@code record} is for keys of tenant administrators that
 * reach every agent. Failures are {@link CamilloError}. Secrets are never stored: of each one taken
 * out, the logger {@code dev.camillo.client} warns.
 */
public final class AuditTrail {
  private final Calls calls;
  private final UnaryCalls unary;

  AuditTrail(Calls calls, UnaryCalls unary) {
    this.calls = calls;
    this.unary = unary;
  }

  /**
   * Enters an action of the agent's runtime, such as {@code invoice.approved}; every agent of the
   * tenant finds it.
   */
  public RecordAuditEntryResponse record(String action, String message) {
    return record(action, message, fields -> {});
  }

  /** As the other, with details, a conversation and so on. */
  public RecordAuditEntryResponse record(
      String action, String message, Consumer<NewAuditAction.Builder> fields) {
    NewAuditAction.Builder entered =
        NewAuditAction.newBuilder().setAction(action).setMessage(message);
    fields.accept(entered);
    RecordAuditEntryResponse answer =
        unary.call(
            AuditServiceGrpc.getRecordAuditEntryMethod(),
            RecordAuditEntryRequest.newBuilder().setAction(entered).build());
    Redactions.warn(answer.getRedactionsList());
    return answer;
  }

  /** All entries, the last committed first. */
  public Series<AuditEntry> list() {
    return list(conditions -> {});
  }

  /** Entries that pass all conditions, the last committed first. */
  public Series<AuditEntry> list(Consumer<AuditFilter.Builder> conditions) {
    AuditFilter.Builder filter = AuditFilter.newBuilder();
    conditions.accept(filter);
    ListAuditEntriesRequest request =
        ListAuditEntriesRequest.newBuilder().setFilter(filter).build();
    return new Series<>(
            new Pages<>(unary, AuditServiceGrpc.getListAuditEntriesMethod(), request), () -> {})
        .parts(ListAuditEntriesResponse::getEntriesList);
  }

  /** All entries from the oldest one on, without end; see the other. */
  public Series<AuditChange> watch() {
    return watch(WatchAuditRequest.getDefaultInstance(), Watches.MAX_RECONNECTS);
  }

  /**
   * Entries that pass the filter of a request in the order of their commits, without end, from the
   * oldest one or from after its resume token, with checkpoints without an entry among them. When
   * the server goes away, the watch resumes after the last change handed out; it gives up after so
   * many attempts in a row that brought nothing.
   */
  public Series<AuditChange> watch(WatchAuditRequest request, int maxReconnects) {
    return new Watches<>(calls, AuditServiceGrpc.getWatchAuditMethod(), request)
        .messages(maxReconnects)
        .parts(answer -> answer.hasChange() ? List.of(answer.getChange()) : List.of());
  }

  /**
   * Checks every chain of the tenant: what was found of each, by agent. Known heads are those that
   * an earlier check has told.
   */
  public Series<VerifyAuditResponse> verify(Collection<AuditHead> knownHeads) {
    VerifyAuditRequest request =
        VerifyAuditRequest.newBuilder().addAllKnownHeads(knownHeads).build();
    ServerStream<VerifyAuditResponse> found =
        calls.stream(AuditServiceGrpc.getVerifyAuditMethod(), request);
    return new Series<>(found, found::close);
  }

  /** How long the tenant keeps entries, and whether reads leave any. */
  public AuditPolicy policy() {
    return unary
        .call(
            AuditServiceGrpc.getGetAuditPolicyMethod(), GetAuditPolicyRequest.getDefaultInstance())
        .getPolicy();
  }

  /** Changes that, all of it. */
  public AuditPolicy setPolicy(AuditPolicy policy) {
    SetAuditPolicyRequest request = SetAuditPolicyRequest.newBuilder().setPolicy(policy).build();
    return unary.call(AuditServiceGrpc.getSetAuditPolicyMethod(), request).getPolicy();
  }
}
