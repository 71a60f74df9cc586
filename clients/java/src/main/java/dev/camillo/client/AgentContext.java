package dev.camillo.client;

import dev.camillo.v1.BuildBundleRequest;
import dev.camillo.v1.BuildDigestRequest;
import dev.camillo.v1.Bundle;
import dev.camillo.v1.SnapshotServiceGrpc;
import java.util.function.Consumer;

/** Context for the model next, under a budget of tokens. Failures are CamilloError. */
public final class AgentContext {
  private final UnaryCalls unary;

  AgentContext(UnaryCalls unary) {
    this.unary = unary;
  }

  /**
   * Context for the next call of a model about this, in a conversation: {@code getPrompt} is ready
   * to be sent.
   */
  public Bundle bundle(String query, String sessionId) {
    return bundle(query, request -> request.setSessionId(sessionId));
  }

  /**
   * The same with other options; BudgetTooSmall if {@code max_tokens} is less than what may not be
   * cut.
   */
  public Bundle bundle(String query, Consumer<BuildBundleRequest.Builder> options) {
    BuildBundleRequest.Builder request = BuildBundleRequest.newBuilder().setQueryText(query);
    options.accept(request);
    if (request.getTimeZone().isEmpty()) {
      request.setTimeZone(LocalTimeZone.name());
    }
    return unary.call(SnapshotServiceGrpc.getBuildBundleMethod(), request.build()).getBundle();
  }

  /**
   * The agent's slots in brief, a line each, the newest first: {@code getPrompt} is ready
   * to be sent.
   */
  public Bundle digest() {
    return digest(options -> {});
  }

  /** The same within a limit of tokens, with tags and so on. */
  public Bundle digest(Consumer<BuildDigestRequest.Builder> options) {
    BuildDigestRequest.Builder request = BuildDigestRequest.newBuilder();
    options.accept(request);
    return unary.call(SnapshotServiceGrpc.getBuildDigestMethod(), request.build()).getBundle();
  }
}
