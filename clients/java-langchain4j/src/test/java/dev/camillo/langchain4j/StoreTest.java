package dev.camillo.langchain4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.camillo.client.Camillo;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.CustomMessage;
import dev.langchain4j.data.message.ImageContent;
import dev.langchain4j.data.message.SystemMessage;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.store.memory.chat.InMemoryChatMemoryStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Promises of the store, beside LangChain4j's own. */
class StoreTest {
  private static final List<ChatMessage> EVERY_KIND =
      List.of(
          SystemMessage.from("Antworte kurz. 短く答えて。"),
          UserMessage.from(
              "ада",
              TextContent.from("Кошка, 猫, قطة 🐈\u2028two\u0000"),
              ImageContent.from("AAEC", "image/png")),
          AiMessage.from(
              "I look, then I tell.",
              List.of(
                  ToolExecutionRequest.builder()
                      .id("c1")
                      .name("weather")
                      .arguments("{\"place\": \"東京\", \"days\": 1.0}")
                      .build())),
          ToolExecutionResultMessage.from("c1", "weather", "आज बारिश"),
          AiMessage.from("It rains."),
          CustomMessage.from(Map.of("anything", "ελληνικά")));

  private static Camillo connected;
  private Camillo camillo;

  @BeforeAll
  static void connect() {
    connected = Camillo.connect().withTimeout(java.time.Duration.ofMinutes(1));
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
    var store = new CamilloChatMemoryStore(camillo);
    byte[] noise = new byte[300_000];
    new Random(1).nextBytes(noise);
    List<ChatMessage> messages = new ArrayList<>(EVERY_KIND);
    messages.add(UserMessage.from(Base64.getEncoder().encodeToString(noise)));
    store.updateMessages("чат/1 ü", messages);
    assertEquals(messages, new CamilloChatMemoryStore(camillo).getMessages("чат/1 ü"));
    assertEquals(1, camillo.artifacts().list().toList().size());
    store.updateMessages("чат/1 ü", messages.subList(1, 7));
    assertEquals(messages.subList(1, 7), store.getMessages("чат/1 ü"));
    assertEquals(1, camillo.artifacts().list().toList().size());
    assertEquals(List.of(), store.getMessages("other"));
    store.deleteMessages("чат/1 ü");
    store.deleteMessages("чат/1 ü");
    assertEquals(List.of(), store.getMessages("чат/1 ü"));
    assertEquals(List.of(), camillo.artifacts().list().toList());
    assertEquals(List.of(), camillo.slots().list("").toList());
  }

  @Test
  void noRecallFindsMessages() {
    var store = new CamilloChatMemoryStore(camillo);
    store.updateMessages("s", List.of(UserMessage.from("The office opens at nine")));
    camillo.remember("The shop opens at ten");
    var texts =
        camillo.recall("when does the office open?").getHitsList().stream()
            .map(hit -> hit.getMemory().getContent())
            .toList();
    assertEquals(List.of("The shop opens at ten"), texts);
  }

  @Test
  void anIdIsItsTextAndMayHaveASpaceOfItsOwn() {
    var store = new CamilloChatMemoryStore(camillo);
    String longId = "ß".repeat(500);
    for (Object id :
        List.of(7, "", ".", "a/b", "A", "a", longId, longId + "x", "\ud800", "\ud801")) {
      assertEquals(List.of(), store.getMessages(id));
      store.updateMessages(id, List.of(UserMessage.from("of " + id.hashCode())));
    }
    assertEquals(List.of(UserMessage.from("of 7")), store.getMessages("7"));
    assertThrows(NullPointerException.class, () -> store.getMessages(null));
    String user = UUID.randomUUID().toString();
    var apart = new CamilloChatMemoryStore(id -> connected.forUser(user + id));
    apart.updateMessages("1", EVERY_KIND);
    assertEquals(EVERY_KIND, apart.getMessages("1"));
    assertEquals(1, connected.forUser(user + "1").slots().list("").toList().size());
    assertEquals(List.of(), connected.forUser(user + "2").slots().list("").toList());
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void randomCallsLeaveWhatTheFrameworksOwnStoreHas(long seed) {
    var chance = new Random(seed);
    var store = new CamilloChatMemoryStore(camillo);
    var own = new InMemoryChatMemoryStore();
    for (int step = 0; step < 25; step++) {
      String id = "m" + chance.nextInt(3);
      switch (chance.nextInt(4)) {
        case 0 -> {
          store.deleteMessages(id);
          own.deleteMessages(id);
        }
        case 1 -> {
          List<ChatMessage> kept = EVERY_KIND.subList(chance.nextInt(3), 3 + chance.nextInt(4));
          store.updateMessages(id, kept);
          own.updateMessages(id, kept);
        }
        default -> {
          List<ChatMessage> more = new ArrayList<>(own.getMessages(id));
          more.add(UserMessage.from("step " + step));
          store.updateMessages(id, more);
          own.updateMessages(id, more);
        }
      }
      assertEquals(own.getMessages(id), store.getMessages(id));
    }
  }

  @Test
  void ofSeveralWritersOneLeavesItsMessagesWhole() {
    byte[] noise = new byte[60_000];
    new Random(2).nextBytes(noise);
    // Some are slots alone, some have an artifact.
    List<List<ChatMessage>> given =
        IntStream.range(0, 6)
            .mapToObj(
                n -> {
                  String text = n % 2 == 0 ? Base64.getEncoder().encodeToString(noise) : "short";
                  return List.<ChatMessage>of(UserMessage.from("of " + n), AiMessage.from(text));
                })
            .toList();
    var store = new CamilloChatMemoryStore(camillo);
    var all =
        given.stream()
            .map(each -> CompletableFuture.runAsync(() -> store.updateMessages("s", each)))
            .toArray(CompletableFuture[]::new);
    CompletableFuture.allOf(all).join();
    List<ChatMessage> left = store.getMessages("s");
    assertTrue(given.contains(left), left::toString);
    int artifacts = given.indexOf(left) % 2 == 0 ? 1 : 0;
    assertEquals(artifacts, camillo.artifacts().list().toList().size());
  }
}
