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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Holds what reads demand so that they see the client's own writes: the cases that all clients
 * share.
 */
class WrittenRevisionsTest {
  private static final Freshness EVERYTHING =
      Freshness.newBuilder().setFullyConsistent(true).build();

  @TestFactory
  Stream<DynamicTest> readsDemandWhatEveryClientDemands() {
    return SharedCases.of("own_writes.json", "cases")
        .map(each -> dynamicTest(each.get("name").getAsString(), () -> play(each)));
  }

  @Test
  void whatIsOnlyReadTakesNoRoom() {
    WrittenRevisions written = new WrittenRevisions();
    for (int number = 0; number < 3; number++) {
      written.demand(written.begin("agent-" + number));
    }
    assertEquals(0, written.size());
  }

  @Test
  void readsOfScopesThatWereForgottenAskForEverythingOnce() {
    WrittenRevisions written = full();
    assertEquals(1, written.size());
    Ticket read = written.begin("agent-7");
    assertEquals(Optional.of(EVERYTHING), written.demand(read));
    written.read(read, revision("r1"));
    assertEquals(Optional.of(atLeast("r1")), written.demand(written.begin("agent-7")));
  }

  @Test
  void writesThatOverlappedInAForgottenScopeAreNotTakenForTheLast() {
    WrittenRevisions written = new WrittenRevisions();
    Ticket first = written.begin("ada");
    Ticket second = written.begin("ada");
    written.wrote(first, revision("w1"), false);
    fill(written);
    written.wrote(second, revision("w2"), false);
    assertEquals(Optional.of(EVERYTHING), written.demand(written.begin("ada")));
    Ticket next = written.begin("bob");
    written.wrote(next, revision("w3"), false);
    assertEquals(Optional.of(atLeast("w3")), written.demand(written.begin("bob")));
  }

  /** As many scopes as are kept, and one more. */
  private static WrittenRevisions full() {
    WrittenRevisions written = new WrittenRevisions();
    fill(written);
    return written;
  }

  private static void fill(WrittenRevisions written) {
    int before = written.size();
    for (int number = before; number <= WrittenRevisions.MAX_SCOPES; number++) {
      written.wrote(written.begin("agent-" + number), revision("r"), false);
    }
  }

  private static Revision revision(String token) {
    return Revision.newBuilder().setToken(token).build();
  }

  private static Freshness atLeast(String token) {
    return Freshness.newBuilder().setAtLeastAsFresh(revision(token)).build();
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
    return revision(step.get("revision").getAsString());
  }

  private static Optional<Freshness> expected(JsonElement told) {
    if (told.isJsonNull()) {
      return Optional.empty();
    }
    if (told.isJsonPrimitive()) {
      return Optional.of(EVERYTHING);
    }
    return Optional.of(atLeast(told.getAsJsonObject().get("at_least_as_fresh").getAsString()));
  }
}
