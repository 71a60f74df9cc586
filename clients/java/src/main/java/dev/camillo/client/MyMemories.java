package dev.camillo.client;

import dev.camillo.v1.RecallRequest;
import dev.camillo.v1.ScoringProfile;
import dev.camillo.v1.Source;
import java.util.List;
import java.util.function.Consumer;

/** How an agent's memories of all kinds are searched, unless told otherwise. */
final class MyMemories {
  private static final List<Source> SOURCES =
      List.of(
          Source.SOURCE_MEMORY,
          Source.SOURCE_AUDIT,
          Source.SOURCE_WORKFLOW_STEP,
          Source.SOURCE_DOCUMENT);
  private static final ScoringProfile PROFILE =
      ScoringProfile.newBuilder().setName("blended").build();
  private static final int LIMIT = 5;

  private MyMemories() {}

  /** Fills in what the options leave open. */
  static void fill(RecallRequest.Builder request, Consumer<RecallRequest.Builder> options) {
    options.accept(request);
    if (request.getSourcesCount() == 0) {
      request.addAllSources(SOURCES);
    }
    if (!request.hasProfile()) {
      request.setProfile(PROFILE);
    }
    if (request.getLimit() == 0) {
      request.setLimit(LIMIT);
    }
  }
}
