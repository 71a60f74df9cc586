package dev.camillo.client;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/** Bytes of an artifact as text. */
final class Texts {
  private Texts() {}

  /** The text, in the words of the contract for its encoding; what is not valid is replaced. */
  static String decoded(byte[] bytes, String encoding) {
    if (encoding.isEmpty()) {
      return new String(bytes, StandardCharsets.UTF_8);
    }
    Charset charset = Charset.forName(encoding);
    // A part of a text has no mark of its order: Java takes it for the order that is rare.
    boolean isUnmarked = charset.equals(StandardCharsets.UTF_16) && !isMarked(bytes);
    return new String(bytes, isUnmarked ? StandardCharsets.UTF_16LE : charset);
  }

  private static boolean isMarked(byte[] bytes) {
    return bytes.length > 1
        && ((bytes[0] == (byte) 0xFE && bytes[1] == (byte) 0xFF)
            || (bytes[0] == (byte) 0xFF && bytes[1] == (byte) 0xFE));
  }
}
