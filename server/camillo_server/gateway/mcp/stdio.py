"""MCP over standard input and output: lines of JSON. The first questions are answered at once, all others by the SDK as soon as it is
imported."""

import asyncio
import json
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any, Self

from camillo_server.gateway.mcp.early_answers import EarlyAnswers

_READ_BYTES = 64 * 1024
# Between two first questions of a client, its start included.
_QUIET_SECONDS = 0.5


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
    """Lines from the client and to it, as the SDK's transport takes them."""

    def __init__(self, source: int, sink: int, early: EarlyAnswers) -> None:
        self._source = source
        self._sink = sink
        self._early: EarlyAnswers | None = early
        self._answered = set[str | int]()
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()
        self._changed = asyncio.Event()
        self.is_closed = False
        # Whether the SDK has anything to answer.
        self.has_unanswered = False

    def begin(self) -> None:
        """Reads in a thread: a pipe blocks. It ends with the process at the latest."""
        loop = asyncio.get_running_loop()
        threading.Thread(target=self._read, args=(loop,), daemon=True).start()

    async def first_questions(self) -> None:
        """Ends when the SDK is needed, or the client asks no more for now: importing it slows down the answers."""
        while not (self.is_closed or self.has_unanswered):
            self._changed.clear()
            try:
                async with asyncio.timeout(_QUIET_SECONDS):
                    await self._changed.wait()
            except TimeoutError:
                return

    def end_early_answers(self) -> None:
        """From now on the SDK answers."""
        self._early = None

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> str:
        line = await self._lines.get()
        if line is None:
            raise StopAsyncIteration
        return line

    async def write(self, text: str) -> None:
        """Leaves out what has been answered early."""
        if self._answered and (answered := self._answered & _ids(text)):
            self._answered -= answered
            return
        # A client that does not read must not keep other calls from going on.
        await asyncio.to_thread(self._send, text)

    async def flush(self) -> None:
        """Nothing is held back."""

    def _read(self, loop: asyncio.AbstractEventLoop) -> None:
        held = b""
        while part := os.read(self._source, _READ_BYTES):
            *lines, held = (held + part).split(b"\n")
            for line in filter(bytes.strip, lines):
                loop.call_soon_threadsafe(self._take, line.decode(errors="replace"))
        loop.call_soon_threadsafe(self._end)

    def _take(self, line: str) -> None:
        if self._early is not None:
            self._answer_early(self._early, line)
        self._lines.put_nowait(line)
        self._changed.set()

    def _answer_early(self, early: EarlyAnswers, line: str) -> None:
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            return
        result = early.answer(message)
        if result is None:
            self.has_unanswered |= isinstance(message, dict) and "id" in message
        else:
            self._answered.add(message["id"])
            answer = {"jsonrpc": "2.0", "id": message["id"], "result": result}
            self._send(json.dumps(answer, ensure_ascii=False, separators=(",", ":")) + "\n")

    def _end(self) -> None:
        self._lines.put_nowait(None)
        self.is_closed = True
        self._changed.set()

    def _send(self, text: str) -> None:
        encoded = text.encode(errors="replace")
        while encoded:
            encoded = encoded[os.write(self._sink, encoded) :]


async def answer_lines(lines: StdioLines, profile: str, connection: Any) -> None:
    """Answers until the client closes its side. `connection`: as RemoteCalls takes it."""
    lines.begin()
    await lines.first_questions()
    # Who only asked what there is, and left, does not wait for it.
    if lines.is_closed and not lines.has_unanswered:
        return
    sdk, calls, service = await asyncio.to_thread(_needed_modules)
    lines.end_early_answers()
    await sdk.serve_lines(service.McpService(calls.RemoteCalls(connection), profile), lines)


def _needed_modules() -> list[Any]:
    return [
        import_module(f"{__package__}.{name}") for name in ("sdk_server", "remote_calls", "service")
    ]


def _ids(text: str) -> set[str | int]:
    """The id of an answer."""
    message = json.loads(text)
    is_answer = "result" in message or "error" in message
    return {message["id"]} if is_answer and isinstance(message.get("id"), str | int) else set()
