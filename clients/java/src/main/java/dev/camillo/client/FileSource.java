package dev.camillo.client;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.OptionalLong;

/**
 * A file of which the first so many bytes are sent.
 *
 * @param path where it is
 * @param length in bytes; 0 where it does not tell, as those of /proc, or is empty
 */
record FileSource(Path path, long length) implements ByteSource {
  @Override
  public OptionalLong size() {
    return length == 0 ? OptionalLong.empty() : OptionalLong.of(length);
  }

  @Override
  public boolean canRestart() {
    return true;
  }

  @Override
  public InputStream openAt(long offset) throws IOException {
    InputStream file = Files.newInputStream(path);
    try {
      file.skipNBytes(offset);
    } catch (IOException shorter) {
      file.close();
      throw shorter;
    }
    return file;
  }

  @Override
  public String name() {
    // The root of a file system has none.
    return Objects.toString(path.getFileName(), "");
  }
}
