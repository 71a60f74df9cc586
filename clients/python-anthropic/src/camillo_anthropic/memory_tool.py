"""The memory tool in both kinds, over `Camillo` and `AsyncCamillo`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from anthropic.lib.tools import ToolError
from anthropic.tools import BetaAbstractMemoryTool, BetaAsyncAbstractMemoryTool

from camillo_anthropic import commands
from camillo_anthropic.commands import Asked, Command
from camillo_client import AsyncCamillo, Camillo
from camillo_client.errors import CamilloError, FailedPrecondition, InvalidArgument, QuotaExceeded


def _blocking(begin: Callable[[Any], Command]) -> Any:
    def method(self: CamilloMemoryTool, command: Any) -> str:
        return self._run(begin(command))

    return method


def _awaited(begin: Callable[[Any], Command]) -> Any:
    async def method(self: AsyncCamilloMemoryTool, command: Any) -> str:
        return await self._run(begin(command))

    return method


class CamilloMemoryTool(BetaAbstractMemoryTool):
    """The memory tool `memory_20250818` for the space of a client: `CamilloMemoryTool(camillo.for_user("42"))`.

    A file is a slot of the same key, its text a JSON string, kept byte for byte. Each command is atomic, but for the
    deletion of more than 100 files. Edits are made on the newest version; none is lost. Raises ToolError with what the
    model can mend, and CamilloError."""

    def __init__(self, camillo: Camillo, *, cache_control: Any = None) -> None:
        super().__init__(cache_control=cache_control)
        self._camillo = camillo

    view, create, str_replace = map(_blocking, (commands.view, commands.create, commands.str_replace))
    insert, delete, rename = map(_blocking, (commands.insert, commands.delete, commands.rename))

    def clear_all_memory(self) -> str:
        """Removes every file."""
        return self._run(commands.clear())

    def _run(self, steps: Command) -> str:
        answer: Any = None
        try:
            while True:
                asked = _next(steps, answer)
                try:
                    answer = self._camillo.call(_method(asked), asked)
                except CamilloError as error:
                    answer = error
        except StopIteration as done:
            return str(done.value)


class AsyncCamilloMemoryTool(BetaAsyncAbstractMemoryTool):
    """As CamilloMemoryTool, for an `AsyncCamillo`."""

    def __init__(self, camillo: AsyncCamillo, *, cache_control: Any = None) -> None:
        super().__init__(cache_control=cache_control)
        self._camillo = camillo

    view, create, str_replace = map(_awaited, (commands.view, commands.create, commands.str_replace))
    insert, delete, rename = map(_awaited, (commands.insert, commands.delete, commands.rename))

    async def clear_all_memory(self) -> str:
        """Removes every file."""
        return await self._run(commands.clear())

    async def _run(self, steps: Command) -> str:
        answer: Any = None
        try:
            while True:
                asked = _next(steps, answer)
                try:
                    answer = await self._camillo.call(_method(asked), asked)
                except CamilloError as error:
                    answer = error
        except StopIteration as done:
            return str(done.value)


def _next(steps: Command, answer: Any) -> Asked:
    """The next request; StopIteration at the end. ToolError for an error that the model can mend, such as a path that
    is too long, in the server's words."""
    if not isinstance(answer, CamilloError):
        return steps.send(answer)
    try:
        return steps.throw(answer)
    except (InvalidArgument, FailedPrecondition, QuotaExceeded) as error:
        raise ToolError(f"Memory refuses this: {error.message}") from error


def _method(asked: Asked) -> str:
    return f"camillo.v1.SlotService/{type(asked).__name__.removesuffix('Request')}"
