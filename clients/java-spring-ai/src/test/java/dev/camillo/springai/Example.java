package dev.camillo.springai;

import dev.camillo.client.Camillo;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.client.advisor.MessageChatMemoryAdvisor;
import org.springframework.ai.chat.memory.ChatMemory;
import org.springframework.ai.chat.memory.MessageWindowChatMemory;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.Prompt;

/** Goes on with a conversation where another process left it, with a scripted model. */
final class Example {
  private Example() {}

  /** Answers what its messages tell it. */
  static final class ScriptedModel implements ChatModel {
    @Override
    public ChatResponse call(Prompt prompt) {
      List<String> texts = prompt.getInstructions().stream().map(Message::getText).toList();
      boolean isAsked = texts.get(texts.size() - 1).equals("What do I drink?");
      boolean isTold = texts.contains("I drink tea.");
      String answer = !isAsked ? "Noted." : isTold ? "You drink tea." : "I do not know.";
      return new ChatResponse(List.of(new Generation(new AssistantMessage(answer))));
    }
  }

  static String answer(Camillo ada, String chat, String question) {
    var memory =
        MessageWindowChatMemory.builder()
            .chatMemoryRepository(new CamilloChatMemoryRepository(ada))
            .build();
    return ChatClient.builder(new ScriptedModel())
        .defaultAdvisors(MessageChatMemoryAdvisor.builder(memory).build())
        .build()
        .prompt(question)
        .advisors(advisor -> advisor.param(ChatMemory.CONVERSATION_ID, chat))
        .call()
        .content();
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
