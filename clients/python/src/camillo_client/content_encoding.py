"""Bytes of artifacts that come compressed, where this process can decompress them."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from typing import Any

from camillo.v1.artifact_service_pb2 import ReadArtifactResponse

ZSTD = "zstd"
# The contract's: the most that one message stands for.
MAX_DECODED_BYTES = 1024 * 1024

# The frame and the size of its content, which is returned; None for a frame of another size. No more memory than that
# is taken.
Decompress = Callable[[bytes, int], bytes | None]


def _decompress() -> Decompress | None:
    """Decompresses by the standard library of Python 3.14, else by the extra `zstd`; None without either."""
    try:
        zstd = importlib.import_module("compression.zstd")
    except ImportError:
        try:
            return _by_zstandard(importlib.import_module("zstandard"))
        except ImportError:
            return None

    def decompress(frame: bytes, size: int) -> bytes | None:
        try:
            decompressor = zstd.ZstdDecompressor()
            content: bytes = decompressor.decompress(frame, max_length=size + 1)
        except zstd.ZstdError:
            return None
        is_all = decompressor.eof and not decompressor.unused_data
        return content if is_all and len(content) == size else None

    return decompress


def _by_zstandard(zstandard: Any) -> Decompress:
    def decompress(frame: bytes, size: int) -> bytes | None:
        try:
            # The library allocates the size that the frame states, whatever the limit.
            if zstandard.frame_content_size(frame) != size:
                return None
            content: bytes = zstandard.ZstdDecompressor().decompress(
                frame, max_output_size=size, allow_extra_data=False
            )
        except zstandard.ZstdError:
            return None
        return content if len(content) == size else None

    return decompress


DECOMPRESS = _decompress()
ACCEPTED: Sequence[str] = (ZSTD,) if DECOMPRESS else ()


def decoded(message: ReadArtifactResponse) -> bytes | None:
    """The bytes that a message stands for; None where they cannot be had of it."""
    if not message.content_encoding:
        return message.data
    size = message.decoded_bytes
    if DECOMPRESS is None or message.content_encoding != ZSTD or not 0 < size <= MAX_DECODED_BYTES:
        return None
    return DECOMPRESS(message.data, size)
