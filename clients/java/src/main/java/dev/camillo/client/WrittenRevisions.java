package dev.camillo.client;

import dev.camillo.v1.Freshness;
import dev.camillo.v1.Revision;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The newest revision of this client's writes, by agent id.
 *
 * <p>A revision is opaque: two of them cannot be compared. Order has to come from time. A write
 * that began after every earlier one had completed has the newest revision of them all, so its
 * token alone is enough. A write that overlapped with another may be older or newer than it, and so
 * may one that repeats an earlier request id: it gets the first answer. Then the client does not
 * know which token to demand, and the next read asks for everything; the revision it is answered
 * from covers all those writes and is carried from there on.
 */
final class WrittenRevisions {
  private final Map<String, Scope> scopes = new HashMap<>();

  /** A write or a read of one scope, and how many writes had completed when it began. */
  record Ticket(String agentId, long completed) {}

  private static final class Scope {
    private long completed;
    private Revision revision;
    // Whether `revision` is known to cover every write that completed.
    private boolean coversAll = true;
  }

  /** To be called before a write or a read is sent. */
  synchronized Ticket begin(String agentId) {
    return new Ticket(agentId, scope(agentId).completed);
  }

  /**
   * A write completed; repeatable if its request id was the caller's and may have been used before.
   */
  synchronized void wrote(Ticket ticket, Revision revision, boolean isRepeatable) {
    if (revision.getToken().isEmpty()) {
      return;
    }
    Scope scope = scope(ticket.agentId());
    boolean wasAlone = ticket.completed() == scope.completed;
    scope.coversAll = wasAlone && (!isRepeatable || scope.revision == null);
    scope.revision = revision;
    scope.completed++;
  }

  /** What a read has to ask for to see the writes; nothing if there were none. */
  synchronized Optional<Freshness> demand(Ticket ticket) {
    Scope scope = scope(ticket.agentId());
    if (scope.revision == null) {
      return Optional.empty();
    }
    Freshness.Builder demand = Freshness.newBuilder();
    return Optional.of(
        scope.coversAll
            ? demand.setAtLeastAsFresh(scope.revision).build()
            : demand.setFullyConsistent(true).build());
  }

  /**
   * A read that met the demand was answered from this revision: it covers what had been written by
   * then.
   */
  synchronized void read(Ticket ticket, Revision revision) {
    Scope scope = scope(ticket.agentId());
    boolean isLast = scope.completed == ticket.completed();
    if (isLast && !revision.getToken().isEmpty() && !scope.coversAll) {
      scope.revision = revision;
      scope.coversAll = true;
    }
  }

  /** The server does not know the revision: forget it, unless a later write has taken its place. */
  synchronized void drop(Ticket ticket) {
    Scope scope = scope(ticket.agentId());
    if (scope.completed == ticket.completed()) {
      scope.revision = null;
      scope.coversAll = true;
    }
  }

  private Scope scope(String agentId) {
    return scopes.computeIfAbsent(agentId, unused -> new Scope());
  }
}
