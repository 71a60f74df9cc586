package dev.camillo.client;

import dev.camillo.v1.ArtifactRedaction;
import dev.camillo.v1.Redaction;
import java.util.List;

/**
 * Secrets that the server took out of a write, told as warnings to the logger {@code
 * dev.camillo.client}.
 */
final class Redactions {
  private static final System.Logger LOGGER = System.getLogger("dev.camillo.client");

  private Redactions() {}

  /** One warning for each. */
  static void warn(List<Redaction> redactions) {
    redactions.forEach(redaction -> warn(redaction.getField(), redaction.getKind()));
  }

  /**
   * One warning for each kind of secret in the bytes of an artifact: there may be a thousand of
   * one.
   */
  static void warnOfBytes(List<ArtifactRedaction> redactions) {
    redactions.stream()
        .map(ArtifactRedaction::getKind)
        .distinct()
        .sorted()
        .forEach(kind -> warn("the content", kind));
  }

  private static void warn(String field, String kind) {
    LOGGER.log(
        System.Logger.Level.WARNING,
        "a secret was taken out of {0} before it was stored: {1}",
        field,
        kind);
  }
}
