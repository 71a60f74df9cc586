package dev.camillo.client;

import dev.camillo.v1.Artifact;
import dev.camillo.v1.ArtifactPreview;
import dev.camillo.v1.GetArtifactResponse;
import dev.camillo.v1.OffloadOutputResponse;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The outcome of an output.
 *
 * @param text what to put before the model: the output itself, or what stands for the artifact that
 *     holds it
 * @param artifact the artifact; none where the output was short
 * @param response all that the server told
 */
public record Offloaded(String text, Optional<Artifact> artifact, OffloadOutputResponse response) {
  /** Returns what a server did with an output. */
  static Offloaded of(OffloadOutputResponse response) {
    Optional<Artifact> artifact =
        response.hasArtifact() ? Optional.of(response.getArtifact()) : Optional.empty();
    return new Offloaded(response.getText(), artifact, response);
  }

  /** The reference to an artifact that was sent as a stream. */
  static Offloaded of(GetArtifactResponse known) {
    return of(
        OffloadOutputResponse.newBuilder()
            .setArtifact(known.getArtifact())
            .setText(textForModel(known.getArtifact(), known.getPreview()))
            .setPreview(known.getPreview())
            .addAllRedactions(known.getRedactionsList())
            .build());
  }

  /** The outcome of an output without a byte, which no server is asked about. */
  static Offloaded empty() {
    return of(OffloadOutputResponse.newBuilder().setInline("").build());
  }

  /** Ref, summary and preview: what there is of them. */
  private static String textForModel(Artifact artifact, ArtifactPreview preview) {
    return Stream.of(
            artifact.getMemoryRef(),
            artifact.getSummary(),
            headed("--- head\n", preview.getHead()),
            headed("--- tail\n", preview.getTail()))
        .filter(part -> !part.isEmpty())
        .map(part -> part.replaceAll("\n+\\z", ""))
        .collect(Collectors.joining("\n"));
  }

  private static String headed(String heading, String text) {
    return text.isEmpty() ? "" : heading + text;
  }
}
