package dev.camillo.client;

import dev.camillo.client.errors.CamilloError;
import dev.camillo.v1.ListRunsRequest;
import dev.camillo.v1.ListRunsResponse;
import dev.camillo.v1.Run;
import dev.camillo.v1.RunServiceGrpc;

/**
 * Runs: what an agent keeps in mind from the start of a run to its end. Methods that are no lists
 * are called with {@link Camillo#call}. Failures are {@link CamilloError}.
 */
public final class Runs {
  private final UnaryCalls unary;

  Runs(UnaryCalls unary) {
    this.unary = unary;
  }

  /** The agent's runs that have not ended, the last started first. */
  public Series<Run> list() {
    return list(ListRunsRequest.getDefaultInstance());
  }

  /** The runs that this request asks for, such as those of a session, from its page on. */
  public Series<Run> list(ListRunsRequest request) {
    return new Series<>(new Pages<>(unary, RunServiceGrpc.getListRunsMethod(), request), () -> {})
        .parts(ListRunsResponse::getRunsList);
  }
}
