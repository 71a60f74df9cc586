package dev.camillo.springai;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.camillo.client.Camillo;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.StringWriter;
import java.lang.reflect.Method;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.ai.chat.model.ChatModel;

/** The example, and that of the README, do what they say. */
class ExampleTest {
  @Test
  void theExampleGoesOnWithAConversation() {
    PrintStream out = System.out;
    var told = new ByteArrayOutputStream();
    System.setOut(new PrintStream(told, true, StandardCharsets.UTF_8));
    try {
      Example.main(new String[0]);
    } finally {
      System.setOut(out);
    }
    assertEquals(
        List.of("Noted.", "You drink tea.", "I do not know."),
        told.toString(StandardCharsets.UTF_8).lines().toList());
  }

  @Test
  void theReadmesExampleDoesTheSame(@TempDir Path classes) throws Exception {
    var readme = Files.readString(Path.of(System.getProperty("adapter"), "README.md"));
    var example = Pattern.compile("```java\\n(.*?)```", Pattern.DOTALL).matcher(readme);
    assertTrue(example.find());
    var source =
        new SimpleJavaFileObject(URI.create("Chat.java"), JavaFileObject.Kind.SOURCE) {
          @Override
          public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return example.group(1);
          }
        };
    var told = new StringWriter();
    var options = List.of("-parameters", "-proc:none", "-d", classes.toString());
    var compiler = ToolProvider.getSystemJavaCompiler();
    assertTrue(
        compiler.getTask(told, null, null, options, null, List.of(source)).call(), told::toString);
    try (var loader = new URLClassLoader(new URL[] {classes.toUri().toURL()});
        var camillo = Camillo.builder().timeout(Duration.ofMinutes(1)).connect()) {
      Method answer =
          loader
              .loadClass("Chat")
              .getDeclaredMethod(
                  "answer", Camillo.class, ChatModel.class, String.class, String.class);
      answer.setAccessible(true);
      var ada = camillo.forUser(UUID.randomUUID().toString());
      var model = new Example.ScriptedModel();
      assertEquals("Noted.", answer.invoke(null, ada, model, "chat-7", "I drink tea."));
      assertEquals("You drink tea.", answer.invoke(null, ada, model, "chat-7", "What do I drink?"));
    }
  }
}
