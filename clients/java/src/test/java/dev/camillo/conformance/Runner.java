package dev.camillo.conformance;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * The Java client as the conformance suite drives it: a command in JSON on each line of the input,
 * its answer on each of the output, in order, until the input ends.
 */
public final class Runner {
  private Runner() {}

  /** Answers until the input ends. */
  public static void main(String[] arguments) throws IOException {
    // Nothing else may stand on the output: whatever prints goes to the standard error.
    PrintStream output =
        new PrintStream(new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8);
    System.setOut(System.err);
    BufferedReader input =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    try (Commands commands = new Commands()) {
      for (String line = input.readLine(); line != null; line = input.readLine()) {
        output.println(answer(commands, JsonParser.parseString(line).getAsJsonObject()));
        output.flush();
      }
    }
  }

  private static JsonObject answer(Commands commands, JsonObject command) {
    JsonObject answer = new JsonObject();
    answer.add("id", command.get("id"));
    try {
      answer.add("ok", commands.run(command));
    } catch (Exception failed) {
      answer.add("error", ErrorJson.of(failed));
    }
    return answer;
  }
}
