package dev.camillo.conformance;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonParser;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.MessageOrBuilder;
import com.google.protobuf.util.JsonFormat;
import com.google.rpc.ErrorDetailsProto;

/** Messages as proto3 JSON. */
final class ProtoJson {
  // The details of errors in batches may be any of them.
  private static final JsonFormat.TypeRegistry TYPES =
      JsonFormat.TypeRegistry.newBuilder()
          .add(ErrorDetailsProto.getDescriptor().getMessageTypes())
          .build();
  private static final JsonFormat.Printer PRINTER =
      JsonFormat.printer().usingTypeRegistry(TYPES).omittingInsignificantWhitespace();

  private ProtoJson() {}

  /** The message in this JSON, of the type of that one. */
  static Message parse(JsonElement json, Message type) throws InvalidProtocolBufferException {
    Message.Builder message = type.newBuilderForType();
    JsonFormat.parser().usingTypeRegistry(TYPES).merge(json.toString(), message);
    return message.build();
  }

  static JsonElement print(MessageOrBuilder message) throws InvalidProtocolBufferException {
    return JsonParser.parseString(PRINTER.print(message));
  }

  static JsonArray print(Iterable<? extends Message> messages)
      throws InvalidProtocolBufferException {
    JsonArray printed = new JsonArray();
    for (Message message : messages) {
      printed.add(print(message));
    }
    return printed;
  }
}
