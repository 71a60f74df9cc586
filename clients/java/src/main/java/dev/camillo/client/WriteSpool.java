package dev.camillo.client;

import dev.camillo.client.errors.CamilloError;
import dev.camillo.v1.DiscardSpooledRequest;
import dev.camillo.v1.GetSpoolPolicyRequest;
import dev.camillo.v1.ListSpooledRequest;
import dev.camillo.v1.ListSpooledResponse;
import dev.camillo.v1.RetrySpooledRequest;
import dev.camillo.v1.RetrySpooledResponse;
import dev.camillo.v1.SetSpoolPolicyRequest;
import dev.camillo.v1.SpoolPolicy;
import dev.camillo.v1.SpoolServiceGrpc;
import dev.camillo.v1.SpoolState;
import dev.camillo.v1.SpooledWrite;
import java.util.Collection;

/**
 * Writes that were acknowledged while Postgres was away and are not stored, and what the tenant
 * wants of such writes. For keys of tenant administrators. Failures are {@link CamilloError}.
 */
public final class WriteSpool {
  private final UnaryCalls unary;

  WriteSpool(UnaryCalls unary) {
    this.unary = unary;
  }

  /**
   * Failed writes, then those that wait on the disk of the server that answers, each the oldest
   * first. Failed writes are not seen while Postgres is away.
   */
  public Series<SpooledWrite> list() {
    return list(ListSpooledRequest.getDefaultInstance());
  }

  /** Restricts to this state. */
  public Series<SpooledWrite> list(SpoolState state) {
    return list(ListSpooledRequest.newBuilder().setState(state).build());
  }

  /** All that this request asks for, from its page on. */
  public Series<SpooledWrite> list(ListSpooledRequest request) {
    return new Series<>(
            new Pages<>(unary, SpoolServiceGrpc.getListSpooledMethod(), request), () -> {})
        .parts(ListSpooledResponse::getWritesList);
  }

  /**
   * Tries up to 100 writes again that failed, in the order given: how many are stored now, and
   * which failed again.
   */
  public RetrySpooledResponse retry(Collection<String> spoolIds) {
    RetrySpooledRequest request = RetrySpooledRequest.newBuilder().addAllSpoolIds(spoolIds).build();
    return unary.call(SpoolServiceGrpc.getRetrySpooledMethod(), request);
  }

  /** Removes up to 1,000 writes that failed, for good; how many there were. */
  public int discard(Collection<String> spoolIds) {
    DiscardSpooledRequest request =
        DiscardSpooledRequest.newBuilder().addAllSpoolIds(spoolIds).build();
    return unary.call(SpoolServiceGrpc.getDiscardSpooledMethod(), request).getDiscarded();
  }

  /** The tenant's wishes for its writes while Postgres is away. */
  public SpoolPolicy policy() {
    return unary
        .call(
            SpoolServiceGrpc.getGetSpoolPolicyMethod(), GetSpoolPolicyRequest.getDefaultInstance())
        .getPolicy();
  }

  /** Changes that; every server follows within 15 seconds. */
  public SpoolPolicy setPolicy(SpoolPolicy policy) {
    SetSpoolPolicyRequest request = SetSpoolPolicyRequest.newBuilder().setPolicy(policy).build();
    return unary.call(SpoolServiceGrpc.getSetSpoolPolicyMethod(), request).getPolicy();
  }
}
