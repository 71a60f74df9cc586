package dev.camillo.conformance;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import dev.camillo.client.ByteSource;
import dev.camillo.client.Camillo;
import dev.camillo.client.FoundItem;
import dev.camillo.client.MemoryRef;
import dev.camillo.client.Methods;
import dev.camillo.client.Ranges;
import dev.camillo.client.Series;
import dev.camillo.v1.Artifact;
import dev.camillo.v1.PublishDocumentHeader;
import dev.camillo.v1.RecallHit;
import dev.camillo.v1.RecallResponse;
import io.grpc.MethodDescriptor;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/** The meaning of each command of the conformance suite for the Java client. */
final class Commands implements AutoCloseable {
  private final Clients clients = new Clients();

  /** Returns what came of a command. */
  JsonElement run(JsonObject command) throws Exception {
    String name = text(command, "do");
    switch (name) {
      case "connect" -> clients.connect(command);
      case "bind" -> clients.bind(command);
      case "close" -> clients.close(command);
      case "call" -> {
        return call(command);
      }
      case "hits" -> {
        return hits(command);
      }
      case "recall" -> {
        return recall(command);
      }
      case "bundle" -> {
        return bundle(command);
      }
      case "record" -> {
        return record(command);
      }
      case "pages" -> {
        return pages(command);
      }
      case "stream" -> {
        return stream(command);
      }
      case "put" -> {
        return put(command);
      }
      case "publish" -> {
        return publish(command);
      }
      case "read" -> {
        return read(command);
      }
      case "offload" -> {
        return offload(command);
      }
      case "render_ref" -> {
        return renderRef(command);
      }
      case "parse_refs" -> {
        return parseRefs(command);
      }
      default -> throw new UnknownCommand(name);
    }
    return JsonNull.INSTANCE;
  }

  @Override
  public void close() {
    clients.close();
  }

  private JsonElement call(JsonObject command) throws InvalidProtocolBufferException {
    Camillo client = clients.of(command);
    Optional<Duration> timeout = Clients.seconds(command);
    Camillo patient = timeout.map(client::withTimeout).orElse(client);
    return ProtoJson.print(patient.call(method(command), request(command)));
  }

  private JsonElement hits(JsonObject command) throws InvalidProtocolBufferException {
    RecallResponse answer =
        (RecallResponse) clients.of(command).call(method(command), request(command));
    JsonArray hits = new JsonArray();
    for (RecallHit hit : answer.getHitsList()) {
      FoundItem item = FoundItem.of(hit);
      JsonObject shown = new JsonObject();
      shown.addProperty("text", item.text());
      shown.addProperty("id", item.id());
      shown.addProperty("ref", item.ref());
      shown.addProperty("kind", item.kind());
      item.occurredAt()
          .ifPresent(moment -> shown.addProperty("occurred_at_ms", moment.toEpochMilli()));
      shown.addProperty("source", item.source());
      item.citation().ifPresent(cited -> shown.addProperty("citation", cited.getDocumentId()));
      hits.add(shown);
    }
    return hits;
  }

  private JsonElement recall(JsonObject command) throws InvalidProtocolBufferException {
    return ProtoJson.print(
        clients
            .of(command)
            .recall(
                text(command, "text"),
                request -> Clients.text(command, "time_zone").ifPresent(request::setTimeZone)));
  }

  private JsonElement bundle(JsonObject command) throws InvalidProtocolBufferException {
    return ProtoJson.print(
        clients
            .of(command)
            .context()
            .bundle(
                text(command, "text"),
                request -> Clients.text(command, "time_zone").ifPresent(request::setTimeZone)));
  }

  private JsonElement record(JsonObject command) throws InvalidProtocolBufferException {
    return ProtoJson.print(
        clients
            .of(command)
            .events()
            .record(text(command, "text"), text(command, "session_id"))
            .value());
  }

  private JsonElement pages(JsonObject command) throws InvalidProtocolBufferException {
    return ProtoJson.print(clients.of(command).pages(method(command), request(command)).toList());
  }

  private JsonElement stream(JsonObject command) throws InvalidProtocolBufferException {
    Camillo client = clients.of(command);
    Camillo patient = Clients.seconds(command).map(client::withStreamTimeout).orElse(client);
    int take = Clients.given(command, "take").map(JsonElement::getAsInt).orElse(Integer.MAX_VALUE);
    List<Message> taken = new ArrayList<>();
    try (Series<Message> messages = patient.stream(method(command), request(command))) {
      for (Message message : messages) {
        taken.add(message);
        if (taken.size() == take) {
          break;
        }
      }
    }
    return ProtoJson.print(taken);
  }

  private JsonElement put(JsonObject command) throws IOException {
    Artifact stored =
        clients
            .of(command)
            .artifacts()
            .put(
                ByteSource.of(Path.of(text(command, "path"))),
                artifact -> Clients.text(command, "name").ifPresent(artifact::setName));
    return ProtoJson.print(stored);
  }

  private JsonElement publish(JsonObject command) throws IOException {
    PublishDocumentHeader.Builder header = PublishDocumentHeader.newBuilder();
    header.getDocumentBuilder().setName(text(command, "name"));
    Clients.text(command, "request_id").ifPresent(header::setRequestId);
    Clients.given(command, "expected_version")
        .ifPresent(version -> header.setExpectedVersion(version.getAsLong()));
    Clients.given(command, "categories")
        .ifPresent(
            categories ->
                categories
                    .getAsJsonArray()
                    .forEach(
                        each -> header.getDocumentBuilder().addCategories(each.getAsString())));
    ByteSource source = ByteSource.of(Path.of(text(command, "path")));
    return ProtoJson.print(clients.of(command).documents().publish(header.build(), source));
  }

  private JsonElement read(JsonObject command) throws IOException, NoSuchAlgorithmException {
    MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
    JsonObject told = new JsonObject();
    try (OutputStream file = Files.newOutputStream(Path.of(text(command, "path")));
        DigestOutputStream target = new DigestOutputStream(file, sha256)) {
      String artifact = text(command, "artifact");
      told.addProperty(
          "bytes", clients.of(command).artifacts().readTo(artifact, Ranges.all(), target));
    }
    told.addProperty("sha256", HexFormat.of().formatHex(sha256.digest()));
    return told;
  }

  private JsonElement offload(JsonObject command) throws InvalidProtocolBufferException {
    return ProtoJson.print(
        clients
            .of(command)
            .artifacts()
            .offload(
                text(command, "text"),
                artifact -> Clients.text(command, "tool").ifPresent(artifact::setTool))
            .response());
  }

  private static JsonElement renderRef(JsonObject command) {
    return new JsonPrimitive(
        MemoryRef.render(text(command, "artifact_id"), text(command, "description")));
  }

  private static JsonElement parseRefs(JsonObject command) {
    JsonArray refs = new JsonArray();
    for (MemoryRef found : MemoryRef.findAll(text(command, "text"))) {
      JsonObject ref = new JsonObject();
      ref.addProperty("artifact_id", found.artifactId());
      ref.addProperty("description", found.description());
      refs.add(ref);
    }
    return refs;
  }

  private static MethodDescriptor<Message, Message> method(JsonObject command) {
    return Methods.find(text(command, "method")).orElseThrow();
  }

  private static Message request(JsonObject command) throws InvalidProtocolBufferException {
    JsonElement json = Clients.given(command, "request").orElseGet(JsonObject::new);
    return ProtoJson.parse(json, Methods.request(method(command)));
  }

  private static String text(JsonObject command, String name) {
    return command.get(name).getAsString();
  }
}
