package dev.camillo.client;

import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The reference to an artifact in a text: {@code [MemoryRef: <artifact id> - <description>]}.
 *
 * @param artifactId the id of the artifact
 * @param description what is said about it, in one line without brackets; may be empty
 */
public record MemoryRef(String artifactId, String description) {
  private static final String ID = "[a-z0-9][a-z0-9_]{2,63}";
  // No bracket and no line's end in the description: where a ref ends is never in doubt.
  private static final String IN_LINE = "[^\\[\\]\\x00-\\x1f\\x7f-\\x9f\\u2028\\u2029]";
  private static final String NO_SPACE = "[^" + RefText.SPACES + "]";
  private static final Pattern ONLY_ID = Pattern.compile(ID);
  private static final Pattern REF =
      Pattern.compile(
          "\\[MemoryRef: ("
              + ID
              + ")(?: - (?="
              + NO_SPACE
              + ")("
              + IN_LINE
              + "*)(?<="
              + NO_SPACE
              + "))?\\]");

  /**
   * The ref of an artifact, its description made safe; IllegalArgumentException for what is no
   * artifact id.
   */
  public static String render(String artifactId, String description) {
    if (!ONLY_ID.matcher(artifactId).matches()) {
      throw new IllegalArgumentException("'" + artifactId + "' is no artifact id");
    }
    String safe = RefText.safe(description);
    return safe.isEmpty()
        ? "[MemoryRef: " + artifactId + "]"
        : "[MemoryRef: " + artifactId + " - " + safe + "]";
  }

  /** The ref that the text is, space around it aside; nothing for any other text. */
  public static Optional<MemoryRef> parse(String text) {
    Matcher matcher = REF.matcher(RefText.stripped(text));
    return matcher.matches() ? Optional.of(of(matcher)) : Optional.empty();
  }

  /** The refs in a text, in their order. */
  public static List<MemoryRef> findAll(String text) {
    return REF.matcher(text).results().map(MemoryRef::of).toList();
  }

  /** The id in a text that is a whole ref; any other text as it is, such as an id. */
  public static String artifactIdOf(String text) {
    return parse(text).map(MemoryRef::artifactId).orElse(text);
  }

  private static MemoryRef of(MatchResult match) {
    return new MemoryRef(match.group(1), match.group(2) == null ? "" : match.group(2));
  }

  /** The ref, as it stands in a text. */
  @Override
  public String toString() {
    return render(artifactId, description);
  }
}
