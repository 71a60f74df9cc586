package dev.camillo.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.camillo.client.WrittenRevisions.Ticket;
import dev.camillo.v1.Freshness;
import dev.camillo.v1.Revision;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** What reads demand so that they see the client's own writes: the cases that all clients share. */
class WrittenRevisionsTest {
  @TestFactory
  Stream<DynamicTest> readsDemandWhatEveryClientDemands() {
    return SharedCases.of("own_writes.json", "cases")
        .map(each -> dynamicTest(each.get("name").getAsString(), () -> play(each)));
  }

  private static void play(JsonObject told) {
    WrittenRevisions written = new WrittenRevisions();
    Map<String, Ticket> tickets = new HashMap<>();
    for (JsonElement step : told.getAsJsonArray("steps")) {
      play(step.getAsJsonObject(), written, tickets);
    }
  }

  private static void play(JsonObject step, WrittenRevisions written, Map<String, Ticket> tickets) {
    String name = step.get("ticket").getAsString();
    Ticket ticket = tickets.get(name);
    switch (step.get("do").getAsString()) {
      case "begin" -> tickets.put(name, written.begin(step.get("agent_id").getAsString()));
      case "wrote" -> written.wrote(ticket, revision(step), step.has("repeatable"));
      case "demand" -> assertEquals(expected(step.get("expected")), written.demand(ticket));
      case "read" -> written.read(ticket, revision(step));
      case "drop" -> written.drop(ticket);
      default -> throw new IllegalArgumentException(step.toString());
    }
  }

  private static Revision revision(JsonObject step) {
    return Revision.newBuilder().setToken(step.get("revision").getAsString()).build();
  }

  private static Optional<Freshness> expected(JsonElement told) {
    if (told.isJsonNull()) {
      return Optional.empty();
    }
    Freshness.Builder freshness = Freshness.newBuilder();
    if (told.isJsonPrimitive()) {
      return Optional.of(freshness.setFullyConsistent(true).build());
    }
    String token = told.getAsJsonObject().get("at_least_as_fresh").getAsString();
    return Optional.of(freshness.setAtLeastAsFresh(Revision.newBuilder().setToken(token)).build());
  }
}
