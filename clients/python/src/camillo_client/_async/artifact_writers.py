"""Outputs written piece by piece: kept until they are complete, then stored or offloaded."""

from __future__ import annotations

from asyncio import to_thread
from collections.abc import Awaitable, Callable
from tempfile import SpooledTemporaryFile
from typing import Self

from camillo.v1.artifact_pb2 import Artifact
from camillo_client.outputs import Offloaded, output_bytes

# Longer content goes to a temporary file.
HELD_IN_MEMORY_BYTES = 4 * 1024 * 1024

Spool = SpooledTemporaryFile[bytes]


class Spooled:
    """Takes pieces until the block ends; after an exception in it, nothing is stored."""

    def __init__(self) -> None:
        self._spool: Spool = SpooledTemporaryFile(HELD_IN_MEMORY_BYTES)  # noqa: SIM115
        # How the tool ended, if that is known only now.
        self.exit_code: int | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        with self._spool:
            if kind is None:
                self._spool.seek(0)
                await self._complete(self._spool)

    async def write(self, piece: str | bytes) -> int:
        """Adds text or bytes; returns the number of bytes."""
        data = output_bytes(piece)
        await to_thread(self._spool.write, data)
        return len(data)

    async def _complete(self, spool: Spool) -> None:
        raise NotImplementedError


class AsyncArtifactWriter(Spooled):
    """Stores what was written as an `artifact` when the block ends."""

    def __init__(self, put: Callable[[Spool, int | None], Awaitable[Artifact]]) -> None:
        super().__init__()
        self._put = put
        self._artifact: Artifact | None = None

    @property
    def artifact(self) -> Artifact:
        """The stored artifact; ValueError before the block has ended."""
        if self._artifact is None:
            raise ValueError("there is no artifact before the block has ended")
        return self._artifact

    async def _complete(self, spool: Spool) -> None:
        self._artifact = await self._put(spool, self.exit_code)


class AsyncOffloading(Spooled):
    """Offloads what was written when the block ends; `text` is what to put before the model."""

    def __init__(self, offload: Callable[[Spool, int | None], Awaitable[Offloaded]]) -> None:
        super().__init__()
        self._offload = offload
        self._offloaded: Offloaded | None = None

    @property
    def offloaded(self) -> Offloaded:
        """The outcome of the offload; ValueError before the block has ended."""
        if self._offloaded is None:
            raise ValueError("nothing is offloaded before the block has ended")
        return self._offloaded

    @property
    def text(self) -> str:
        """The text to put before the model."""
        return self.offloaded.text

    @property
    def artifact(self) -> Artifact | None:
        """The stored artifact; None where the output was short."""
        return self.offloaded.artifact

    async def _complete(self, spool: Spool) -> None:
        self._offloaded = await self._offload(spool, self.exit_code)
