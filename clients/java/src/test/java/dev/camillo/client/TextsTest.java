package dev.camillo.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.camillo.v1.Artifact;
import dev.camillo.v1.ArtifactPreview;
import dev.camillo.v1.GetArtifactResponse;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Texts come back as they were written. */
class TextsTest {
  private static final String TEA = "th\u00e9 \u8336";

  @Test
  void everyEncodingThatTheServerKnowsIsRead() {
    assertEquals(TEA, Texts.decoded(TEA.getBytes(StandardCharsets.UTF_8), "utf-8"));
    assertEquals(TEA, Texts.decoded(TEA.getBytes(StandardCharsets.UTF_8), ""));
    byte[] windows = "th\u00e9 \u20ac".getBytes(Charset.forName("windows-1252"));
    assertEquals("th\u00e9 \u20ac", Texts.decoded(windows, "windows-1252"));
  }

  @Test
  void aPartOfATextHasNoMarkOfItsOrder() {
    assertEquals(TEA, Texts.decoded(TEA.getBytes(StandardCharsets.UTF_16LE), "utf-16"));
    assertEquals(TEA, Texts.decoded(TEA.getBytes(StandardCharsets.UTF_16), "utf-16"));
    String marked = "\ufeff" + TEA;
    assertEquals(TEA, Texts.decoded(marked.getBytes(StandardCharsets.UTF_16LE), "utf-16"));
  }

  @Test
  void onlyTheLastLinesOfAPreviewLoseTheirEnds() {
    GetArtifactResponse known =
        GetArtifactResponse.newBuilder()
            .setArtifact(Artifact.newBuilder().setSummary("tea\n\u2028"))
            .setPreview(ArtifactPreview.newBuilder().setHead("one\n\n"))
            .build();
    assertEquals("tea\n\u2028\n--- head\none", Offloaded.of(known).text());
  }
}
