"""The client's own writes, remembered so that its reads see them on every replica.

A revision is opaque: two of them cannot be compared. Order has to come from time instead. A write that began
after every earlier one had completed has the newest revision of them all, so its token alone is enough. A write
that overlapped with another may be older or newer than it, and so may one that repeats an earlier request id,
for it gets the first answer. Then the client does not know which token to demand, and the next read asks for
full consistency; the revision it is answered from covers all those writes and is carried from there on.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass

from camillo.v1.consistency_pb2 import Freshness, Revision
from camillo_client.freshness import at_least_as_fresh, fully_consistent

# Some MiB of them: an operator's client may act for any number of agents.
MAX_SCOPES = 10_000


@dataclass(frozen=True, slots=True)
class Ticket:
    """A write or a read of one scope, and which of the client's writes had been its last when it began."""

    agent_id: str
    completed: int


@dataclass(slots=True)
class _Scope:
    completed: int
    revision: Revision | None = None
    # Whether `revision` is known to cover every write that completed; without one, that there were none.
    covers_all: bool = True


class WrittenRevisions:
    """The newest revision of this client's writes, by agent id. Safe to share between threads.

    Keeps as many agents as it was made for, those called last; the first read of another asks for full consistency.
    """

    def __init__(self, max_scopes: int = MAX_SCOPES) -> None:
        self._scopes: OrderedDict[str, _Scope] = OrderedDict()
        self._max_scopes = max_scopes
        self._completed = 0
        # Stands for the last write of every scope that was let go; 0 if none was.
        self._let_go_at = 0
        self._lock = threading.Lock()

    def begin(self, agent_id: str) -> Ticket:
        """Call this before a write or a read is sent."""
        with self._lock:
            return Ticket(agent_id, self._scope(agent_id).completed)

    def wrote(self, ticket: Ticket, revision: Revision, *, repeatable: bool = False) -> None:
        """A write completed; `repeatable` if its request id was the caller's and may have been used before."""
        if not revision.token:
            return
        with self._lock:
            scope = self._held(ticket.agent_id)
            was_alone = ticket.completed == scope.completed
            is_first = scope.revision is None and scope.covers_all
            scope.covers_all = was_alone and (not repeatable or is_first)
            scope.revision = revision
            self._completed += 1
            scope.completed = self._completed

    def demand(self, ticket: Ticket) -> Freshness | None:
        """The freshness that a read has to ask for to see the writes; None if there were none."""
        with self._lock:
            scope = self._scope(ticket.agent_id)
            if not scope.covers_all:
                return fully_consistent()
            return None if scope.revision is None else at_least_as_fresh(scope.revision)

    def read(self, ticket: Ticket, revision: Revision) -> None:
        """A read that met the demand was answered from this revision: it covers what had been written by then."""
        with self._lock:
            scope = self._scope(ticket.agent_id)
            is_last = scope.completed == ticket.completed
            if is_last and revision.token and not scope.covers_all:
                scope = self._held(ticket.agent_id)
                scope.revision, scope.covers_all = revision, True

    def drop(self, ticket: Ticket) -> None:
        """The server does not know the revision: forget it, unless a later write has taken its place."""
        with self._lock:
            scope = self._scope(ticket.agent_id)
            if scope.completed == ticket.completed:
                scope.revision, scope.covers_all = None, True

    def _scope(self, agent_id: str) -> _Scope:
        """The known state of an agent's writes; a scope that is not held is not added."""
        held = self._scopes.get(agent_id)
        if held is None:
            return _Scope(self._let_go_at, covers_all=not self._let_go_at)
        self._scopes.move_to_end(agent_id)
        return held

    def _held(self, agent_id: str) -> _Scope:
        """The state of a scope, to be changed; drops the least recently called one if there are too many."""
        scope = self._scopes[agent_id] = self._scope(agent_id)
        if len(self._scopes) > self._max_scopes:
            self._scopes.popitem(last=False)
            # Later than every write so far: no ticket given out before is taken for the last.
            self._completed += 1
            self._let_go_at = self._completed
        return scope
