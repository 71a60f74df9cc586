"""Notices that Postgres has gone on from an earlier state, and that what was read before may never have happened."""

import asyncio
import logging
import secrets
from collections.abc import Callable, Sequence
from typing import Any, LiteralString

from psycopg import AsyncConnection
from psycopg import errors as pg

from camillo_server.kernel.writes import History
from camillo_server.storage.statements import statements

SQL = statements("storage/history")
UNSUPPORTED = (
    pg.InsufficientPrivilege,
    pg.UndefinedFunction,
    pg.FeatureNotSupported,
    pg.ObjectNotInPrerequisiteState,
)
logger = logging.getLogger(__name__)


class HistoryCheck:
    """The history that the connections of this process are in."""

    def __init__(self) -> None:
        self.current: History | None = None
        self._flushed = 0
        self._has_timelines = True
        self._checking = asyncio.Lock()
        self._subscribers: list[Callable[[History], None]] = []

    def subscribe(self, subscriber: Callable[[History], None]) -> None:
        """It is called when the history is another one, before anything else is read."""
        self._subscribers.append(subscriber)

    async def check(self, session: AsyncConnection[Any]) -> bool:
        """Whether this connection is in another history than those before; the subscribers have been called then."""
        async with self._checking:
            return await self._check(session)

    async def _check(self, session: AsyncConnection[Any]) -> bool:
        flushed_before = self._flushed
        found, flushed = await self._read(session)
        # A copy of the data that was started without a recovery is in the same timeline, but behind what was seen.
        went_back = flushed is not None and flushed < flushed_before
        if went_back and found == self.current:
            await _turn_epoch(session, found)
            found, flushed = await self._read(session)
        is_other = self.current is not None and (found != self.current or went_back)
        self.current = found
        if flushed is not None:
            self._flushed = flushed if is_other else max(flushed, self._flushed)
        if is_other:
            logger.warning(
                "Postgres has gone on from an earlier state: what was read before is dropped",
                extra={"timeline": found.timeline},
            )
            for subscriber in self._subscribers:
                subscriber(found)
        return is_other

    async def _read(self, session: AsyncConnection[Any]) -> tuple[History, int | None]:
        """The history, and how many bytes of it are on disk, of a primary."""
        if self._has_timelines:
            try:
                row = await _row(session, SQL["history"])
                database_id, epoch, system_identifier, timeline, flushed = row
                return History(database_id, system_identifier, timeline, epoch), flushed
            except UNSUPPORTED as error:
                # Fails as well while the whole schema is closed, as it is during a restore.
                await _row(session, SQL["database_id"])
                self._has_timelines = False
                cause = type(error).__name__
                logger.warning("Postgres does not tell its timeline", extra={"cause": cause})
        database_id, epoch = await _row(session, SQL["database_id"])
        return History(database_id, epoch=epoch), None


async def _turn_epoch(session: AsyncConnection[Any], found: History) -> None:
    """Begins another epoch for every server, unless another one has begun it: then nobody takes a lost revision for one
    of now. The new epoch is a random number, since the next snapshot may be of the same epoch."""
    parameters = {"epoch": found.epoch, "next": secrets.randbits(62)}
    await session.execute(SQL["turn_epoch"], parameters, prepare=False)


async def _row(session: AsyncConnection[Any], sql: LiteralString) -> Sequence[Any]:
    cursor = await session.execute(sql, prepare=False)
    row: Sequence[Any] = await cursor.fetchone() or ()
    return row
