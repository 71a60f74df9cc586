"""MCP over standard input and output: a line of JSON is a message, and every request is answered, whatever the line
holds."""

import asyncio
import os
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any, Self

from camillo_server.doors.gateway.json_bounds import MESSAGE_BOUNDS
from camillo_server.doors.gateway.mcp import json_rpc
from camillo_server.doors.gateway.mcp.direct_answers import DirectAnswers
from camillo_server.doors.gateway.mcp.json_rpc import INVALID_REQUEST, Refused

MAX_LINE_BYTES = MESSAGE_BOUNDS.max_bytes
# Requests that are answered at one time; a client that sends more waits.
MAX_REQUESTS = 32
_MAX_BATCH = 100
_READ_BYTES = 64 * 1024
# After this silence what calls need is imported: it would slow down the first answers.
_QUIET_SECONDS = 0.3


@contextmanager
def claimed_stdio() -> Iterator[tuple[int, int]]:
    """Descriptors of what the client sends and reads. Meanwhile whatever else prints, prints on standard error."""
    source, sink = os.dup(0), os.dup(1)
    nowhere = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nowhere, 0)
    os.dup2(2, 1)
    os.close(nowhere)
    try:
        yield source, sink
    finally:
        os.dup2(sink, 1)


class StdioLines:
    """Lines from the client and to it. Nothing is read ahead of what can be answered, beyond a few lines."""

    def __init__(self, source: int, sink: int) -> None:
        self._source = source
        self._sink = sink
        self._lines: asyncio.Queue[bytes | None] = asyncio.Queue(maxsize=MAX_REQUESTS)
        self._writing = asyncio.Lock()

    def begin(self) -> None:
        """Reads in a thread: a pipe blocks. It ends with the process at the latest."""
        loop = asyncio.get_running_loop()
        threading.Thread(target=self._read, args=(loop,), daemon=True).start()

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while (line := await self._lines.get()) is not None:
            yield line

    async def write(self, line: bytes) -> None:
        """Writes in a thread: a client that does not read must not keep other calls from going on."""
        async with self._writing:
            await asyncio.to_thread(self._send, line)

    def _read(self, loop: asyncio.AbstractEventLoop) -> None:
        held = b""
        while part := os.read(self._source, _READ_BYTES):
            *lines, rest = part.split(b"\n")
            for each in lines:
                self._take(loop, held + each)
                held = b""
            # One byte more than a line may have tells that it is too long.
            held = (held + rest)[: MAX_LINE_BYTES + 1]
        self._take(loop, held)
        asyncio.run_coroutine_threadsafe(self._lines.put(None), loop)

    def _take(self, loop: asyncio.AbstractEventLoop, line: bytes) -> None:
        if line.strip():
            asyncio.run_coroutine_threadsafe(self._lines.put(line), loop).result()

    def _send(self, line: bytes) -> None:
        while line:
            line = line[os.write(self._sink, line) :]


class StdioServer:
    """Answers the requests of one client, several at a time; each answer is written as soon as it is there."""

    def __init__(self, lines: StdioLines, profile: str, connection: Any, person: str = "") -> None:
        """`connection` and `person`: as RemoteCalls takes them."""
        self._person = person
        self._lines = lines
        self._profile = profile
        self._connection = connection
        self._answers = DirectAnswers(profile, self._service)
        self._importing: asyncio.Task[Any] | None = None
        self._running = dict[Any, asyncio.Task[dict[str, Any]]]()
        self._sdk = SdkLines(lines)
        self._room = asyncio.Semaphore(MAX_REQUESTS)

    async def serve(self) -> None:
        """Answers until the client closes its side, and what it has asked until then."""
        self._lines.begin()
        quiet = asyncio.get_running_loop().call_later(_QUIET_SECONDS, self._import)
        tasks = set[asyncio.Task[None]]()
        try:
            async for line in self._lines:
                await self._room.acquire()
                task = asyncio.create_task(self._line(line))
                tasks.add(task)
                task.add_done_callback(tasks.discard)
                task.add_done_callback(lambda _: self._room.release())
            await asyncio.gather(*tasks, return_exceptions=True)
        finally:
            quiet.cancel()
            await self._sdk.close()

    async def _line(self, line: bytes) -> None:
        answer: Any = None
        try:
            if len(line) > MAX_LINE_BYTES:
                raise Refused(INVALID_REQUEST, f"a line has up to {MAX_LINE_BYTES} bytes")
            message = json_rpc.parse_line(line)
            if not isinstance(message, list):
                answer = await self._message(message, line)
            elif 0 < len(message) <= _MAX_BATCH:
                # A revision of 2025 has batches.
                answered = await asyncio.gather(*(self._message(each, b"") for each in message))
                answer = [each for each in answered if each is not None]
            else:
                raise Refused(INVALID_REQUEST, f"a batch has 1 to {_MAX_BATCH} messages")
        except Refused as error:
            answer = json_rpc.error(None, error)
        if answer:
            await self._lines.write(json_rpc.encoded(answer))

    async def _message(self, message: Any, line: bytes) -> dict[str, Any] | None:
        """The answer to one message; None for what has none: notifications, answers, what is cancelled, what the SDK
        answers."""
        number = json_rpc.request_id(message)
        if not isinstance(message, dict) or (number is None and "id" in message):
            problem = "a message is an object whose id is a text or a number"
            return json_rpc.error(None, Refused(INVALID_REQUEST, problem))
        if number is None:
            return self._notified(message, line)
        if "method" not in message and ("result" in message or "error" in message):
            return None
        if line and self._answers.is_for_sdk(message):
            await self._sdk.take(line, number, self)
            return None
        return await self._answered(message, number)

    async def _answered(self, message: dict[str, Any], number: Any) -> dict[str, Any] | None:
        task = asyncio.create_task(self._answers.result(message))
        self._running[number] = task
        try:
            return json_rpc.result(number, await task)
        except Refused as error:
            return json_rpc.error(number, error)
        except asyncio.CancelledError:
            # By the client, unless this task itself is cancelled.
            if task.cancelled() and not asyncio.current_task().cancelling():  # type: ignore[union-attr]
                return None
            raise
        finally:
            self._running.pop(number, None)

    def _notified(self, message: dict[str, Any], line: bytes) -> dict[str, Any] | None:
        if not isinstance(message.get("method"), str):
            return json_rpc.error(None, Refused(INVALID_REQUEST, "a message has a method"))
        params = message.get("params")
        if message["method"] == "notifications/cancelled" and isinstance(params, dict):
            number = json_rpc.request_id({"id": params.get("requestId")})
            self._sdk.cancelled(line, number)
            if task := self._running.get(number):
                task.cancel()
        return None

    def _import(self) -> asyncio.Task[Any]:
        """Imports in a thread, since that takes part of a second."""
        if self._importing is None:
            self._importing = asyncio.create_task(asyncio.to_thread(_needed_modules))
        return self._importing

    async def _service(self) -> Any:
        calls, service = await asyncio.shield(self._import())
        return service.McpService(calls.RemoteCalls(self._connection, self._person), self._profile)

    async def sdk_server(self, lines: "SdkLines") -> None:
        """Runs the SDK for what it alone answers."""
        sdk = await asyncio.to_thread(import_module, f"{__package__}.sdk_server")
        await sdk.serve_lines(await self._service(), lines)


class SdkLines:
    """The lines that the SDK answers, in the form that its transport takes."""

    def __init__(self, lines: StdioLines) -> None:
        self._lines = lines
        self._queue: asyncio.Queue[str | None] = asyncio.Queue()
        self._task: asyncio.Task[None] | None = None
        self._numbers = set[Any]()

    async def take(self, line: bytes, number: Any, server: StdioServer) -> None:
        """Gives it a request, with the first one the SDK itself."""
        if self._task is None:
            self._task = asyncio.create_task(server.sdk_server(self))
        self._numbers.add(number)
        await self._queue.put(line.decode(errors="replace"))

    def cancelled(self, line: bytes, number: Any) -> None:
        """Tells it that the client wants no more of a request that it was given."""
        if number in self._numbers:
            self._queue.put_nowait(line.decode(errors="replace"))

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> str:
        line = await self._queue.get()
        if line is None:
            raise StopAsyncIteration
        return line

    async def write(self, text: str) -> None:
        """A line of the SDK's."""
        await self._lines.write(text.encode(errors="replace"))

    async def flush(self) -> None:
        """Holds nothing back."""

    async def close(self) -> None:
        """Ends with the client."""
        if self._task is not None:
            self._queue.put_nowait(None)
            await asyncio.gather(self._task, return_exceptions=True)


def _needed_modules() -> list[Any]:
    return [import_module(f"{__package__}.{name}") for name in ("remote_calls", "service")]
