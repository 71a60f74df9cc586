package dev.camillo.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import io.grpc.MethodDescriptor;
import io.grpc.ServiceDescriptor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every method of the contract is known, and those that are retried are those of every client. */
class MethodsTest {
  private static final Path CONTRACT = Path.of("..", "..", "proto", "camillo", "v1");

  @Test
  void everyMethodOfTheContractIsFoundByItsName() throws IOException {
    try (Stream<Path> files = Files.list(CONTRACT)) {
      Set<String> methods =
          files.flatMap(file -> declared(file, "(?m)^  rpc (\\w+)\\(")).collect(Collectors.toSet());
      assertTrue(methods.size() > 70);
      assertEquals(methods, known());
    }
  }

  private static Stream<String> declared(Path file, String pattern) {
    try {
      String text = Files.readString(file);
      String service =
          Pattern.compile("(?m)^service (\\w+)")
              .matcher(text)
              .results()
              .map(found -> found.group(1))
              .findFirst()
              .orElse("");
      return Pattern.compile(pattern)
          .matcher(text)
          .results()
          .map((MatchResult found) -> "camillo.v1." + service + "/" + found.group(1));
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  private static Set<String> known() {
    return Methods.SERVICES.stream()
        .map(ServiceDescriptor::getMethods)
        .flatMap(methods -> methods.stream().map(MethodDescriptor::getFullMethodName))
        .filter(name -> Methods.find(name).isPresent())
        .collect(Collectors.toSet());
  }

  @Test
  void anEmptyRequestOfAMethodIsMade() {
    var method = Methods.find("camillo.v1.MemoryService/Recall").orElseThrow();
    assertEquals("RecallRequest", Methods.request(method).getDescriptorForType().getName());
    assertTrue(Methods.find("camillo.v1.MemoryService/Nothing").isEmpty());
  }

  @Test
  void theServiceConfigIsThatOfEveryClient() {
    JsonElement shared = SharedCases.json("service_config.json");
    assertEquals(shared, new Gson().toJsonTree(ServiceConfig.load()));
  }
}
