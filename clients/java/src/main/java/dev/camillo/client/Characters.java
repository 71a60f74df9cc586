package dev.camillo.client;

import java.util.Set;

/** Where what a reader takes for one character ends: the main rules of Unicode's annex 29. */
final class Characters {
  private static final int ZERO_WIDTH_JOINER = 0x200D;
  private static final int FIRST_FLAG_HALF = 0x1F1E6;
  private static final int LAST_FLAG_HALF = 0x1F1FF;

  // The signs with the combining class 9, which Java does not tell: they join letters of Indic
  // scripts.
  private static final Set<Integer> VIRAMAS =
      Set.of(
          0x094D, 0x09CD, 0x0A4D, 0x0ACD, 0x0B4D, 0x0BCD, 0x0C4D, 0x0CCD, 0x0D3B, 0x0D3C, 0x0D4D,
          0x0DCA, 0x0E3A, 0x0EBA, 0x0F84, 0x1039, 0x103A, 0x1714, 0x1715, 0x1734, 0x17D2, 0x1A60,
          0x1B44, 0x1BAA, 0x1BAB, 0x1BF2, 0x1BF3, 0x2D7F, 0xA806, 0xA82C, 0xA8C4, 0xA953, 0xA9C0,
          0xAAF6, 0xABED, 0x10A3F, 0x11046, 0x11070, 0x1107F, 0x110B9, 0x11133, 0x11134, 0x111C0,
          0x11235, 0x112EA, 0x1134D, 0x11442, 0x114C2, 0x115BF, 0x1163F, 0x116B6, 0x1172B, 0x11839,
          0x1193D, 0x1193E, 0x119E0, 0x11A34, 0x11A47, 0x11A99, 0x11C3F, 0x11D44, 0x11D45, 0x11D97,
          0x11F41, 0x11F42);

  private Characters() {}

  /** Whether a text of code points may be cut before this place. */
  static boolean isBorder(int[] text, int at) {
    int before = text[at - 1];
    int after = text[at];
    if (before == ZERO_WIDTH_JOINER || after == ZERO_WIDTH_JOINER || VIRAMAS.contains(before)) {
      return false;
    }
    if (isFlagHalf(after)) {
      return flagHalvesBefore(text, at) % 2 == 0;
    }
    return !extendsCharacter(after);
  }

  private static int flagHalvesBefore(int[] text, int at) {
    int halves = 0;
    while (halves < at && isFlagHalf(text[at - halves - 1])) {
      halves++;
    }
    return halves;
  }

  private static boolean isFlagHalf(int character) {
    return character >= FIRST_FLAG_HALF && character <= LAST_FLAG_HALF;
  }

  /** A mark, a skin tone, a tag of a flag, the vowel or the end of a Korean syllable in parts. */
  private static boolean extendsCharacter(int character) {
    return isMark(character)
        || (character >= 0x1F3FB && character <= 0x1F3FF)
        || (character >= 0xE0020 && character <= 0xE007F)
        || (character >= 0x1160 && character <= 0x11FF)
        || character == 0x200C
        || character == 0xFF9E
        || character == 0xFF9F;
  }

  private static boolean isMark(int character) {
    return switch (Character.getType(character)) {
      case Character.NON_SPACING_MARK, Character.ENCLOSING_MARK, Character.COMBINING_SPACING_MARK ->
          true;
      default -> false;
    };
  }
}
