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
 *
 * <p>What is kept is bounded: with too many scopes all are forgotten, and the next read of any is
 * asked for everything.
 */
final class WrittenRevisions {
  static final int MAX_SCOPES = 10_000;

  // Revisions of scopes that were written, and nothing of those that were only read.
  private final Map<String, Scope> scopes = new HashMap<>();
  // How many writes of all scopes had completed, by which each has a number of its own.
  private long writes;
  // The newest write of a scope that was forgotten; 0: none was.
  private long forgotten;

  /** A write or a read of one scope, and its newest write that had completed when it began. */
  record Ticket(String agentId, long newest) {}

  private static final class Scope {
    private long newest;
    private Revision revision;
    // Whether `revision` is known to cover every write that completed.
    private boolean coversAll = true;
  }

  /** To be called before a write or a read is sent. */
  synchronized Ticket begin(String agentId) {
    return new Ticket(agentId, newest(agentId));
  }

  /**
   * A write completed; repeatable if its request id was the caller's and may have been used before.
   */
  synchronized void wrote(Ticket ticket, Revision revision, boolean isRepeatable) {
    if (revision.getToken().isEmpty()) {
      return;
    }
    boolean wasAlone = ticket.newest() == newest(ticket.agentId());
    boolean isFirst = demand(ticket).isEmpty();
    Scope scope = scope(ticket.agentId());
    scope.coversAll = wasAlone && (!isRepeatable || isFirst);
    scope.revision = revision;
    scope.newest = ++writes;
  }

  /** Returns what a read has to ask for to see the writes; nothing if there were none. */
  synchronized Optional<Freshness> demand(Ticket ticket) {
    Scope scope = scopes.get(ticket.agentId());
    boolean isForgotten = scope == null && forgotten > 0;
    if (!isForgotten && (scope == null || scope.revision == null)) {
      return Optional.empty();
    }
    Freshness.Builder demand = Freshness.newBuilder();
    return Optional.of(
        !isForgotten && scope.coversAll
            ? demand.setAtLeastAsFresh(scope.revision).build()
            : demand.setFullyConsistent(true).build());
  }

  /**
   * A read that met the demand was answered from this revision: it covers what had been written by
   * then.
   */
  synchronized void read(Ticket ticket, Revision revision) {
    boolean isLast = ticket.newest() == newest(ticket.agentId());
    if (!isLast || revision.getToken().isEmpty() || demand(ticket).isEmpty()) {
      return;
    }
    Scope scope = scope(ticket.agentId());
    if (scope.revision == null || !scope.coversAll) {
      scope.revision = revision;
      scope.coversAll = true;
    }
  }

  /** The server does not know the revision: forget it, unless a later write has taken its place. */
  synchronized void drop(Ticket ticket) {
    Scope scope = scopes.get(ticket.agentId());
    if (scope != null && scope.newest == ticket.newest()) {
      scope.revision = null;
      scope.coversAll = true;
    }
  }

  /** The number of scopes of which something is kept. */
  synchronized int size() {
    return scopes.size();
  }

  private long newest(String agentId) {
    Scope scope = scopes.get(agentId);
    return scope == null ? forgotten : scope.newest;
  }

  private Scope scope(String agentId) {
    if (scopes.size() >= MAX_SCOPES && !scopes.containsKey(agentId)) {
      scopes.clear();
      forgotten = writes;
    }
    Scope scope = scopes.computeIfAbsent(agentId, unused -> new Scope());
    scope.newest = Math.max(scope.newest, forgotten);
    return scope;
  }
}
