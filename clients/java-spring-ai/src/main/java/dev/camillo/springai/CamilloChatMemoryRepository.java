package dev.camillo.springai;

import dev.camillo.client.Camillo;
import dev.camillo.client.SlotNames;
import dev.camillo.client.SlotRecords;
import dev.camillo.v1.Slot;
import java.util.List;
import org.springframework.ai.chat.memory.ChatMemoryRepository;
import org.springframework.ai.chat.messages.Message;
import org.springframework.util.Assert;

/**
 * Keeps conversations in a space: {@code new CamilloChatMemoryRepository(camillo.forUser("42"))}.
 * To be shared between threads.
 *
 * <p>Messages come back as they were, in their order: texts, tool calls and their results, media,
 * and what their metadata has of JSON; what else it has is left out, and a warning is logged. A
 * save puts all messages in the place of those that were there: of several at once the last one's
 * stay, whole. No recall finds them. Failures are {@link dev.camillo.client.errors.CamilloError}.
 */
public final class CamilloChatMemoryRepository implements ChatMemoryRepository {
  private static final String SOURCE = "spring-ai";
  private static final String PREFIX = "/" + SOURCE + "/conversations";

  private final SlotRecords records;

  /** Conversations in the space of this client. */
  public CamilloChatMemoryRepository(Camillo camillo) {
    Assert.notNull(camillo, "camillo cannot be null");
    records = new SlotRecords(camillo, SOURCE);
  }

  /** Returns the ids of all conversations of the space that were saved, in no order. */
  @Override
  public List<String> findConversationIds() {
    return records.below(PREFIX).map(this::idOf).toList();
  }

  /** The messages of a conversation; none of one that nobody has heard of. */
  @Override
  public List<Message> findByConversationId(String conversationId) {
    return records
        .read(key(conversationId))
        .map(bytes -> MessageJson.read(bytes).messages())
        .orElseGet(List::of);
  }

  /**
   * Puts messages in the place of all of a conversation; IllegalArgumentException for media whose
   * data is neither bytes nor a URI.
   */
  @Override
  public void saveAll(String conversationId, List<Message> messages) {
    Assert.notNull(messages, "messages cannot be null");
    Assert.noNullElements(messages, "messages cannot contain null elements");
    records.write(key(conversationId), MessageJson.written(conversationId, messages));
  }

  /** Removes a conversation for good, with messages that were replaced before. */
  @Override
  public void deleteByConversationId(String conversationId) {
    records.delete(key(conversationId));
  }

  private String idOf(Slot slot) {
    String name = slot.getKey().substring(PREFIX.length() + 1);
    return SlotNames.text(name).orElseGet(() -> MessageJson.read(records.data(slot)).id());
  }

  private static String key(String conversationId) {
    Assert.hasText(conversationId, "conversationId cannot be null or empty");
    return PREFIX + "/" + SlotNames.of(conversationId);
  }
}
