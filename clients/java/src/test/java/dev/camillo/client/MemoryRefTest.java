package dev.camillo.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Memory refs: the cases that the clients share, and that nothing in a description breaks a ref.
 */
class MemoryRefTest {
  @TestFactory
  Stream<DynamicTest> refsAreRenderedAndParsedAsEveryClientDoes() {
    return SharedCases.of("memory_refs.json", "render")
        .map(each -> dynamicTest(name(each, "description"), () -> rendersAndParses(each)));
  }

  @TestFactory
  Stream<DynamicTest> textsAreRefsOrNot() {
    return SharedCases.of("memory_refs.json", "parse")
        .map(each -> dynamicTest(name(each, "text"), () -> isRefOrNot(each)));
  }

  @TestFactory
  Stream<DynamicTest> refsAreFoundInTheirOrder() {
    return SharedCases.of("memory_refs.json", "find")
        .map(each -> dynamicTest(name(each, "text"), () -> isFound(each)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "ab", "Abc", "abc\n", "_abc", "a b c", "äbc"})
  void whatIsNoIdIsNotRendered(String artifactId) {
    assertThrows(IllegalArgumentException.class, () -> MemoryRef.render(artifactId, "tea"));
  }

  @Test
  void halfACharacterOfUtf16IsReplaced() {
    assertEquals("[MemoryRef: abc - tea \ufffd!]", MemoryRef.render("abc", "tea \ud83d!"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\ud83d\udc69\u200d\ud83d\udc69\u200d\ud83d\udc67",
        "\ud83c\uddf8\ud83c\uddee",
        "\ud83d\udc4d\ud83c\udffd",
        "e\u0301\u0323",
        "\u0915\u094d\u0937",
        "\u1100\u1161\u11a8"
      })
  void aCutNeverSplitsWhatReadsAsOneCharacter(String character) {
    for (int filled = 190; filled < 200; filled++) {
      String rendered = MemoryRef.render("abc", "x".repeat(filled) + character.repeat(9));
      String shown = MemoryRef.parse(rendered).orElseThrow().description();
      String kept = shown.substring(filled, shown.length() - 1);
      assertEquals(character.repeat(kept.length() / character.length()), kept);
      assertTrue(shown.codePointCount(0, shown.length()) <= 200);
    }
  }

  private static void rendersAndParses(JsonObject told) {
    String id = told.get("artifact_id").getAsString();
    String rendered = MemoryRef.render(id, told.get("description").getAsString());
    assertEquals(told.get("rendered").getAsString(), rendered);
    MemoryRef ref = new MemoryRef(id, told.get("parsed_description").getAsString());
    assertEquals(Optional.of(ref), MemoryRef.parse(rendered));
  }

  private static void isRefOrNot(JsonObject told) {
    String text = told.get("text").getAsString();
    JsonElement expected = told.get("ref");
    Optional<MemoryRef> ref = expected.isJsonNull() ? Optional.empty() : Optional.of(ref(expected));
    assertEquals(ref, MemoryRef.parse(text));
    assertEquals(ref.map(MemoryRef::artifactId).orElse(text), MemoryRef.artifactIdOf(text));
  }

  private static void isFound(JsonObject told) {
    List<MemoryRef> refs =
        StreamSupport.stream(told.getAsJsonArray("refs").spliterator(), false)
            .map(MemoryRefTest::ref)
            .toList();
    assertEquals(refs, MemoryRef.findAll(told.get("text").getAsString()));
  }

  private static MemoryRef ref(JsonElement told) {
    JsonObject ref = told.getAsJsonObject();
    return new MemoryRef(
        ref.get("artifact_id").getAsString(), ref.get("description").getAsString());
  }

  private static String name(JsonObject told, String key) {
    String text = told.get(key).toString();
    return text.substring(0, Math.min(30, text.length()));
  }

  @Test
  void muchSpaceTakesLittleTime() {
    String space = " ".repeat(300_000);
    assertTimeoutPreemptively(
        Duration.ofSeconds(5),
        () -> {
          assertTrue(MemoryRef.parse("x" + space + "x").isEmpty());
          MemoryRef.render("abc", "x" + space + "x");
        });
  }
}
