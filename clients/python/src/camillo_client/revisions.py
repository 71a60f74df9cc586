"""The client's own writes, remembered so that its reads see them on every replica.

A revision is opaque: two of them cannot be compared. Order has to come from time instead. A write that began
after every earlier one had completed has the newest revision of them all, so its token alone is enough. A write
that overlapped with another may be older or newer than it, and so may one that repeats an earlier request id,
for it gets the first answer. Then the client does not know which token to demand, and the next read asks for
full consistency; the revision it is answered from covers all those writes and is carried from there on.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass

from camillo.v1.consistency_pb2 import Freshness, Revision
from camillo_client.freshness import at_least_as_fresh, fully_consistent


@dataclass(frozen=True, slots=True)
class Ticket:
    """A write or a read of one scope, and how many writes had completed when it began."""

    agent_id: str
    completed: int


@dataclass(slots=True)
class _Scope:
    completed: int = 0
    revision: Revision | None = None
    # Whether `revision` is known to cover every write that completed.
    covers_all: bool = True


class WrittenRevisions:
    """The newest revision of this client's writes, by agent id. Safe to share between threads."""

    def __init__(self) -> None:
        self._scopes: dict[str, _Scope] = {}
        self._lock = threading.Lock()

    def begin(self, agent_id: str) -> Ticket:
        """To be called before a write or a read is sent."""
        with self._lock:
            return Ticket(agent_id, self._scope(agent_id).completed)

    def wrote(self, ticket: Ticket, revision: Revision, *, repeatable: bool = False) -> None:
        """A write completed; `repeatable` if its request id was the caller's and may have been used before."""
        if not revision.token:
            return
        with self._lock:
            scope = self._scope(ticket.agent_id)
            was_alone = ticket.completed == scope.completed
            scope.covers_all = was_alone and (not repeatable or scope.revision is None)
            scope.revision = revision
            scope.completed += 1

    def demand(self, ticket: Ticket) -> Freshness | None:
        """What a read has to ask for to see the writes; None if there were none."""
        with self._lock:
            scope = self._scope(ticket.agent_id)
            if scope.revision is None:
                return None
            return at_least_as_fresh(scope.revision) if scope.covers_all else fully_consistent()

    def read(self, ticket: Ticket, revision: Revision) -> None:
        """A read that met the demand was answered from this revision: it covers what had been written by then."""
        with self._lock:
            scope = self._scope(ticket.agent_id)
            is_last = scope.completed == ticket.completed
            if is_last and revision.token and not scope.covers_all:
                scope.revision, scope.covers_all = revision, True

    def drop(self, ticket: Ticket) -> None:
        """The server does not know the revision: forget it, unless a later write has taken its place."""
        with self._lock:
            scope = self._scope(ticket.agent_id)
            if scope.completed == ticket.completed:
                scope.revision, scope.covers_all = None, True

    def _scope(self, agent_id: str) -> _Scope:
        return self._scopes.setdefault(agent_id, _Scope())
