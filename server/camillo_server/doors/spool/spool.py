"""The spool of a process: writes on its disk that wait for Postgres."""

import asyncio
import heapq
import logging
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import Context
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TypeVar
from uuid import UUID

from camillo_server.doors.spool.frames import Position, UnknownVersion, UnsealedFrame
from camillo_server.doors.spool.held_file import (
    HeldFile,
    WaitingFrame,
    load_file,
    read_frame,
    waiting_frames,
)
from camillo_server.doors.spool.spool_file import SUFFIX, SpoolFile, modified, remove_leftovers
from camillo_server.doors.spool.spooled_write import SpooledWrite, Waiting
from camillo_server.kernel.errors import SpoolUnavailable
from camillo_server.kernel.ids import TenantId
from camillo_server.kernel.off_loop import UNBOUNDED, off_loop
from camillo_server.kernel.scope import Scope
from camillo_server.lib.crypto.keyring import Keyring

logger = logging.getLogger(__name__)
T = TypeVar("T")

BATCH_BYTES = 1 << 20
# A process that is killed has recorded all that was done before these, or before this time.
UNRECORDED_ITEMS = 64
UNRECORDED_SECONDS = 1.0
# A file is given up at this part of all of them, so that those whose writes are done can be removed.
_FILES = 8
_MAX_FILE_BYTES = 32 << 20


@dataclass(slots=True, eq=False)
class _Append:
    """A frame on its way to the disk."""

    frame: UnsealedFrame
    stored: "asyncio.Future[None]"


class Spool:
    """Appends writes, hands out those that wait in the order of their acceptance, and remembers which are done. Belongs
    to one event loop; its files are read and written in a thread of its own. Nothing is created before the first
    append."""

    def __init__(self, directory: Path, max_bytes: int, keyring: Keyring) -> None:
        """`directory` is made when it is needed."""
        self._directory, self._max_bytes, self._keyring = directory, max_bytes, keyring
        self._file_bytes = min(_MAX_FILE_BYTES, max_bytes // _FILES)
        # Starts none before it has work.
        self._thread = ThreadPoolExecutor(1, "spool")
        self._files: list[HeldFile] = []
        # The one that is appended to.
        self._current: HeldFile | None = None
        self._queue: list[_Append] = []
        # The bytes of frames that are being appended, by tenant.
        self._reserved: Counter[TenantId] = Counter()
        self._flushing: asyncio.Task[None] | None = None
        # The positions of the items that were handed out and are not done.
        self._handed_out: dict[UUID, tuple[HeldFile, int]] = {}
        self._recording: asyncio.Task[None] | None = None
        self._is_closed = self._has_warned_full = False
        # Names of files that cannot be read.
        self._warned_unreadable: set[str] = set()

    async def open(self) -> None:
        """Takes over what dead processes left (`adopt`)."""
        await self.adopt()

    async def append(self, write: SpooledWrite) -> None:
        """The write is on disk when this returns, behind those whose append was called before. Raises SpoolUnavailable:
        the write is not acknowledged then, and not stored later but for a crash at that moment."""
        if self._is_closed:
            raise SpoolUnavailable
        frame = UnsealedFrame.of(write, self._keyring)
        self._require_room(frame)
        append = _Append(frame, asyncio.get_running_loop().create_future())
        self._queue.append(append)
        self._reserved[write.scope.tenant_id] += frame.byte_count
        if self._flushing is None:
            self._flushing = asyncio.create_task(self._flush(), context=Context())
        await append.stored

    async def adopt(self) -> int:
        """Takes over files of dead processes, while this one has room: how many writes came with them."""
        count = 0
        for path in await off_loop(UNBOUNDED, self._other_paths):
            held = await self._load(path) if self._has_room_for(path) else None
            if held is not None:
                self._files.append(held)
                count += held.index.waiting
                extra = {"file": path.name, "writes": held.index.waiting}
                logger.info("took over a spool file", extra=extra)
        await self._remove_finished()
        return count

    async def batches(self, max_bytes: int = BATCH_BYTES) -> AsyncIterator[Sequence[Waiting]]:
        """Yields the writes that wait now, oldest first, in batches of at most `max_bytes`, or of one item that is
        larger. The writes of a file keep their order; files are merged by `accepted_at`. Writes that are done meanwhile
        are left out."""
        chosen: list[WaitingFrame] = []
        size = 0
        # Compared by time alone, so that each file keeps its order.
        for frame in heapq.merge(*map(waiting_frames, self._files), key=lambda each: each.accepted_microseconds):
            byte_count = frame.position.byte_count
            if chosen and size + byte_count > max_bytes:
                if batch := await self._read(chosen):
                    yield batch
                chosen, size = [], 0
            chosen.append(frame)
            size += byte_count
        if batch := await self._read(chosen):
            yield batch

    async def done(self, items: Iterable[Waiting]) -> None:
        """Marks items that need not be stored any more. The marks are on disk within a second or 64 items, so that a
        process that is killed leaves few that are replayed again. Items that were not handed out, or are done already,
        are passed over."""
        for item in items:
            self._finish(item)
        await self._remove_finished()
        count = sum(len(held.unrecorded) for held in self._files)
        if count >= UNRECORDED_ITEMS:
            await self._record_done()
        elif count and self._recording is None:
            self._recording = asyncio.create_task(self._record_soon(), context=Context())

    def waiting(self, scope: Scope) -> int:
        """How many writes of the scope wait."""
        return sum(held.counts.scopes.get(scope, 0) for held in self._files)

    @property
    def waiting_count(self) -> int:
        """How many writes and damaged frames wait, without `unopened_count`."""
        # Asked before every write, nearly always without a file.
        return sum(held.index.waiting for held in self._files) if self._files else 0

    @property
    def unopened_count(self) -> int:
        """How many writes cannot be decrypted with the keys of this process: they stay in their files."""
        return sum(held.index.unopened for held in self._files)

    @property
    def byte_count(self) -> int:
        """How large the files are."""
        return sum(held.byte_count for held in self._files)

    @property
    def oldest_accepted_at(self) -> datetime | None:
        """When the oldest of those that wait was accepted."""
        times = [held.index.oldest_accepted_at() for held in self._files]
        return min((each for each in times if each is not None), default=None)

    async def close(self) -> None:
        """Waits for the appends under way, and leaves the files to whoever adopts them."""
        self._is_closed = True
        if self._flushing is not None:
            await self._flushing
        if self._recording is not None:
            self._recording.cancel()
        await self._record_done()
        files, self._files, self._current = self._files, [], None
        for held in files:
            await self._in_thread(held.file.close)
        self._thread.shutdown(wait=False)

    def _require_room(self, frame: UnsealedFrame) -> None:
        tenant_id, reserved = frame.write.scope.tenant_id, self._reserved
        of_tenant = reserved[tenant_id] + sum(held.counts.tenant_bytes.get(tenant_id, 0) for held in self._files)
        of_all = self.byte_count + reserved.total()
        size = frame.byte_count
        if of_tenant + size <= self._max_bytes // 2 and of_all + size <= self._max_bytes:
            self._has_warned_full = False
            return
        if not self._has_warned_full:
            self._has_warned_full = True
            extra = {"bytes": of_all, "tenant": tenant_id, "bytes_of_tenant": of_tenant}
            logger.warning("the spool is full", extra=extra)
        raise SpoolUnavailable

    async def _flush(self) -> None:
        """Stores what waits, together, until nothing does."""
        try:
            while self._queue:
                group, self._queue = self._queue, []
                await self._store([each for each in group if not each.stored.cancelled()])
                for each in group:
                    self._reserved[each.frame.write.scope.tenant_id] -= each.frame.byte_count
        finally:
            self._reserved = +self._reserved
            self._flushing = None

    async def _store(self, group: Sequence[_Append]) -> None:
        if not group:
            return
        try:
            if self._current is None:
                file = await self._in_thread(partial(SpoolFile.create, self._directory))
                self._current = HeldFile(file, file.byte_count)
                self._files.append(self._current)
            held = self._current
            await self._in_thread(partial(_append, held.file, [each.frame for each in group], self._keyring))
        except OSError as error:
            logger.warning("the spool cannot be written", extra={"cause": error.strerror})
            if self._current is not None and self._current.file.is_full:
                self._current = None
                await self._remove_finished()
            for each in group:
                _fail(each, error)
        except BaseException as error:
            for each in group:
                _fail(each, error)
            raise
        else:
            self._enter(held, group)

    def _enter(self, held: HeldFile, group: Sequence[_Append]) -> None:
        """Counts what is on disk, and answers."""
        for each in group:
            write, size = each.frame.write, each.frame.byte_count
            held.index.add(Position(held.byte_count, size), write.accepted_at)
            held.byte_count += size
            held.counts.add(write.scope, size)
            if not each.stored.done():
                each.stored.set_result(None)
        if held.byte_count >= self._file_bytes:
            self._current = None

    def _other_paths(self) -> list[Path]:
        """Spool files that this process does not have, the oldest first; removes what is left of others."""
        if not self._directory.is_dir():
            return []
        remove_leftovers(self._directory)
        own = {held.file.path for held in self._files}
        paths = [each for each in self._directory.glob(f"*{SUFFIX}") if each not in own]
        return sorted(paths, key=modified)

    def _has_room_for(self, path: Path) -> bool:
        """Others have room, too; but whoever has nothing takes whatever there is."""
        return not self._files or self.byte_count + _size(path) <= self._max_bytes

    async def _load(self, path: Path) -> HeldFile | None:
        try:
            return await off_loop(UNBOUNDED, partial(load_file, path, self._keyring))
        except (UnknownVersion, OSError, ValueError) as error:
            if path.name not in self._warned_unreadable:
                self._warned_unreadable.add(path.name)
                extra = {"file": path.name, "cause": repr(error)}
                logger.warning("a spool file cannot be read; it stays", extra=extra)
            return None

    async def _read(self, chosen: Sequence[WaitingFrame]) -> list[Waiting]:
        here = [each for each in chosen if each.is_waiting]
        if not here:
            return []
        read = await self._in_thread(lambda: [read_frame(each, self._keyring) for each in here])
        found = []
        for frame, item in zip(here, read, strict=True):
            if item is not None and frame.is_waiting:
                self._handed_out[item.spool_id] = (frame.held, frame.position.offset)
                found.append(item)
        return found

    def _finish(self, item: Waiting) -> None:
        held, offset = self._handed_out.pop(item.spool_id, (None, 0))
        size = None if held is None else held.index.finish(offset)
        if held is None or size is None:
            return
        held.unrecorded.append(offset)
        if isinstance(item, SpooledWrite):
            held.counts.remove(item.scope, size)

    async def _remove_finished(self) -> None:
        """Removes files of which nothing is needed any more, but not the one that is being appended to."""
        for held in [each for each in self._files if each.is_finished]:
            if held is self._current:
                if self._flushing is not None:
                    continue
                self._current = None
            self._files.remove(held)
            try:
                await self._in_thread(held.file.remove)
            except OSError as error:
                self._files.append(held)
                logger.warning("a spool file stays", extra={"cause": error.strerror})

    async def _record_soon(self) -> None:
        try:
            while any(held.unrecorded for held in self._files):
                await asyncio.sleep(UNRECORDED_SECONDS)
                await self._record_done()
        finally:
            self._recording = None

    async def _record_done(self) -> None:
        for held in [each for each in self._files if each.unrecorded]:
            offsets, held.unrecorded = held.unrecorded, []
            try:
                await self._in_thread(partial(held.file.record_done, offsets))
            except OSError as error:
                held.unrecorded += offsets
                logger.warning("what is done cannot be recorded", extra={"cause": error.strerror})

    async def _in_thread(self, work: Callable[[], T]) -> T:
        return await off_loop(UNBOUNDED, work, self._thread)


def _append(file: SpoolFile, frames: Sequence[UnsealedFrame], keyring: Keyring) -> None:
    file.append([each.encode(file.file_id, keyring) for each in frames])


def _fail(append: _Append, error: BaseException) -> None:
    if not append.stored.done():
        failure = SpoolUnavailable()
        failure.__cause__ = error
        append.stored.set_exception(failure)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0
