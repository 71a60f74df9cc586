"""COPY in binary form, received in a thread and many rows at a time: on the event loop, each row would cost as much as
Postgres takes to send it."""

import asyncio
import threading
import time
from collections.abc import AsyncGenerator, Callable, Sequence
from concurrent.futures import Executor
from contextlib import suppress
from typing import NamedTuple, TypeVar

import psycopg
from psycopg import abc, generators, waiting
from psycopg import errors as pg
from psycopg.pq import ExecStatus
from psycopg.pq.abc import PGconn

from camillo_server.storage.database import Session
from camillo_server.storage.wire import Statement

# A signature of 11 bytes, flags, and the length of an extension, which is empty.
HEADER_BYTES = 11 + 4 + 4
# The last one is not a row.
TRAILER_BYTES = 2
# Rows that are joined at once: more would not stay in the cache of the processor, which takes twice as long.
ROWS_JOINED = 64
# A thread that waits for rows looks so often whether its caller has gone.
CHECK_SECONDS = 0.1
T = TypeVar("T")


class Rows(NamedTuple):
    """Rows one after the other, and the length of each; as bytes, but for a single row that was asked for alone."""

    data: bytes | memoryview
    lengths: Sequence[int]


async def copied(
    session: Session, statement: Statement, size: int, skipped: int, read: Callable[[Rows], T], pool: Executor
) -> AsyncGenerator[T, None]:
    """Yields what `read` makes of the rows of a COPY to standard output without their first bytes, so many rows at a
    time, in the pool's threads.

    Raises the driver's errors; OperationalError where Postgres is silent for longer than `session.answer_seconds`: the
    connection is closed then."""
    sql, parameters = statement
    receiver = _Receiver(session.pgconn, session.answer_seconds, skipped)
    async with session.cursor() as cursor, cursor.copy(sql, parameters):
        while not receiver.is_over:
            yield await _in_thread(pool, receiver, lambda: read(receiver.receive(size)))


async def _in_thread(pool: Executor, receiver: "_Receiver", work: Callable[[], T]) -> T:
    """The result of the work. Cancelled, it ends when the thread does: nothing else may use the connection before."""
    running = asyncio.get_running_loop().run_in_executor(pool, work)
    try:
        return await asyncio.shield(running)
    except asyncio.CancelledError:
        receiver.stopped.set()
        while not running.done():
            # Whoever cancels once more waits for it, too.
            with suppress(asyncio.CancelledError):
                await asyncio.wait([running])
        raise
    finally:
        # Else an error of the work would hold this frame, which would hold the error.
        del running


class _Receiver:
    """Receives the rows of a COPY that has begun. Belongs to one thread at a time."""

    def __init__(self, connection: PGconn, max_silence: float | None, skipped: int) -> None:
        self.is_over = False
        self.stopped = threading.Event()
        self._connection = connection
        self._max_silence = max_silence
        self._skipped = skipped
        self._is_first = True

    def receive(self, size: int) -> Rows:
        """The next rows; fewer only at the end."""
        return waiting.wait(self._receive(size), self._connection.socket, CHECK_SECONDS)

    def _receive(self, size: int) -> abc.PQGen[Rows]:
        parts: list[bytes] = []
        lengths: list[int] = []
        while len(lengths) < size and not (self.is_over or self.stopped.is_set()):
            rows = yield from self._receive_few(min(ROWS_JOINED, size - len(lengths)))
            if size == 1 and rows:
                # Not copied, since it may be large: that would keep the interpreter's lock.
                return Rows(rows[0], [len(rows[0])])
            lengths += map(len, rows)
            parts.append(b"".join(rows))
        return Rows(b"".join(parts), lengths)

    def _receive_few(self, size: int) -> abc.PQGen[list[memoryview]]:
        rows: list[memoryview] = []
        take, skipped = self._connection.get_copy_data, self._skipped
        while len(rows) < size and not self.stopped.is_set():
            length, row = take(1)
            if length == 0:
                # Takes bytes that are there without a wait, which would give the interpreter's lock away.
                self._connection.consume_input()
                length, row = take(1)
            if length > 0:
                if self._is_first:
                    # The header comes with the first row, or with the trailer.
                    self._is_first = False
                    row = row[HEADER_BYTES:]
                if len(row) > TRAILER_BYTES:
                    rows.append(row[skipped:] if skipped else row)
            elif length == 0:
                yield from self._wait()
            else:
                yield from self._end()
                break
        return rows

    def _end(self) -> abc.PQGen[None]:
        """Reads how it ended."""
        self.is_over = True
        for result in (yield from generators.fetch_many(self._connection)):
            if result.status != ExecStatus.COMMAND_OK:
                raise pg.error_from_result(result)

    def _wait(self) -> abc.PQGen[None]:
        """Waits for bytes, and reads them."""
        began = time.monotonic()
        while not (yield waiting.WAIT_R):
            if self.stopped.is_set():
                return
            if self._max_silence is not None and time.monotonic() - began > self._max_silence:
                # Nobody knows what would be read from it next.
                self._connection.finish()
                raise psycopg.OperationalError("postgres sends nothing")
        self._connection.consume_input()
