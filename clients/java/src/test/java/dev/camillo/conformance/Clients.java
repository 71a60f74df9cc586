package dev.camillo.conformance;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.camillo.client.Camillo;
import dev.camillo.client.CamilloBuilder;
import dev.camillo.client.Tls;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The clients that were connected, by their names. */
final class Clients implements AutoCloseable {
  private final Map<String, Camillo> connected = new HashMap<>();

  /** Connects as a command says. */
  void connect(JsonObject command) {
    CamilloBuilder builder = Camillo.builder();
    text(command, "address").ifPresent(builder::address);
    text(command, "key").ifPresent(builder::key);
    text(command, "agent_id").ifPresent(builder::agentId);
    seconds(command).ifPresent(builder::timeout);
    given(command, "max_message_bytes").ifPresent(most -> builder.maxMessageBytes(most.getAsInt()));
    given(command, "tls").ifPresent(tls -> builder.tls(tls(tls.getAsJsonObject())));
    connected.put(command.get("client").getAsString(), builder.connect());
  }

  /** Makes a client for another space, as a command says. */
  void bind(JsonObject command) {
    Camillo client = connected.get(command.get("of").getAsString());
    client = text(command, "user").map(client::forUser).orElse(client);
    client = text(command, "project").map(client::forProject).orElse(client);
    client = text(command, "team").map(client::forTeam).orElse(client);
    client = text(command, "space").map(client::forSpace).orElse(client);
    List<String> read = new ArrayList<>();
    given(command, "beside")
        .ifPresent(spaces -> spaces.getAsJsonArray().forEach(each -> read.add(each.getAsString())));
    connected.put(command.get("client").getAsString(), client.withSpaces(read));
  }

  /** The client that a command names. */
  Camillo of(JsonObject command) {
    return Optional.ofNullable(connected.get(command.get("client").getAsString())).orElseThrow();
  }

  void close(JsonObject command) {
    of(command).close();
    connected.remove(command.get("client").getAsString());
  }

  @Override
  public void close() {
    connected.values().forEach(Camillo::close);
  }

  /** The timeout of a command, if it has one. */
  static Optional<Duration> seconds(JsonObject command) {
    return given(command, "timeout_seconds")
        .map(value -> Duration.ofNanos(Math.round(value.getAsDouble() * 1e9)));
  }

  static Optional<String> text(JsonObject command, String name) {
    return given(command, name).map(JsonElement::getAsString);
  }

  static Optional<JsonElement> given(JsonObject command, String name) {
    return Optional.ofNullable(command.get(name)).filter(value -> !value.isJsonNull());
  }

  private static Tls tls(JsonObject told) {
    Tls tls = Tls.standard();
    if (given(told, "root").isPresent()) {
      tls = tls.roots(path(told, "root"));
    }
    if (given(told, "certificate").isPresent()) {
      tls = tls.identity(path(told, "certificate"), path(told, "private_key"));
    }
    return text(told, "server_name").map(tls::serverName).orElse(tls);
  }

  private static Path path(JsonObject told, String name) {
    return Path.of(told.get(name).getAsString());
  }
}
