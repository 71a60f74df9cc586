package dev.camillo.client;

import java.io.ByteArrayOutputStream;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Optional;

/** Any text as one name of a slot's key, for adapters of frameworks. */
public final class SlotNames {
  private static final int MAX_NAME = 200;
  private static final String UNRESERVED = "_.-~";

  private SlotNames() {}

  /** The name of a text: quoted, or of a long one its digest. */
  public static String of(String text) {
    byte[] bytes = bytes(text);
    StringBuilder quoted = new StringBuilder("=");
    for (byte each : bytes) {
      char letter = (char) (each & 0xff);
      if (letter < 128 && (Character.isLetterOrDigit(letter) || UNRESERVED.indexOf(letter) >= 0)) {
        quoted.append(letter);
      } else {
        quoted.append('%').append(HexFormat.of().withUpperCase().toHexDigits(each));
      }
    }
    return quoted.length() <= MAX_NAME
        ? quoted.toString()
        : HexFormat.of().formatHex(Digests.sha256().digest(bytes));
  }

  /** The text that a name quotes; nothing for a digest. */
  public static Optional<String> text(String name) {
    return name.startsWith("=")
        ? Optional.of(URLDecoder.decode(name.substring(1), StandardCharsets.UTF_8))
        : Optional.empty();
  }

  /** Returns UTF-8 in which half a character has three bytes, so that no two texts are the same. */
  private static byte[] bytes(String text) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    text.codePoints()
        .forEach(
            point -> {
              if (point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE) {
                bytes.write(0xe0 | point >> 12);
                bytes.write(0x80 | point >> 6 & 0x3f);
                bytes.write(0x80 | point & 0x3f);
              } else {
                bytes.writeBytes(Character.toString(point).getBytes(StandardCharsets.UTF_8));
              }
            });
    return bytes.toByteArray();
  }
}
