package dev.camillo.client;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** Files beside this client's directory, which the clients of all languages share. */
final class SharedCases {
  private SharedCases() {}

  /** The cases under a name in one of them. */
  static Stream<JsonObject> of(String file, String name) {
    JsonElement cases = json(file).getAsJsonObject().get(name);
    return StreamSupport.stream(cases.getAsJsonArray().spliterator(), false)
        .map(JsonElement::getAsJsonObject);
  }

  static JsonElement json(String file) {
    try {
      return JsonParser.parseString(Files.readString(Path.of("..", file)));
    } catch (IOException missing) {
      throw new UncheckedIOException(missing);
    }
  }
}
