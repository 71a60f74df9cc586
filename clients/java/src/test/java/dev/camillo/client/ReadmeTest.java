package dev.camillo.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;

/** The README's examples compile. */
class ReadmeTest {
  private static final Pattern EXAMPLE = Pattern.compile("```java\\n(.*?)```", Pattern.DOTALL);

  // Holds what the examples leave out: where they stand, and what they were given.
  private static final String AROUND =
      """
      import dev.camillo.client.*;
      import dev.camillo.v1.*;
      import java.nio.file.Path;
      import java.time.Duration;
      import java.util.List;
      abstract class Example%d {
        Camillo camillo;
        String id, log, key;
        long version;
        void example() throws Exception {
      %s
        }
      }
      """;

  @Test
  void everyExampleCompiles() throws IOException {
    List<String> examples =
        EXAMPLE
            .matcher(Files.readString(Path.of("README.md")))
            .results()
            .map(MatchResult::group)
            .map(text -> text.replaceAll("```(java)?", ""))
            .toList();
    assertTrue(examples.size() >= 4);
    List<Source> sources =
        IntStream.range(0, examples.size())
            .mapToObj(number -> new Source(number, examples.get(number)))
            .toList();
    StringWriter told = new StringWriter();
    List<String> options = List.of("-proc:none", "-d", Files.createTempDirectory("readme") + "");
    var task =
        ToolProvider.getSystemJavaCompiler().getTask(told, null, null, options, null, sources);
    assertTrue(task.call(), told::toString);
    assertEquals("", told.toString());
  }

  private static final class Source extends SimpleJavaFileObject {
    private final String text;

    Source(int number, String example) {
      super(
          URI.create(
              example.contains("class Example {") ? "Example.java" : "Example" + number + ".java"),
          JavaFileObject.Kind.SOURCE);
      text = example.contains("class Example {") ? example : AROUND.formatted(number, example);
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }
}
