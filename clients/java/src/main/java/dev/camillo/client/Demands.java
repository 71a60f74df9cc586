package dev.camillo.client;

import com.google.protobuf.Message;
import dev.camillo.client.WrittenRevisions.Ticket;
import dev.camillo.v1.Freshness;
import dev.camillo.v1.RecallRequest;
import dev.camillo.v1.Revision;
import dev.camillo.v1.Source;
import dev.camillo.v1.SpaceRead;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Holds what a read demands so that it sees this client's own writes; nothing where none were made,
 * or where the caller demands something itself.
 */
final class Demands {
  // Everything there is the tenant's, whichever agent asks.
  private static final Set<Source> SHARED_SOURCES =
      Set.of(Source.SOURCE_DOCUMENT, Source.SOURCE_AUDIT);

  // Place: of the space that is read beside the agent's own, in the request; negative for that one,
  // and for the shared one.
  private record Demand(String field, int place, Ticket ticket, Freshness freshness) {
    boolean isOfSpace() {
      return place >= 0;
    }
  }

  private static final int OWN = -1;

  private final WrittenRevisions written;
  private final List<Demand> demands = new ArrayList<>();

  Demands(WrittenRevisions written, Message request) {
    this.written = written;
    add(request, RequestFields.FRESHNESS, OWN, RequestFields.agentId(request, ""));
    if (request instanceof RecallRequest recall && searchesShared(recall)) {
      add(request, RequestFields.SHARED_FRESHNESS, OWN, Camillo.SHARED);
    }
    List<SpaceRead> spaces = RequestFields.spaces(request);
    for (int place = 0; place < spaces.size(); place++) {
      SpaceRead read = spaces.get(place);
      add(read, RequestFields.FRESHNESS, place, read.getSpace());
    }
  }

  boolean isEmpty() {
    return demands.isEmpty();
  }

  /** The request with them. */
  <Q extends Message> Q in(Q request) {
    Q demanding = request;
    for (Demand demand : demands) {
      demanding =
          demand.isOfSpace()
              ? ofSpace(demanding, demand)
              : RequestFields.withFreshness(demanding, demand.field(), demand.freshness());
    }
    return demanding;
  }

  /** The read was answered so. */
  void met(Message answer) {
    for (Demand demand : demands) {
      written.read(demand.ticket(), read(demand, answer));
    }
  }

  /** One of them is void: the database was restored, or the scope removed. */
  void drop() {
    demands.forEach(demand -> written.drop(demand.ticket()));
  }

  private void add(Message message, String field, int place, String agentId) {
    Ticket ticket = written.begin(agentId);
    if (RequestFields.isOpen(message, field)) {
      written
          .demand(ticket)
          .ifPresent(freshness -> demands.add(new Demand(field, place, ticket, freshness)));
    }
  }

  private static <Q extends Message> Q ofSpace(Q request, Demand demand) {
    List<SpaceRead> spaces = new ArrayList<>(RequestFields.spaces(request));
    SpaceRead open = spaces.get(demand.place());
    spaces.set(demand.place(), open.toBuilder().setFreshness(demand.freshness()).build());
    return RequestFields.withSpaces(request, spaces);
  }

  /** The revision that was read of what a demand is about; an empty one where none is told. */
  private static Revision read(Demand demand, Message answer) {
    if (!demand.isOfSpace()) {
      boolean isShared = demand.field().equals(RequestFields.SHARED_FRESHNESS);
      return isShared ? RequestFields.sharedRevision(answer) : RequestFields.revision(answer);
    }
    return RequestFields.spaceRevision(answer, demand.ticket().agentId());
  }

  private static boolean searchesShared(RecallRequest recall) {
    return recall.getIncludeShared()
        || recall.getSourcesList().stream().anyMatch(SHARED_SOURCES::contains);
  }
}
