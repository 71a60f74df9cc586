package dev.camillo.springai;

import static java.lang.System.Logger.Level.WARNING;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.stream.JsonReader;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.springframework.ai.chat.messages.AbstractMessage;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.AssistantMessage.ToolCall;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.SystemMessage;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.messages.ToolResponseMessage.ToolResponse;
import org.springframework.ai.chat.messages.UserMessage;
import org.springframework.ai.content.Media;
import org.springframework.ai.content.MediaContent;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.util.MimeType;

/** Messages as JSON, which the framework has no form for. */
final class MessageJson {
  private static final System.Logger LOGGER = System.getLogger("dev.camillo.springai");
  private static final Gson GSON =
      new GsonBuilder()
          .serializeNulls()
          .serializeSpecialFloatingPointValues()
          .setObjectToNumberStrategy(MessageJson::number)
          .create();

  private MessageJson() {}

  /** A conversation with its id. */
  record Held(String id, List<HeldMessage> held) {
    List<Message> messages() {
      return held.stream().map(MessageJson::message).collect(Collectors.toList());
    }
  }

  record HeldMessage(
      String type,
      String text,
      Map<String, Object> metadata,
      List<ToolCall> calls,
      List<ToolResponse> responses,
      List<HeldMedia> media) {}

  record HeldMedia(String mimeType, String id, String name, boolean isBytes, String data) {}

  static byte[] written(String id, List<Message> messages) {
    Held held = new Held(id, messages.stream().map(MessageJson::held).toList());
    return GSON.toJson(held).getBytes(StandardCharsets.UTF_8);
  }

  static Held read(byte[] json) {
    return GSON.fromJson(new String(json, StandardCharsets.UTF_8), Held.class);
  }

  private static HeldMessage held(Message message) {
    return new HeldMessage(
        message.getMessageType().name(),
        message.getText(),
        metadata(message.getMetadata()),
        message instanceof AssistantMessage said ? said.getToolCalls() : List.of(),
        message instanceof ToolResponseMessage told ? told.getResponses() : List.of(),
        message instanceof MediaContent shown
            ? shown.getMedia().stream().map(MessageJson::held).toList()
            : List.of());
  }

  private static Message message(HeldMessage held) {
    List<Media> media = held.media().stream().map(MessageJson::media).toList();
    return switch (held.type()) {
      case "USER" ->
          UserMessage.builder().text(held.text()).metadata(held.metadata()).media(media).build();
      case "ASSISTANT" ->
          AssistantMessage.builder()
              .content(held.text())
              .properties(held.metadata())
              .toolCalls(held.calls())
              .media(media)
              .build();
      case "SYSTEM" -> SystemMessage.builder().text(held.text()).metadata(held.metadata()).build();
      case "TOOL" ->
          ToolResponseMessage.builder()
              .responses(held.responses())
              .metadata(held.metadata())
              .build();
      default -> throw new IllegalStateException("a message of the type " + held.type());
    };
  }

  private static HeldMedia held(Media media) {
    boolean isBytes = media.getData() instanceof byte[];
    String data =
        isBytes
            ? Base64.getEncoder().encodeToString(media.getDataAsByteArray())
            : URI.create(media.getData().toString()).toString();
    String type = media.getMimeType().toString();
    return new HeldMedia(type, media.getId(), media.getName(), isBytes, data);
  }

  private static Media media(HeldMedia held) {
    Media.Builder media = Media.builder().mimeType(MimeType.valueOf(held.mimeType()));
    if (held.isBytes()) {
      media.data(new ByteArrayResource(Base64.getDecoder().decode(held.data())));
    } else {
      media.data(URI.create(held.data()));
    }
    return media.id(held.id()).name(held.name()).build();
  }

  private static Map<String, Object> metadata(Map<String, Object> given) {
    Map<String, Object> kept = new LinkedHashMap<>(given);
    // Each message has its own type there already.
    kept.remove(AbstractMessage.MESSAGE_TYPE);
    List<String> left = kept.keySet().stream().filter(name -> !isJson(kept.get(name))).toList();
    if (!left.isEmpty()) {
      kept.keySet().removeAll(left);
      LOGGER.log(WARNING, "metadata of a message is not kept, for it is no JSON: {0}", left);
    }
    return kept;
  }

  private static boolean isJson(Object value) {
    if (value instanceof Map<?, ?> map) {
      return map.keySet().stream().allMatch(String.class::isInstance)
          && map.values().stream().allMatch(MessageJson::isJson);
    }
    return value == null
        || value instanceof String
        || value instanceof Boolean
        || value instanceof Number
        || value instanceof List<?> list && list.stream().allMatch(MessageJson::isJson);
  }

  /** The smallest kind of number that holds it. */
  private static Number number(JsonReader reader) throws IOException {
    String text = reader.nextString();
    try {
      long whole = Long.parseLong(text);
      return whole == (int) whole ? (Number) (int) whole : (Number) whole;
    } catch (NumberFormatException fraction) {
      return Double.valueOf(text);
    }
  }
}
