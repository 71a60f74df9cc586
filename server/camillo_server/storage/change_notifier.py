"""Wakes followers of a scope: after a commit here at once, after a commit elsewhere by LISTEN/NOTIFY.

The NOTIFY is sent after the writing transaction, gathered for some milliseconds: inside it, every commit of the
cluster would queue behind one lock (docs/adr/0004). A lost one costs a follower delay, never a change.
"""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Awaitable, Callable

import psycopg

from camillo_server.kernel.scope import Scope
from camillo_server.storage.lexemes import scope_prefix

CHANNEL = "camillo_changes"
GATHER_SECONDS = 0.005
RECONNECT_SECONDS = 1.0
# NOTIFY takes payloads up to 8,000 bytes; a scope's name in one takes 7.
SCOPES_PER_NOTIFY = 1_000
# Behind the name of a scope in which something was taken back: it may not be shown any more.
TAKEN_BACK = "!"

Connection = psycopg.AsyncConnection[tuple[object, ...]]

logger = logging.getLogger(__name__)


class ScopeListening:
    """`Listening` on one scope."""

    def __init__(self, close: Callable[["ScopeListening"], None]) -> None:
        self._rung = asyncio.Event()
        self._close = close

    def ring(self) -> None:
        self._rung.set()

    async def wait(self, timeout_seconds: float) -> None:
        try:
            async with asyncio.timeout(timeout_seconds):
                await self._rung.wait()
        except TimeoutError:
            return
        finally:
            self._rung.clear()

    def close(self) -> None:
        self._close(self)


class PostgresChangeBell:
    """`ChangeBell`, and the way by which this server tells the others of its writes."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._observers: list[Callable[[str | None], None]] = []
        self._forgetters: list[Callable[[str | None], None]] = []
        self._own_pid = 0
        self._listeners: dict[str, set[ScopeListening]] = defaultdict(set)
        self._unsent: set[str] = set()
        self._has_unsent = asyncio.Event()

    def listen(self, scope: Scope) -> ScopeListening:
        name = scope_prefix(scope)
        listening = ScopeListening(lambda closed: self._forget(name, closed))
        self._listeners[name].add(listening)
        return listening

    def observe(self, observer: Callable[[str | None], None]) -> None:
        """Tells the observer the name of every scope that rings, or None where any may have changed."""
        self._observers.append(observer)

    def observe_forgetting(self, forgetter: Callable[[str | None], None]) -> None:
        """Tells it the name of every scope in which something was taken back, or None where that may be so in any."""
        self._forgetters.append(forgetter)

    def ring_forgetting(self, scope: Scope) -> None:
        """What was read of the scope before may hold what is gone now: after the commit, beside `ring`."""
        name = scope_prefix(scope)
        self._tell_forgetters(name)
        self._send(name + TAKEN_BACK)

    def ring(self, scope: Scope, *, observed: bool = False) -> None:
        """A write to the scope has been committed here, and the observers know it already or not."""
        name = scope_prefix(scope)
        self._ring_listeners(name)
        if not observed:
            self._tell_observers(name)
        self._send(name)

    async def follow(self) -> None:
        """Rings for the writes of others, for as long as it runs; connects again when the connection is lost."""

        async def hear(connection: Connection) -> None:
            await connection.execute(f"listen {CHANNEL}")
            self._ring_everyone()
            async for notification in connection.notifies():
                # What was committed here rang when it was.
                if notification.pid != self._own_pid:
                    for told in notification.payload.split():
                        self._hear(told)

        await self._stay_connected("hearing changes", hear)

    async def tell(self) -> None:
        """Sends what was rung here to the other servers, for as long as it runs."""

        async def send(connection: Connection) -> None:
            self._own_pid = connection.info.backend_pid
            while True:
                await self._send_next(connection)

        await self._stay_connected("telling changes", send)

    async def _stay_connected(
        self, what: str, use: Callable[[Connection], Awaitable[None]]
    ) -> None:
        """Uses one connection after the other; an outage is logged once, when it begins."""
        is_down = False
        while True:
            try:
                async with await self._connect() as connection:
                    is_down = False
                    await use(connection)
            except (psycopg.Error, OSError) as error:
                if not is_down:
                    cause = type(error).__name__
                    logger.warning("%s is interrupted", what, extra={"cause": cause})
                is_down = True
            await asyncio.sleep(RECONNECT_SECONDS)

    async def _send_next(self, connection: Connection) -> None:
        await self._has_unsent.wait()
        await asyncio.sleep(GATHER_SECONDS)
        names = [self._unsent.pop() for _ in range(min(SCOPES_PER_NOTIFY, len(self._unsent)))]
        if not self._unsent:
            self._has_unsent.clear()
        try:
            await connection.execute("select pg_notify(%s, %s)", (CHANNEL, " ".join(names)))
        except BaseException:
            self._unsent.update(names)
            self._has_unsent.set()
            raise

    async def _connect(self) -> Connection:
        return await psycopg.AsyncConnection.connect(self._url, autocommit=True, connect_timeout=5)

    def _send(self, told: str) -> None:
        self._unsent.add(told)
        self._has_unsent.set()

    def _hear(self, told: str) -> None:
        name = told.removesuffix(TAKEN_BACK)
        if told != name:
            self._tell_forgetters(name)
        else:
            self._ring_listeners(name)
            self._tell_observers(name)

    def _tell_observers(self, name: str | None) -> None:
        for observer in self._observers:
            observer(name)

    def _tell_forgetters(self, name: str | None) -> None:
        for forgetter in self._forgetters:
            forgetter(name)

    def _ring_listeners(self, name: str) -> None:
        for listening in self._listeners.get(name, ()):
            listening.ring()

    def _ring_everyone(self) -> None:
        """What happened while nobody listened is unknown: everyone looks."""
        for name in list(self._listeners):
            self._ring_listeners(name)
        self._tell_observers(None)
        self._tell_forgetters(None)

    def _forget(self, name: str, listening: ScopeListening) -> None:
        self._listeners[name].discard(listening)
        if not self._listeners[name]:
            del self._listeners[name]
