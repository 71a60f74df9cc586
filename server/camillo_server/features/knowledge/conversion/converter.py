"""Parses a document in a process of its own, which may take so much time and memory and is killed behind that: a
document that is made to break its parser costs the server nothing."""

import asyncio
import json
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process, create_subprocess_exec
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import asdict
from time import monotonic

from camillo_server.features.knowledge.conversion.document import OUT_OF_MEMORY, ReadingLimits, unreadable
from camillo_server.kernel.errors import Overloaded
from camillo_server.kernel.off_loop import FairSlots, current_tenant

# At once, in one server; a tenant has one of them, so that another's document begins at once or behind one at most.
MAX_PROCESSES, OF_A_TENANT = 2, 1
# Documents that may wait, of a tenant and of all.
MAX_WAITING_OF_A_TENANT, MAX_WAITING = 8, 64
WHAT = "documents that wait to be read"


class ReadingSlots:
    """Belongs to one event loop."""

    def __init__(self) -> None:
        self._slots = FairSlots(MAX_PROCESSES, OF_A_TENANT)
        self._waiting = Counter[str]()
        # The moving average of how long a process took.
        self._seconds = 1.0

    @asynccontextmanager
    async def slot(self, tenant_id: str) -> AsyncIterator[None]:
        """Waits for the tenant's turn. Raises Overloaded where too many wait, which tells when to come again."""
        if not self._slots.take(tenant_id):
            await self._wait(tenant_id)
        begin = monotonic()
        try:
            yield
        finally:
            self._seconds += (monotonic() - begin - self._seconds) / 4
            self._slots.release(tenant_id)

    async def _wait(self, tenant_id: str) -> None:
        waiting, of_all = self._waiting[tenant_id], self._waiting.total()
        if waiting >= MAX_WAITING_OF_A_TENANT or of_all >= MAX_WAITING:
            limit = MAX_WAITING if of_all >= MAX_WAITING else MAX_WAITING_OF_A_TENANT
            raise Overloaded(limit, WHAT, retry_after_seconds=self._seconds)
        self._waiting[tenant_id] += 1
        try:
            await self._slots.wait(tenant_id)
        finally:
            self._waiting[tenant_id] -= 1
            self._waiting = +self._waiting


_of_loop: dict[int, tuple[asyncio.AbstractEventLoop, ReadingSlots]] = {}


def reading_slots() -> ReadingSlots:
    """Slots of the running event loop."""
    loop = asyncio.get_running_loop()
    known = _of_loop.get(id(loop))
    if known is None or known[0] is not loop:
        _of_loop.clear()
        known = _of_loop[id(loop)] = loop, ReadingSlots()
    return known[1]


CHILD_COMMAND = (sys.executable, "-I", "-m", "camillo_server.features.knowledge.conversion.child")
_PART_BYTES = 256 * 1024
_MAX_HEADER_BYTES = 16 * 1024
_OUT_OF_BOUNDS = (-signal.SIGXCPU, -signal.SIGKILL, OUT_OF_MEMORY)


async def convert(content: bytes, kind: str, limits: ReadingLimits) -> tuple[str, bytes]:
    """The title that the document has, or none, and its text, when it is the turn of the current tenant. Raises
    DocumentUnreadable, Overloaded. A call that ends takes the process with it."""
    async with reading_slots().slot(current_tenant.get()):
        process = await create_subprocess_exec(
            *CHILD_COMMAND,
            stdin=PIPE,
            stdout=PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            cwd="/",
            env={},
            # Whatever it starts ends with it.
            start_new_session=True,
        )
        try:
            async with asyncio.timeout(limits.seconds):
                answer = await _answer(process, content, kind, limits)
                status = await process.wait()
        except TimeoutError:
            raise unreadable("expands_too_far") from None
        finally:
            await _end(process)
    return _read_answer(answer, status)


async def _answer(process: Process, content: bytes, kind: str, limits: ReadingLimits) -> bytes:
    """All that the process writes, while it is sent what to read."""
    header = json.dumps({"kind": kind, **asdict(limits)}).encode() + b"\n"
    telling = asyncio.create_task(_tell(process, header, content))
    try:
        return await _hear(process, limits.max_text_bytes + _MAX_HEADER_BYTES)
    finally:
        # It may have ended before it read everything.
        telling.cancel()
        await asyncio.gather(telling, return_exceptions=True)


async def _tell(process: Process, header: bytes, content: bytes) -> None:
    pipe = process.stdin
    assert pipe is not None  # noqa: S101
    try:
        pipe.write(header)
        for start in range(0, len(content), _PART_BYTES):
            pipe.write(content[start : start + _PART_BYTES])
            await pipe.drain()
        pipe.close()
        await pipe.wait_closed()
    except (BrokenPipeError, ConnectionResetError):
        # It has ended before it read everything: its answer tells why.
        return


async def _hear(process: Process, max_bytes: int) -> bytes:
    pipe = process.stdout
    assert pipe is not None  # noqa: S101
    parts, size = list[bytes](), 0
    while part := await pipe.read(_PART_BYTES):
        parts.append(part)
        size += len(part)
        if size > max_bytes:
            raise unreadable("too_large", max_bytes - _MAX_HEADER_BYTES)
    return b"".join(parts)


async def _end(process: Process) -> None:
    """Kills the process where it still runs, whatever became of the call."""
    if process.returncode is None:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        await asyncio.shield(_ended(process))


async def _ended(process: Process) -> None:
    """asyncio tells that a process has ended once its output was read."""
    assert process.stdout is not None  # noqa: S101
    while await process.stdout.read(_PART_BYTES):
        pass
    await process.wait()


def _read_answer(answer: bytes, status: int) -> tuple[str, bytes]:
    if status:
        raise unreadable("expands_too_far" if status in _OUT_OF_BOUNDS else "damaged")
    header, _, text = answer.partition(b"\n")
    answered = json.loads(header)
    if "why" in answered:
        raise unreadable(answered["why"], answered.get("limit"))
    return answered["title"], text
