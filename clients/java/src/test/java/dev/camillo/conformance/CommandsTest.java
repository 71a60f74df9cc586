package dev.camillo.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import org.junit.jupiter.api.Test;

/** The runner understands the suite. */
class CommandsTest {
  private static JsonObject json(String text) {
    return JsonParser.parseString(text).getAsJsonObject();
  }

  @Test
  void refsAreRenderedAndParsed() throws Exception {
    try (Commands commands = new Commands()) {
      JsonObject render =
          json("{\"do\":\"render_ref\",\"artifact_id\":\"abc\",\"description\":\"tea\"}");
      assertEquals("[MemoryRef: abc - tea]", commands.run(render).getAsString());
      JsonObject parse = json("{\"do\":\"parse_refs\",\"text\":\"x [MemoryRef: abc - tea]\"}");
      JsonArray refs = commands.run(parse).getAsJsonArray();
      assertEquals(json("{\"artifact_id\":\"abc\",\"description\":\"tea\"}"), refs.get(0));
    }
  }

  @Test
  void anUnknownCommandIsSaidToBeUnknown() {
    try (Commands commands = new Commands()) {
      UnknownCommand error =
          assertThrows(UnknownCommand.class, () -> commands.run(json("{\"do\":\"dance\"}")));
      assertEquals("UNKNOWN_COMMAND", ErrorJson.of(error).get("code").getAsString());
    }
  }

  @Test
  void whatCannotBeReachedIsAnErrorOfTheCall() throws Exception {
    try (Commands commands = new Commands()) {
      commands.run(json("{\"do\":\"connect\",\"client\":\"a\",\"address\":\"localhost:1\"}"));
      JsonObject call =
          json("{\"do\":\"call\",\"client\":\"a\",\"method\":\"camillo.v1.AdminService/WhoAmI\"}");
      Exception error = assertThrows(Exception.class, () -> commands.run(call));
      assertEquals("UNAVAILABLE", ErrorJson.of(error).get("code").getAsString());
    }
  }
}
