package dev.camillo.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.camillo.client.errors.DeadlineExceeded;
import dev.camillo.client.errors.InvalidPageToken;
import dev.camillo.client.errors.Unavailable;
import dev.camillo.v1.Event;
import dev.camillo.v1.EventServiceGrpc;
import dev.camillo.v1.ExportMemoriesRequest;
import dev.camillo.v1.ExportMemoriesResponse;
import dev.camillo.v1.GetMemoryRequest;
import dev.camillo.v1.ListEventsRequest;
import dev.camillo.v1.ListEventsResponse;
import dev.camillo.v1.ListRunsRequest;
import dev.camillo.v1.ListRunsResponse;
import dev.camillo.v1.MemoryChange;
import dev.camillo.v1.MemoryServiceGrpc;
import dev.camillo.v1.Run;
import dev.camillo.v1.RunServiceGrpc;
import dev.camillo.v1.WatchMemoriesRequest;
import dev.camillo.v1.WatchMemoriesResponse;
import io.grpc.Status.Code;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Lists in pages, streams, and watches that outlive a connection. */
class StreamsTest {
  private final List<Duration> pauses = new ArrayList<>();
  private ScriptedServer server;
  private Camillo camillo;

  @BeforeEach
  void connect() throws IOException {
    server = new ScriptedServer();
    camillo = server.client(pauses).agentId("ada").connect();
  }

  @AfterEach
  void close() {
    camillo.close();
    server.close();
  }

  private static WatchMemoriesResponse change(String token) {
    return WatchMemoriesResponse.newBuilder()
        .setChange(MemoryChange.newBuilder().setResumeToken(token))
        .build();
  }

  private List<String> askedTokens() {
    return server.of(WatchMemoriesRequest.class).stream()
        .map(WatchMemoriesRequest::getResumeToken)
        .toList();
  }

  @Test
  void pagesAreAskedForWhenTheyAreNeeded() {
    server.on(
        EventServiceGrpc.getListEventsMethod(),
        ScriptedServer.messages(page("p2", "e1", "e2")),
        ScriptedServer.messages(page("p3")),
        ScriptedServer.messages(page("", "e3")));
    Iterator<Event> events = camillo.events().list().iterator();
    assertEquals(0, server.requests.size());
    assertEquals("e1", events.next().getEventId());
    assertEquals("e2", events.next().getEventId());
    assertEquals(1, server.requests.size());
    assertEquals("e3", events.next().getEventId());
    assertFalse(events.hasNext());
    assertEquals(
        List.of("", "p2", "p3"),
        server.of(ListEventsRequest.class).stream().map(ListEventsRequest::getPageToken).toList());
  }

  @Test
  void runsAreListedOverAllPages() {
    server.on(
        RunServiceGrpc.getListRunsMethod(),
        ScriptedServer.messages(runPage("p2", "r3", "r2")),
        ScriptedServer.messages(runPage("", "r1")));
    ListRunsRequest ofSession = ListRunsRequest.newBuilder().setSessionId("s1").build();
    List<String> ids = camillo.runs().list(ofSession).stream().map(Run::getRunId).toList();
    assertEquals(List.of("r3", "r2", "r1"), ids);
    assertEquals(
        List.of("s1 ", "s1 p2"),
        server.of(ListRunsRequest.class).stream()
            .map(request -> request.getSessionId() + " " + request.getPageToken())
            .toList());
    server.on(RunServiceGrpc.getListRunsMethod(), ScriptedServer.messages(runPage("")));
    assertEquals(0, camillo.runs().list().stream().count());
  }

  private static ListRunsResponse runPage(String next, String... ids) {
    ListRunsResponse.Builder page = ListRunsResponse.newBuilder().setNextPageToken(next);
    Stream.of(ids).forEach(id -> page.addRuns(Run.newBuilder().setRunId(id)));
    return page.build();
  }

  private static ListEventsResponse page(String next, String... ids) {
    ListEventsResponse.Builder page = ListEventsResponse.newBuilder().setNextPageToken(next);
    Stream.of(ids).forEach(id -> page.addEvents(Event.newBuilder().setEventId(id)));
    return page.build();
  }

  @Test
  void whatIsNoListHasNoPages() {
    assertThrows(
        IllegalArgumentException.class,
        () ->
            camillo.pages(
                MemoryServiceGrpc.getGetMemoryMethod(), GetMemoryRequest.getDefaultInstance()));
  }

  @Test
  void whatHasOneAnswerIsNoStreamAndTheOtherWayRound() {
    assertThrows(
        IllegalArgumentException.class,
        () ->
            camillo.stream(
                MemoryServiceGrpc.getGetMemoryMethod(), GetMemoryRequest.getDefaultInstance()));
    assertThrows(
        IllegalArgumentException.class,
        () ->
            camillo.call(
                MemoryServiceGrpc.getExportMemoriesMethod(),
                ExportMemoriesRequest.getDefaultInstance()));
  }

  @Test
  void aSeriesIsGoneThroughOnce() {
    Series<Event> events = camillo.events().list();
    events.iterator();
    assertThrows(IllegalStateException.class, events::stream);
  }

  @Test
  void aStreamsFailureIsTyped() {
    server.on(
        MemoryServiceGrpc.getExportMemoriesMethod(),
        ScriptedServer.broken(
            Refusals.of(Code.INVALID_ARGUMENT, "INVALID_PAGE_TOKEN"),
            ExportMemoriesResponse.getDefaultInstance()));
    var messages =
        camillo.stream(
                MemoryServiceGrpc.getExportMemoriesMethod(),
                ExportMemoriesRequest.getDefaultInstance())
            .iterator();
    messages.next();
    assertThrows(InvalidPageToken.class, messages::hasNext);
    assertEquals("ada", server.of(ExportMemoriesRequest.class).get(0).getAgentId());
  }

  @Test
  void aWatchGoesOnBehindTheLastChange() {
    server.on(
        MemoryServiceGrpc.getWatchMemoriesMethod(),
        ScriptedServer.broken(Refusals.UNAVAILABLE, change("t1"), change("t2")),
        ScriptedServer.broken(Refusals.overloaded(5)),
        ScriptedServer.messages(change("t3")),
        ScriptedServer.open(change("t4")));
    try (Series<MemoryChange> changes = camillo.watch()) {
      assertEquals(
          List.of("t1", "t2", "t3", "t4"),
          changes.stream().limit(4).map(MemoryChange::getResumeToken).toList());
    }
    assertEquals(List.of("", "t2", "t2", "t3"), askedTokens());
    assertEquals(3, pauses.size());
  }

  @Test
  void aWatchThatBringsNothingIsGivenUp() {
    server.on(
        MemoryServiceGrpc.getWatchMemoriesMethod(), ScriptedServer.broken(Refusals.UNAVAILABLE));
    WatchMemoriesRequest request = WatchMemoriesRequest.newBuilder().setFromBeginning(true).build();
    Iterator<MemoryChange> changes = camillo.watch(request, 2).iterator();
    assertThrows(Unavailable.class, changes::hasNext);
    assertEquals(3, server.of(WatchMemoriesRequest.class).size());
    assertEquals(2, pauses.size());
  }

  @Test
  void aWatchIsNotRepeatedAfterAnotherFailure() {
    server.on(
        MemoryServiceGrpc.getWatchMemoriesMethod(),
        ScriptedServer.broken(Refusals.of(Code.INVALID_ARGUMENT, "INVALID_PAGE_TOKEN")));
    assertThrows(InvalidPageToken.class, () -> camillo.watch().iterator().hasNext());
    assertEquals(1, server.requests.size());
  }

  @Test
  void aStreamHasTheTimeoutThatIsGiven() {
    server.on(MemoryServiceGrpc.getExportMemoriesMethod(), ScriptedServer.open());
    var messages =
        camillo.withStreamTimeout(Duration.ofMillis(100)).stream(
                MemoryServiceGrpc.getExportMemoriesMethod(),
                ExportMemoriesRequest.getDefaultInstance())
            .iterator();
    assertThrows(DeadlineExceeded.class, messages::hasNext);
  }

  @Test
  void aClosedSeriesHasNothingMore() {
    server.on(MemoryServiceGrpc.getWatchMemoriesMethod(), ScriptedServer.open(change("t1")));
    Series<MemoryChange> changes = camillo.watch();
    Iterator<MemoryChange> each = changes.iterator();
    each.next();
    changes.close();
    assertFalse(each.hasNext());
  }
}
