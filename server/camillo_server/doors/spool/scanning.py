"""Reads the frames of a spool file one after the other, past what is damaged."""

import errno
import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from uuid import UUID

from camillo_server.doors.spool.frames import (
    FILE_HEADER_BYTES,
    FRAME_HEADER_BYTES,
    FRAME_MAGIC,
    Frame,
    damaged_frame,
    decode_file_header,
    decode_frame_header,
    decode_payload,
)
from camillo_server.doors.spool.spooled_write import DamagedFrame
from camillo_server.kernel.off_loop import yield_turn

_WINDOW_BYTES = 1 << 18
# The number of bytes that are given up where the disk fails to read.
_BLOCK_BYTES = 4096

# Reads a number of bytes from an offset on; fewer at the end of the file.
ReadAt = Callable[[int, int], bytes]


def read_at(descriptor: int, end: int, offset: int, byte_count: int) -> bytes:
    """Reads `byte_count` bytes at `offset`, or fewer at `end`, the end of the file. Bytes that the disk cannot read are
    returned as zeros, so that they count as damaged. Raises OSError."""
    try:
        return _read_all(descriptor, offset, byte_count)
    except OSError as error:
        if error.errno != errno.EIO:
            raise
    byte_count = max(0, min(byte_count, end - offset))
    if byte_count <= _BLOCK_BYTES:
        return bytes(byte_count)
    until = offset + byte_count
    return b"".join(
        read_at(descriptor, end, each, min(_BLOCK_BYTES, until - each)) for each in range(offset, until, _BLOCK_BYTES)
    )


def read_file_id(read_at: ReadAt, named: UUID) -> tuple[UUID, DamagedFrame | None]:
    """The file id, which is the one of its name where the header is damaged; and the damage. Raises UnknownVersion,
    OSError."""
    file_id = decode_file_header(read_at(0, FILE_HEADER_BYTES))
    if file_id is not None:
        return file_id, None
    return named, damaged_frame(named, 0, FILE_HEADER_BYTES, "the header of the file")


def scan_frames(read_at: ReadAt, end: int, file_id: UUID) -> Iterator[Frame | DamagedFrame]:
    """Yields all frames before `end`, but not a last one that is cut short: it was never acknowledged. Raises
    OSError."""
    offset = FILE_HEADER_BYTES
    while offset < end:
        yield_turn()
        found = _frame_at(read_at, file_id, offset)
        if isinstance(found, DamagedFrame):
            # The next header is searched for: it may not be where the length says, since bytes of the frame may be
            # lost.
            following = _next_header(read_at, end, file_id, offset + 1)
            if following is None and _is_cut_short(read_at, file_id, offset, end):
                return
            found = replace(found, byte_count=(following or end) - offset)
        yield found
        offset += found.byte_count


def read_frame(read_at: ReadAt, file_id: UUID, offset: int, byte_count: int) -> Frame | DamagedFrame:
    """Reads the frame at an offset, as `scan_frames` finds it. Raises OSError."""
    found = _frame_at(read_at, file_id, offset)
    if isinstance(found, Frame) and found.byte_count != byte_count:
        return damaged_frame(file_id, offset, byte_count, "its length")
    return found if isinstance(found, Frame) else replace(found, byte_count=byte_count)


def _frame_at(read_at: ReadAt, file_id: UUID, offset: int) -> Frame | DamagedFrame:
    header = decode_frame_header(file_id, read_at(offset, FRAME_HEADER_BYTES))
    if header is None:
        return damaged_frame(file_id, offset, 0, "its header")
    payload = read_at(offset + FRAME_HEADER_BYTES, header.payload_bytes)
    return decode_payload(file_id, offset, header, payload)


def _next_header(read_at: ReadAt, end: int, file_id: UUID, begin: int) -> int | None:
    """The offset of the next header of a frame; None if there is none."""
    while begin < end:
        yield_turn()
        window = read_at(begin, _WINDOW_BYTES)
        found = window.find(FRAME_MAGIC)
        while found >= 0:
            header = window[found : found + FRAME_HEADER_BYTES]
            if len(header) < FRAME_HEADER_BYTES:
                header = read_at(begin + found, FRAME_HEADER_BYTES)
            if decode_frame_header(file_id, header) is not None:
                return begin + found
            found = window.find(FRAME_MAGIC, found + 1)
        # The magic may lie across two windows.
        begin += max(1, len(window) - len(FRAME_MAGIC) + 1)
    return None


def _is_cut_short(read_at: ReadAt, file_id: UUID, offset: int, end: int) -> bool:
    """Whether the last bytes are what a write leaves that was never finished: a frame that is not all there, a part of
    a header, or zeros."""
    header = decode_frame_header(file_id, read_at(offset, FRAME_HEADER_BYTES))
    if header is not None:
        return offset + FRAME_HEADER_BYTES + header.payload_bytes > end
    if end - offset < FRAME_HEADER_BYTES:
        return True
    while offset < end:
        window = read_at(offset, _WINDOW_BYTES)
        if window.strip(b"\0"):
            return False
        offset += len(window)
    return True


def _read_all(descriptor: int, offset: int, byte_count: int) -> bytes:
    data = os.pread(descriptor, byte_count, offset)
    while 0 < len(data) < byte_count:
        more = os.pread(descriptor, byte_count - len(data), offset + len(data))
        if not more:
            break
        data += more
    return data
