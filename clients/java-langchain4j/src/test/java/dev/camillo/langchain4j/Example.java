package dev.camillo.langchain4j;

import dev.camillo.client.Camillo;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.MemoryId;
import java.time.Duration;
import java.util.UUID;

/** Goes on with a conversation where another process left it, with a scripted model. */
final class Example {
  private Example() {}

  /** Answers what its messages tell it. */
  static final class ScriptedModel implements ChatModel {
    @Override
    public ChatResponse doChat(ChatRequest request) {
      boolean isAsked = request.messages().get(request.messages().size() - 1).equals(asked());
      boolean isTold = request.messages().contains(UserMessage.from("I drink tea."));
      String answer = !isAsked ? "Noted." : isTold ? "You drink tea." : "I do not know.";
      return ChatResponse.builder().aiMessage(AiMessage.from(answer)).build();
    }

    private static UserMessage asked() {
      return UserMessage.from("What do I drink?");
    }
  }

  /** An assistant with a memory for each conversation. */
  interface Assistant {
    String answer(@MemoryId String chat, @dev.langchain4j.service.UserMessage String question);
  }

  static String answer(Camillo ada, String chat, String question) {
    var store = new CamilloChatMemoryStore(ada);
    Assistant assistant =
        AiServices.builder(Assistant.class)
            .chatModel(new ScriptedModel())
            .chatMemoryProvider(
                id ->
                    MessageWindowChatMemory.builder()
                        .id(id)
                        .maxMessages(20)
                        .chatMemoryStore(store)
                        .build())
            .build();
    return assistant.answer(chat, question);
  }

  public static void main(String[] arguments) {
    try (var camillo = Camillo.builder().timeout(Duration.ofMinutes(1)).connect()) {
      var ada = camillo.forUser(UUID.randomUUID().toString());
      System.out.println(answer(ada, "chat-7", "I drink tea."));
      System.out.println(answer(ada, "chat-7", "What do I drink?"));
      System.out.println(answer(ada, "chat-8", "What do I drink?"));
    }
  }
}
