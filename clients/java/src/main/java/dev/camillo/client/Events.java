package dev.camillo.client;

import dev.camillo.client.errors.CamilloError;
import dev.camillo.client.errors.Failures;
import dev.camillo.v1.Actor;
import dev.camillo.v1.BatchRecordEventsRequest;
import dev.camillo.v1.BatchRecordEventsResponse;
import dev.camillo.v1.Event;
import dev.camillo.v1.EventChange;
import dev.camillo.v1.EventFilter;
import dev.camillo.v1.EventServiceGrpc;
import dev.camillo.v1.ListEventsRequest;
import dev.camillo.v1.ListEventsResponse;
import dev.camillo.v1.NewEvent;
import dev.camillo.v1.RecordEventRequest;
import dev.camillo.v1.RecordEventResponse;
import dev.camillo.v1.RecordedEvent;
import dev.camillo.v1.RecordedEventResult;
import dev.camillo.v1.WatchEventsRequest;
import java.util.List;
import java.util.function.Consumer;

/**
 * Events: what an agent was told and did. Append-only. Failures are {@link CamilloError}. Secrets
 * are never stored: of each one taken out, the logger {@code dev.camillo.client} warns.
 */
public final class Events {
  private final Calls calls;
  private final UnaryCalls unary;

  Events(Calls calls, UnaryCalls unary) {
    this.calls = calls;
    this.unary = unary;
  }

  /** Stores what the agent said in a conversation. */
  public Written<RecordedEvent> record(String text, String sessionId) {
    return record(event -> event.setText(text).setSessionId(sessionId));
  }

  /** Stores what somebody said in a conversation; see {@link Actors}. */
  public Written<RecordedEvent> record(String text, String sessionId, Actor actor) {
    return record(event -> event.setText(text).setSessionId(sessionId).setActor(actor));
  }

  /** Stores one event. EventTooLarge, before it is sent, where it should be an artifact. */
  public Written<RecordedEvent> record(Consumer<NewEvent.Builder> fields) {
    NewEvent.Builder event = NewEvent.newBuilder();
    fields.accept(event);
    EventSizes.check(event.build());
    RecordEventRequest request = RecordEventRequest.newBuilder().setEvent(event).build();
    RecordEventResponse answer = unary.call(EventServiceGrpc.getRecordEventMethod(), request);
    Redactions.warn(answer.getRecorded().getRedactionsList());
    return Written.of(answer.getRecorded(), answer.getDurability(), answer.getSpoolId());
  }

  /**
   * Returns what was stored or an error for each, in the order given. Sent in batches of up to
   * 1,000, each one transaction with the timeout for itself. If one fails as a whole, its error is
   * thrown and those before it stay stored.
   */
  public List<Outcome<RecordedEvent>> recordMany(Iterable<NewEvent> events) {
    return new Batches(RequestFields.newRequestId()).send(events, this::sent);
  }

  /** Events that pass all conditions, in the order of recording. */
  public Series<Event> list(Consumer<EventFilter.Builder> conditions) {
    EventFilter.Builder filter = EventFilter.newBuilder();
    conditions.accept(filter);
    return list(ListEventsRequest.newBuilder().setFilter(filter).build());
  }

  /** All events, in the order of recording. */
  public Series<Event> list() {
    return list(ListEventsRequest.getDefaultInstance());
  }

  /** The events that this request asks for, from its page on. */
  public Series<Event> list(ListEventsRequest request) {
    return new Series<>(
            new Pages<>(unary, EventServiceGrpc.getListEventsMethod(), request), () -> {})
        .parts(ListEventsResponse::getEventsList);
  }

  /** The events of the scope from now on, checkpoints among them, without end; see the other. */
  public Series<EventChange> watch() {
    return watch(WatchEventsRequest.getDefaultInstance(), Watches.MAX_RECONNECTS);
  }

  /**
   * The events of the scope as they are recorded, checkpoints among them, without end. When the
   * server goes away, the watch resumes after the last change handed out; it gives up after so many
   * attempts in a row that brought nothing.
   */
  public Series<EventChange> watch(WatchEventsRequest request, int maxReconnects) {
    var method = EventServiceGrpc.getWatchEventsMethod();
    return new Watches<>(calls, method, unary.forAgent(method, request))
        .messages(maxReconnects)
        .parts(answer -> answer.hasChange() ? List.of(answer.getChange()) : List.of());
  }

  private List<Outcome<RecordedEvent>> sent(String requestId, List<NewEvent> pack) {
    BatchRecordEventsRequest request =
        BatchRecordEventsRequest.newBuilder().setRequestId(requestId).addAllEvents(pack).build();
    BatchRecordEventsResponse answer =
        unary.call(EventServiceGrpc.getBatchRecordEventsMethod(), request, false);
    return answer.getResultsList().stream().map(Events::outcome).toList();
  }

  private static Outcome<RecordedEvent> outcome(RecordedEventResult result) {
    if (result.hasError()) {
      return Outcome.of(Failures.of(result.getError()));
    }
    Redactions.warn(result.getRecorded().getRedactionsList());
    return Outcome.of(result.getRecorded());
  }
}
