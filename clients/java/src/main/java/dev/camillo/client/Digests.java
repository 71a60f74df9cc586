package dev.camillo.client;

import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** SHA-256, of texts and of what a source holds. */
final class Digests {
  private Digests() {}

  /** A digest that nothing has gone into. */
  static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException impossible) {
      // Every Java has it.
      throw new IllegalStateException(impossible);
    }
  }

  /** The digest of the first so many bytes of a source; empty for none. */
  static byte[] ofPrefix(ByteSource source, long size) throws IOException {
    if (size == 0) {
      return new byte[0];
    }
    MessageDigest sha256 = sha256();
    byte[] chunk = new byte[ByteSource.CHUNK_BYTES];
    try (InputStream bytes = source.openAt(0)) {
      long left = size;
      while (left > 0) {
        int read = bytes.readNBytes(chunk, 0, (int) Math.min(chunk.length, left));
        if (read == 0) {
          break;
        }
        sha256.update(chunk, 0, read);
        left -= read;
      }
    }
    return sha256.digest();
  }
}
