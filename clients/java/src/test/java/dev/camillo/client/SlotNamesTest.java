package dev.camillo.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Names of keys for any text: as the Python client makes them. */
class SlotNamesTest {
  @Test
  void everyTextHasANameOfItsOwn() {
    assertEquals("=", SlotNames.of(""));
    assertEquals("=..", SlotNames.of(".."));
    assertEquals("=a%2Fb%20%2B%25", SlotNames.of("a/b +%"));
    assertEquals("=%E7%8C%AB%F0%9F%90%88", SlotNames.of("猫🐈"));
    assertEquals("=%ED%A0%80", SlotNames.of("\ud800"));
    String longText = "ß".repeat(500);
    assertEquals(64, SlotNames.of(longText).length());
    List<String> texts =
        List.of("", ".", "A", "a", "a/b", "a%2Fb", "é", "e\u0301", "\ud800", longText, longText + "x");
    Set<String> names = new HashSet<>(texts.stream().map(SlotNames::of).toList());
    assertEquals(texts.size(), names.size());
    assertTrue(names.stream().allMatch(name -> name.matches("[=%A-Za-z0-9_.~-]{1,200}")));
  }

  @Test
  void aNameSaysItsTextUnlessItIsADigest() {
    for (String text : List.of("", "a/b +%", "чат", "猫🐈")) {
      assertEquals(Optional.of(text), SlotNames.text(SlotNames.of(text)));
    }
    assertEquals(Optional.empty(), SlotNames.text(SlotNames.of("ß".repeat(500))));
  }
}
