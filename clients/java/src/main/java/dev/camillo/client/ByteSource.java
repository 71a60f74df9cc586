package dev.camillo.client;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;

/** Where the bytes of an artifact come from. */
public interface ByteSource {
  /** So many bytes go into one message. */
  int CHUNK_BYTES = 256 * 1024;

  /** How many bytes there are, where that is known. */
  OptionalLong size();

  /** Whether the bytes can be read again, so that an upload goes on after a break. */
  boolean canRestart();

  /**
   * The bytes from an offset on; other offsets than 0 only of what can be restarted. Closed after
   * reading.
   */
  InputStream openAt(long offset) throws IOException;

  /** A name for what has none yet; empty: none. */
  default String name() {
    return "";
  }

  /** Bytes in memory; they are not to be changed before they are sent. */
  static ByteSource of(byte[] bytes) {
    return new ByteSource() {
      @Override
      public OptionalLong size() {
        return OptionalLong.of(bytes.length);
      }

      @Override
      public boolean canRestart() {
        return true;
      }

      @Override
      public InputStream openAt(long offset) {
        return new ByteArrayInputStream(bytes, (int) offset, bytes.length - (int) offset);
      }
    };
  }

  /** Text, as UTF-8. */
  static ByteSource of(String text) {
    return of(text.getBytes(StandardCharsets.UTF_8));
  }

  /** The file at a path, as long as it is now: what is appended meanwhile is left out. */
  static ByteSource of(Path path) throws IOException {
    return new FileSource(path, Files.size(path));
  }

  /** Returns what a stream still has; it can be read once, and is closed at the end. */
  static ByteSource of(InputStream stream) {
    return new ByteSource() {
      @Override
      public OptionalLong size() {
        return OptionalLong.empty();
      }

      @Override
      public boolean canRestart() {
        return false;
      }

      @Override
      public InputStream openAt(long offset) {
        return stream;
      }
    };
  }
}
