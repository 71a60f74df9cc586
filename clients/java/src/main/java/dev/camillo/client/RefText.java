package dev.camillo.client;

import java.util.function.Predicate;
import java.util.regex.Pattern;

/** Descriptions that break no ref: one line without brackets, of at most so many characters. */
final class RefText {
  /** Holds what counts as space, as a part of a character class: the same in every client. */
  static final String SPACES =
      "\\x09-\\x0d\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";

  private static final int MAX_DESCRIPTION = 200;
  private static final String CUT = "\u2026";
  private static final int REPLACEMENT = 0xFFFD;
  private static final Pattern SPACE = Pattern.compile("[" + SPACES + "]+");
  private static final Predicate<String> IS_SPACE =
      Pattern.compile("[" + SPACES + "]").asMatchPredicate();

  private RefText() {}

  /** One line without brackets, of at most MAX_DESCRIPTION characters. */
  static String safe(String description) {
    StringBuilder whole = new StringBuilder();
    description
        .codePoints()
        .map(RefText::safe)
        .filter(at -> at >= 0)
        .forEach(whole::appendCodePoint);
    String line = SPACE.matcher(stripped(whole.toString())).replaceAll(" ");
    int[] characters = line.codePoints().toArray();
    return characters.length <= MAX_DESCRIPTION ? line : cut(characters);
  }

  /** The text without space at its ends. */
  static String stripped(String text) {
    int begin = 0;
    int end = text.length();
    while (begin < end && isSpace(text.charAt(begin))) {
      begin++;
    }
    while (begin < end && isSpace(text.charAt(end - 1))) {
      end--;
    }
    return text.substring(begin, end);
  }

  /** No space is above U+FFFF: one char is enough to know it. */
  private static boolean isSpace(char character) {
    return IS_SPACE.test(String.valueOf(character));
  }

  /** Returns what stands for a character; below 0: nothing. */
  private static int safe(int character) {
    if (isBidiControl(character)) {
      // Nothing in a description shall turn around the text behind it.
      return -1;
    } else if (isControl(character)) {
      return ' ';
    } else if (character >= Character.MIN_SURROGATE && character <= Character.MAX_SURROGATE) {
      // Half a character.
      return REPLACEMENT;
    }
    return character == '[' ? '(' : character == ']' ? ')' : character;
  }

  private static boolean isBidiControl(int character) {
    return character == 0x061C
        || character == 0x200E
        || character == 0x200F
        || (character >= 0x202A && character <= 0x202E)
        || (character >= 0x2066 && character <= 0x2069);
  }

  private static boolean isControl(int character) {
    return character < 0x20
        || (character >= 0x7F && character < 0xA0)
        || character == 0x2028
        || character == 0x2029;
  }

  private static String cut(int[] line) {
    int longest = MAX_DESCRIPTION - 1;
    int end = longest;
    while (end > 0 && !Characters.isBorder(line, end)) {
      end--;
    }
    // A single character may have more marks than there is room for.
    String kept = new String(line, 0, end == 0 ? longest : end);
    return stripped(kept) + CUT;
  }
}
