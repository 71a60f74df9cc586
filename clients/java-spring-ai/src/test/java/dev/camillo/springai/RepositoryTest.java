package dev.camillo.springai;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.camillo.client.Camillo;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.ai.chat.memory.InMemoryChatMemoryRepository;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.AssistantMessage.ToolCall;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.SystemMessage;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.messages.ToolResponseMessage.ToolResponse;
import org.springframework.ai.chat.messages.UserMessage;
import org.springframework.ai.content.Media;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.util.MimeTypeUtils;

/** Promises of the repository, beside Spring AI's own. */
class RepositoryTest {
  private static final List<Message> EVERY_KIND =
      List.of(
          SystemMessage.builder().text("Antworte kurz. 短く答えて。").build(),
          UserMessage.builder()
              .text("Кошка, 猫, قطة 🐈\u2028two\u0000")
              .metadata(Map.of("n", 1, "x", 2.5, "deep", List.of(Map.of("é", true), "ü")))
              .build(),
          AssistantMessage.builder()
              .content(null)
              .properties(Map.of("finishReason", "TOOL_CALLS", "big", 1L << 40))
              .toolCalls(List.of(new ToolCall("c1", "function", "weather", "{\"place\": \"東京\"}")))
              .build(),
          ToolResponseMessage.builder()
              .responses(List.of(new ToolResponse("c1", "weather", "आज बारिश")))
              .build(),
          new AssistantMessage("It rains."));

  private static Camillo connected;
  private Camillo camillo;

  @BeforeAll
  static void connect() {
    connected = Camillo.connect().withTimeout(Duration.ofMinutes(1));
  }

  @AfterAll
  static void close() {
    connected.close();
  }

  @BeforeEach
  void meet() {
    camillo = connected.forUser(UUID.randomUUID().toString());
  }

  @Test
  void everyKindOfMessageComesBackAsItWasUntilItIsDeleted() {
    var repository = new CamilloChatMemoryRepository(camillo);
    byte[] noise = new byte[300_000];
    new Random(1).nextBytes(noise);
    List<Message> messages = new ArrayList<>(EVERY_KIND);
    messages.add(new UserMessage(Base64.getEncoder().encodeToString(noise)));
    repository.saveAll("чат/1 ü", messages);
    assertEquals(
        messages, new CamilloChatMemoryRepository(camillo).findByConversationId("чат/1 ü"));
    assertEquals(1, camillo.artifacts().list().toList().size());
    repository.saveAll("чат/1 ü", EVERY_KIND);
    assertEquals(EVERY_KIND, repository.findByConversationId("чат/1 ü"));
    assertEquals(List.of(), camillo.artifacts().list().toList());
    repository.deleteByConversationId("чат/1 ü");
    repository.deleteByConversationId("чат/1 ü");
    assertEquals(List.of(), repository.findByConversationId("чат/1 ü"));
    assertEquals(List.of(), camillo.slots().list("").toList());
  }

  @Test
  void mediaComeBackAndMetadataThatIsNoJsonIsLeftOut() {
    var repository = new CamilloChatMemoryRepository(camillo);
    byte[] bytes = {0, 1, -1};
    var image =
        Media.builder()
            .mimeType(MimeTypeUtils.IMAGE_PNG)
            .data(new ByteArrayResource(bytes))
            .id("i1")
            .name("кот")
            .build();
    var link = new Media(MimeTypeUtils.IMAGE_JPEG, URI.create("https://example.com/%C3%BC.jpg"));
    var said =
        UserMessage.builder()
            .text("look")
            .media(image, link)
            .metadata(Map.of("kept", "yes", "moment", Instant.EPOCH))
            .build();
    repository.saveAll("s", List.of(said));
    var read = (UserMessage) repository.findByConversationId("s").get(0);
    assertEquals(2, read.getMedia().size());
    assertArrayEquals(bytes, read.getMedia().get(0).getDataAsByteArray());
    assertEquals("i1", read.getMedia().get(0).getId());
    assertEquals("кот", read.getMedia().get(0).getName());
    assertEquals(link.getData(), read.getMedia().get(1).getData());
    assertEquals(MimeTypeUtils.IMAGE_JPEG, read.getMedia().get(1).getMimeType());
    assertEquals(Set.of("kept", "messageType"), read.getMetadata().keySet());
  }

  @Test
  void conversationsOfASpaceAreListedByTheirIds() {
    var repository = new CamilloChatMemoryRepository(camillo);
    String longId = "ß".repeat(500);
    var ids = Set.of("7", ".", "a/b", "A", "a", "чат +%20", longId, longId + "x");
    for (String id : ids) {
      repository.saveAll(id, List.of(new UserMessage("of " + id)));
    }
    camillo.slots().setMemory("/spring-ai-other/x", "{}", "test");
    assertEquals(ids, Set.copyOf(repository.findConversationIds()));
    assertEquals(ids.size(), repository.findConversationIds().size());
    for (String id : ids) {
      assertEquals("of " + id, repository.findByConversationId(id).get(0).getText());
    }
    var other = connected.forUser(UUID.randomUUID().toString());
    assertEquals(List.of(), new CamilloChatMemoryRepository(other).findConversationIds());
  }

  @Test
  void argumentsAreCheckedAsTheFrameworksOwnRepositoryDoes() {
    for (var repository :
        List.of(new CamilloChatMemoryRepository(camillo), new InMemoryChatMemoryRepository())) {
      for (String id : Arrays.asList(null, "", " ")) {
        assertThrows(IllegalArgumentException.class, () -> repository.findByConversationId(id));
        assertThrows(IllegalArgumentException.class, () -> repository.saveAll(id, List.of()));
        assertThrows(IllegalArgumentException.class, () -> repository.deleteByConversationId(id));
      }
      assertThrows(IllegalArgumentException.class, () -> repository.saveAll("s", null));
      assertThrows(
          IllegalArgumentException.class,
          () -> repository.saveAll("s", Arrays.asList((Message) null)));
      assertEquals(List.of(), repository.findConversationIds());
    }
  }

  @Test
  void noRecallFindsMessages() {
    var repository = new CamilloChatMemoryRepository(camillo);
    repository.saveAll("s", List.of(new UserMessage("The office opens at nine")));
    camillo.remember("The shop opens at ten");
    var texts =
        camillo.recall("when does the office open?").getHitsList().stream()
            .map(hit -> hit.getMemory().getContent())
            .toList();
    assertEquals(List.of("The shop opens at ten"), texts);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void randomCallsLeaveWhatTheFrameworksOwnRepositoryHas(long seed) {
    var chance = new Random(seed);
    var repository = new CamilloChatMemoryRepository(camillo);
    var own = new InMemoryChatMemoryRepository();
    for (int step = 0; step < 25; step++) {
      String id = "c" + chance.nextInt(3);
      if (chance.nextInt(4) == 0) {
        repository.deleteByConversationId(id);
        own.deleteByConversationId(id);
      } else {
        List<Message> messages = new ArrayList<>(own.findByConversationId(id));
        if (chance.nextBoolean()) {
          messages.add(new UserMessage("step " + step));
        } else {
          messages = EVERY_KIND.subList(chance.nextInt(3), 3 + chance.nextInt(3));
        }
        repository.saveAll(id, messages);
        own.saveAll(id, messages);
      }
      assertEquals(own.findByConversationId(id), repository.findByConversationId(id));
    }
    assertEquals(
        Set.copyOf(own.findConversationIds()), Set.copyOf(repository.findConversationIds()));
  }

  @Test
  void ofSeveralWritersOneLeavesItsMessagesWhole() {
    byte[] noise = new byte[60_000];
    new Random(2).nextBytes(noise);
    // Some are slots alone, some have an artifact.
    List<List<Message>> given =
        IntStream.range(0, 6)
            .mapToObj(
                n -> {
                  String text = n % 2 == 0 ? Base64.getEncoder().encodeToString(noise) : "short";
                  return List.<Message>of(new UserMessage("of " + n), new AssistantMessage(text));
                })
            .toList();
    var repository = new CamilloChatMemoryRepository(camillo);
    var all =
        given.stream()
            .map(each -> CompletableFuture.runAsync(() -> repository.saveAll("s", each)))
            .toArray(CompletableFuture[]::new);
    CompletableFuture.allOf(all).join();
    List<Message> left = repository.findByConversationId("s");
    assertTrue(given.contains(left), left::toString);
    int artifacts = given.indexOf(left) % 2 == 0 ? 1 : 0;
    assertEquals(artifacts, camillo.artifacts().list().toList().size());
  }
}
