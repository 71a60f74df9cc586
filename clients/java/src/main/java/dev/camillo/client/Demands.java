package dev.camillo.client;

import com.google.protobuf.Message;
import dev.camillo.client.WrittenRevisions.Ticket;
import dev.camillo.v1.Freshness;
import dev.camillo.v1.RecallRequest;
import dev.camillo.v1.Source;
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

  private record Demand(String field, Ticket ticket, Freshness freshness) {}

  private final WrittenRevisions written;
  private final List<Demand> demands = new ArrayList<>();

  Demands(WrittenRevisions written, Message request) {
    this.written = written;
    add(request, RequestFields.FRESHNESS, RequestFields.agentId(request, ""));
    if (request instanceof RecallRequest recall && searchesShared(recall)) {
      add(request, RequestFields.SHARED_FRESHNESS, Camillo.SHARED);
    }
  }

  boolean isEmpty() {
    return demands.isEmpty();
  }

  /** The request with them. */
  <Q extends Message> Q in(Q request) {
    Q demanding = request;
    for (Demand demand : demands) {
      demanding = RequestFields.withFreshness(demanding, demand.field(), demand.freshness());
    }
    return demanding;
  }

  /** The read was answered so. */
  void met(Message answer) {
    for (Demand demand : demands) {
      boolean isShared = demand.field().equals(RequestFields.SHARED_FRESHNESS);
      written.read(
          demand.ticket(),
          isShared ? RequestFields.sharedRevision(answer) : RequestFields.revision(answer));
    }
  }

  /** One of them is void: the database was restored, or the scope removed. */
  void drop() {
    demands.forEach(demand -> written.drop(demand.ticket()));
  }

  private void add(Message request, String field, String agentId) {
    Ticket ticket = written.begin(agentId);
    if (RequestFields.isOpen(request, field)) {
      written
          .demand(ticket)
          .ifPresent(freshness -> demands.add(new Demand(field, ticket, freshness)));
    }
  }

  private static boolean searchesShared(RecallRequest recall) {
    return recall.getIncludeShared()
        || recall.getSourcesList().stream().anyMatch(SHARED_SOURCES::contains);
  }
}
