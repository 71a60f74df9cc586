"""Notifies whoever follows a scope of its changes: of a commit here at once, of one elsewhere by LISTEN/NOTIFY.

The NOTIFY is sent after the writing transaction, gathered for some milliseconds: inside it, every commit of the cluster
would queue behind one lock (docs/adr/revisions-and-writes.md). A lost one costs a follower delay, never a change."""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Any, Protocol

import psycopg

from camillo_server.kernel.errors import (
    RevisionUnknown,
    StorageUnavailable,
)
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import LOST_POSITION
from camillo_server.storage.connection_pool import BoundedConnection
from camillo_server.storage.scopes import scope_prefix

CHANNEL = "camillo_changes"
GATHER_SECONDS = 0.005
# Between two NOTIFYs, each of which takes the processor as long whether it names one change or many
# (docs/adr/revisions-and-writes.md).
PAUSE_SECONDS = 0.02
RECONNECT_SECONDS = 1.0
# A listener hears nothing from a Postgres that is gone without a word: it asks after so much silence.
PING_SECONDS = 10.0
ANSWER_SECONDS = 5.0
# NOTIFY takes payloads up to 8,000 bytes; a scope's name in one takes 7.
MAX_SCOPES_PER_NOTIFY = 1_000
# Follows the name of a scope from which something was removed that may not be shown any more. Servers of the release
# before send and read the same sign.
REMOVAL_SUFFIX = "!"
# Sent in the place of a scope's name after the database was restored. No scope has this name, so older servers do
# nothing.
RESTORED = "?"

logger = logging.getLogger(__name__)


class Subscriber(Protocol):
    """A cache that is kept equal to Postgres by notifications. `name` is the prefix of a scope (`scope_prefix`); None
    stands for all scopes, where it is not known which have changed."""

    def on_commit(self, scope: Scope, revision: int, rows: Sequence[Any] | None) -> bool:
        """This process committed a revision. `rows` are the memories and chunks that it added, with which it left all
        others alone; None where it may have done anything else to them. Returns whether the subscriber has applied it;
        otherwise `on_change` follows."""
        ...

    def on_change(self, name: str | None) -> None:
        """Something changed; may be called for nothing."""
        ...

    def on_removal(self, name: str | None) -> None:
        """Something was removed that may not be shown again, not even while Postgres is away."""
        ...

    def on_spooled(self, scope: Scope, rows: Sequence[Any]) -> None:
        """A write was spooled here: `rows` are the memories and chunks that it stores once it is replayed, under the
        ids that they have now. None of the scope's revisions has them."""
        ...

    def on_drained(self, scope: Scope) -> None:
        """Called when nothing of the scope is spooled here any more: rows that no commit has shown by now never came to
        be."""
        ...

    def on_new_history(self) -> None:
        """Postgres has gone on from an earlier state: nothing that was read before holds."""
        ...


class ScopeListener:
    """One watcher of one scope. A notification between two waits ends the next wait at once. Whoever watches several
    scopes waits with any of their listeners, which have one event."""

    def __init__(self, close: Callable[["ScopeListener"], None], changed: asyncio.Event) -> None:
        self._changed = changed
        self._is_notified = False
        self._is_lost = False
        self._close = close

    def notify(self) -> None:
        self._is_notified = True
        self._changed.set()

    def take(self) -> bool:
        """Whether this scope may have changed since the last call. Call it before a read."""
        was_notified, self._is_notified = self._is_notified, False
        return was_notified

    def lose(self) -> None:
        """The revisions that the watcher has passed on are of a history that is lost."""
        self._is_lost = True
        self.notify()

    def require_history(self) -> None:
        """Call it between a read and its use. Raises RevisionUnknown where the history is another than at the start."""
        if self._is_lost:
            raise RevisionUnknown(LOST_POSITION)

    async def wait(self, timeout_seconds: float) -> bool:
        """Returns when a scope may have changed: True; or when the time is over."""
        try:
            async with asyncio.timeout(timeout_seconds):
                return await self._changed.wait()
        except TimeoutError:
            return False
        finally:
            self._changed.clear()

    def close(self) -> None:
        self._close(self)


class ChangeNotifier:
    """The changes of every scope, to the watchers and caches of this process and to the other servers."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._subscribers: list[Subscriber] = []
        self._own_pid = 0
        self._listeners: dict[str, set[ScopeListener]] = defaultdict(set)
        self._unsent: set[str] = set()
        self._has_unsent = asyncio.Event()
        self._on_restore: Callable[[], Awaitable[None]] | None = None
        self._removal_listeners: list[Callable[[str | None], None]] = []

    def on_restore(self, check: Callable[[], Awaitable[None]]) -> None:
        """It is called when the database was restored while this process was connected."""
        self._on_restore = check

    def on_removal(self, listener: Callable[[str | None], None]) -> None:
        """It is called as `Subscriber.on_removal` is, and with None where the history is another one."""
        self._removal_listeners.append(listener)

    def listen(self, scope: Scope, changed: asyncio.Event | None = None) -> ScopeListener:
        """A listener that is notified when the scope may have changed, by this event if there is one. It has to be
        closed."""
        name = scope_prefix(scope)
        listener = ScopeListener(lambda closed: self._remove_listener(name, closed), changed or asyncio.Event())
        self._listeners[name].add(listener)
        return listener

    def subscribe(self, subscriber: Subscriber) -> None:
        """From now on the subscriber is notified of every change of every scope."""
        self._subscribers.append(subscriber)

    def notify_commit(self, scope: Scope, revision: int, rows: Sequence[Any] | None) -> None:
        """A revision was committed here; `rows` as in `Subscriber.on_commit`."""
        name = scope_prefix(scope)
        self._notify_listeners(name)
        for subscriber in self._subscribers:
            if not subscriber.on_commit(scope, revision, rows):
                subscriber.on_change(name)
        self._send(name)

    def notify(self, scope: Scope) -> None:
        """The scope was changed here."""
        name = scope_prefix(scope)
        self._on_change(name)
        self._send(name)

    def notify_removal(self, scope: Scope) -> None:
        """Something of the scope was removed, and must not be answered from memory. Called after the commit, beside
        `notify`."""
        name = scope_prefix(scope)
        self._on_removal(name)
        self._send(name + REMOVAL_SUFFIX)

    def notify_spooled(self, scope: Scope, rows: Sequence[Any]) -> None:
        """A write of the scope was spooled here; `rows` as in `Subscriber.on_spooled`. Other servers do not hear of
        it."""
        for subscriber in self._subscribers:
            subscriber.on_spooled(scope, rows)

    def notify_drained(self, scope: Scope) -> None:
        """Notifies subscribers that nothing of the scope is spooled here any more. Called after `notify_commit` of what
        was replayed."""
        for subscriber in self._subscribers:
            subscriber.on_drained(scope)

    def notify_new_history(self) -> None:
        """Postgres has gone on from an earlier state."""
        for listeners in self._listeners.values():
            for listener in listeners:
                listener.lose()
        for subscriber in self._subscribers:
            subscriber.on_new_history()
        self._call_removal_listeners(None)

    async def follow(self) -> None:
        """Passes on the changes of other servers, for as long as it runs; connects again when the connection is
        lost."""

        async def receive(connection: BoundedConnection) -> None:
            await connection.execute(f"listen {CHANNEL}")
            self._on_unknown_changes()
            while True:
                async for notification in connection.notifies(timeout=PING_SECONDS):
                    # This process notified its listeners of its own commits at once.
                    if notification.pid != self._own_pid:
                        for sent in notification.payload.split():
                            if sent == RESTORED:
                                await self._check_history()
                            else:
                                self._receive(sent)
                await connection.execute("select 1")

        await self._stay_connected("receiving changes of other servers", receive)

    async def publish(self) -> None:
        """Sends the changes of this process to the other servers, for as long as it runs."""

        async def send(connection: BoundedConnection) -> None:
            self._own_pid = connection.info.backend_pid
            while True:
                await self._send_next(connection)
                await asyncio.sleep(PAUSE_SECONDS)

        await self._stay_connected("sending changes to other servers", send)

    async def _stay_connected(self, what: str, use: Callable[[BoundedConnection], Awaitable[None]]) -> None:
        """Uses one connection after the other; an outage is logged once, when it begins."""
        is_down = False
        while True:
            try:
                async with await BoundedConnection.connect(self._url, autocommit=True, connect_timeout=5) as connection:
                    connection.answer_seconds = ANSWER_SECONDS
                    is_down = False
                    await use(connection)
            except (psycopg.Error, OSError) as error:
                if not is_down:
                    cause = type(error).__name__
                    logger.warning("%s is interrupted", what, extra={"cause": cause})
                is_down = True
            await asyncio.sleep(RECONNECT_SECONDS)

    async def _send_next(self, connection: BoundedConnection) -> None:
        await self._has_unsent.wait()
        await asyncio.sleep(GATHER_SECONDS)
        count = min(MAX_SCOPES_PER_NOTIFY, len(self._unsent))
        names = [self._unsent.pop() for _ in range(count)]
        if not self._unsent:
            self._has_unsent.clear()
        try:
            await connection.execute("select pg_notify(%s, %s)", (CHANNEL, " ".join(names)))
        except BaseException:
            self._unsent.update(names)
            self._has_unsent.set()
            raise

    async def _check_history(self) -> None:
        # Where it fails, the next check of every ten seconds does not.
        with suppress(StorageUnavailable):
            if self._on_restore is not None:
                await self._on_restore()

    def _send(self, name: str) -> None:
        self._unsent.add(name)
        self._has_unsent.set()

    def _receive(self, sent: str) -> None:
        name = sent.removesuffix(REMOVAL_SUFFIX)
        if sent == name:
            self._on_change(name)
        else:
            self._on_removal(name)

    def _on_change(self, name: str) -> None:
        self._notify_listeners(name)
        for subscriber in self._subscribers:
            subscriber.on_change(name)

    def _on_removal(self, name: str | None) -> None:
        for subscriber in self._subscribers:
            subscriber.on_removal(name)
        self._call_removal_listeners(name)

    def _call_removal_listeners(self, name: str | None) -> None:
        for listener in self._removal_listeners:
            listener(name)

    def _on_unknown_changes(self) -> None:
        """Tells everybody to read again, since changes are unknown while no connection listens."""
        for name in list(self._listeners):
            self._notify_listeners(name)
        for subscriber in self._subscribers:
            subscriber.on_change(None)
        self._on_removal(None)

    def _notify_listeners(self, name: str) -> None:
        for listener in self._listeners.get(name, ()):
            listener.notify()

    def _remove_listener(self, name: str, listener: ScopeListener) -> None:
        self._listeners[name].discard(listener)
        if not self._listeners[name]:
            del self._listeners[name]


# Followers are woken by notifications; this bounds the delay where one is lost.
MAX_WAIT_SECONDS = 5.0
