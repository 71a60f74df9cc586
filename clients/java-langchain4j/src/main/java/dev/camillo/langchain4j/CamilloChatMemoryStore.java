package dev.camillo.langchain4j;

import dev.camillo.client.Camillo;
import dev.camillo.client.SlotNames;
import dev.camillo.client.SlotRecords;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ChatMessageDeserializer;
import dev.langchain4j.data.message.ChatMessageSerializer;
import dev.langchain4j.store.memory.chat.ChatMemoryStore;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/**
 * Keeps the messages of chat memories in a space: {@code new
 * CamilloChatMemoryStore(camillo.forUser("42"))}. To be shared between threads.
 *
 * <p>Messages come back as LangChain4j's own serializer has them, in their order. An update puts
 * all of them in the place of those that were there: of several at once the last one's stay, whole.
 * No recall finds them. An id is its {@code toString()}. Failures are {@link
 * dev.camillo.client.errors.CamilloError}.
 */
public final class CamilloChatMemoryStore implements ChatMemoryStore {
  private static final String SOURCE = "langchain4j";

  private final Function<Object, Camillo> spaces;

  /** All memories in the space of this client. */
  public CamilloChatMemoryStore(Camillo camillo) {
    this(id -> camillo);
  }

  /** Each memory in a space of its own: {@code id -> camillo.forUser(id.toString())}. */
  public CamilloChatMemoryStore(Function<Object, Camillo> spaces) {
    this.spaces = Objects.requireNonNull(spaces, "spaces");
  }

  /** The messages of a memory; none of one that nobody has heard of. */
  @Override
  public List<ChatMessage> getMessages(Object memoryId) {
    return records(memoryId)
        .read(key(memoryId))
        .map(bytes -> new String(bytes, StandardCharsets.UTF_8))
        .map(ChatMessageDeserializer::messagesFromJson)
        .map(messages -> (List<ChatMessage>) new ArrayList<>(messages))
        .orElseGet(ArrayList::new);
  }

  /** Puts messages in the place of all of a memory. */
  @Override
  public void updateMessages(Object memoryId, List<ChatMessage> messages) {
    String json = ChatMessageSerializer.messagesToJson(messages);
    records(memoryId).write(key(memoryId), json.getBytes(StandardCharsets.UTF_8));
  }

  /** Removes the messages of a memory for good, with those that were replaced before. */
  @Override
  public void deleteMessages(Object memoryId) {
    records(memoryId).delete(key(memoryId));
  }

  private SlotRecords records(Object memoryId) {
    return new SlotRecords(spaces.apply(Objects.requireNonNull(memoryId, "memoryId")), SOURCE);
  }

  private static String key(Object memoryId) {
    return "/" + SOURCE + "/memories/" + SlotNames.of(memoryId.toString());
  }
}
