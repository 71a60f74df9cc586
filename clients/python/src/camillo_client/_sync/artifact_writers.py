# Generated from _async/artifact_writers.py by tools/generate_sync.py: do not edit.
"""Outputs that come piece by piece: held until they are complete, then stored or offloaded."""

from __future__ import annotations

from collections.abc import Callable
from tempfile import SpooledTemporaryFile
from typing import Self

from camillo.v1.artifact_pb2 import Artifact
from camillo_client.outputs import Offloaded, output_bytes

# What is longer lies in a temporary file.
HELD_IN_MEMORY_BYTES = 4 * 1024 * 1024

Spool = SpooledTemporaryFile[bytes]


class Spooled:
    """Takes pieces until the block ends; after an exception in it, nothing is kept."""

    def __init__(self) -> None:
        self._spool: Spool = SpooledTemporaryFile(HELD_IN_MEMORY_BYTES)  # noqa: SIM115
        # How the tool ended, if that is known only now.
        self.exit_code: int | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        with self._spool:
            if kind is None:
                self._spool.seek(0)
                self._complete(self._spool)

    def write(self, piece: str | bytes) -> int:
        """Adds text or bytes; how many bytes they were."""
        data = output_bytes(piece)
        self._spool.write(data)
        return len(data)

    def _complete(self, spool: Spool) -> None:
        raise NotImplementedError


class ArtifactWriter(Spooled):
    """Becomes an artifact when the block ends: `artifact`."""

    def __init__(self, put: Callable[[Spool, int | None], Artifact]) -> None:
        super().__init__()
        self._put = put
        self._artifact: Artifact | None = None

    @property
    def artifact(self) -> Artifact:
        """What was stored; ValueError before the block has ended."""
        if self._artifact is None:
            raise ValueError("there is no artifact before the block has ended")
        return self._artifact

    def _complete(self, spool: Spool) -> None:
        self._artifact = self._put(spool, self.exit_code)


class Offloading(Spooled):
    """Becomes an artifact when the block ends, if it is long: `text` is what to put before the model."""

    def __init__(self, offload: Callable[[Spool, int | None], Offloaded]) -> None:
        super().__init__()
        self._offload = offload
        self._offloaded: Offloaded | None = None

    @property
    def offloaded(self) -> Offloaded:
        """What became of the output; ValueError before the block has ended."""
        if self._offloaded is None:
            raise ValueError("nothing is offloaded before the block has ended")
        return self._offloaded

    @property
    def text(self) -> str:
        """What to put before the model."""
        return self.offloaded.text

    @property
    def artifact(self) -> Artifact | None:
        """What was kept; None where the output was short."""
        return self.offloaded.artifact

    def _complete(self, spool: Spool) -> None:
        self._offloaded = self._offload(spool, self.exit_code)
