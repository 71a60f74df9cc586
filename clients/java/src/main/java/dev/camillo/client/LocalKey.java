package dev.camillo.client;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;

/**
 * The key of a server on this machine: the file that it writes at its first start.
 *
 * @param key empty: there is none
 * @param refusal what is said where the server does not take it
 */
record LocalKey(String key, String refusal) {
  static final String FILE = "root.key";

  /** The key of this user's data directory, for the server at an address. */
  static LocalKey find(String address, Map<String, String> environment) {
    try {
      return read(address, dataDirectory(environment).resolve(FILE));
    } catch (InvalidPathException unspeakable) {
      return unreadable(unspeakable.getInput(), unspeakable.getReason());
    }
  }

  /** Where a server that this user starts keeps its data. */
  static Path dataDirectory(Map<String, String> environment) {
    String named = environment.getOrDefault("HOME", "");
    Path home = Path.of(named.isEmpty() ? System.getProperty("user.home") : named);
    String directory = environment.getOrDefault("CAMILLO_DATA_DIR", "");
    if (!directory.isEmpty()) {
      return directory.startsWith("~/") ? home.resolve(directory.substring(2)) : Path.of(directory);
    }
    Path share = Path.of(environment.getOrDefault("XDG_DATA_HOME", ""));
    return (share.isAbsolute() ? share : home.resolve(".local").resolve("share"))
        .resolve("camillo");
  }

  private static LocalKey read(String address, Path path) {
    String key;
    try {
      // Whatever is not ASCII is no key; it should not be an error of its own.
      key = new String(Files.readAllBytes(path), StandardCharsets.ISO_8859_1).strip();
    } catch (NoSuchFileException missing) {
      return none("there is none in " + path);
    } catch (IOException failed) {
      return unreadable(path.toString(), why(failed));
    }
    if (key.isEmpty() || !Headers.isKey(key)) {
      return none(path + " holds none");
    }
    return new LocalKey(key, "the server at " + address + " does not accept the key in " + path);
  }

  private static LocalKey unreadable(String path, String why) {
    return none(path + " cannot be read: " + why);
  }

  private static LocalKey none(String why) {
    return new LocalKey("", "no key was given, and " + why);
  }

  private static String why(IOException failed) {
    if (failed instanceof AccessDeniedException) {
      return "permission denied";
    }
    if (failed instanceof FileSystemException told && told.getReason() != null) {
      return told.getReason();
    }
    return failed.getMessage();
  }

  /** Without the key: this may end in a log. */
  @Override
  public String toString() {
    return "LocalKey[refusal=" + refusal + "]";
  }
}
