"""The bytes of a spool file: a header, then a frame for each write.

File:    magic (8), version (2), zeros (2), file id (16), checksum (4)
Frame:   magic (4), length of the payload (4), checksum of the payload (4), checksum of these (4), payload
Payload: lengths of key id and tenant id (1, 1), spool id (16), key id, tenant id, checksum of these (4), content
Content: encrypted with the tenant's key, or in clear where the key id is empty

Numbers are big-endian. A checksum is CRC-32C of the file id and then of the bytes: nobody who states a text knows the
file id, so that no text passes for a frame."""

import enum
import struct
from array import array
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple
from uuid import UUID, uuid5

import google_crc32c

from camillo_server.doors.spool.spooled_write import DamagedFrame, SpooledWrite, decode_content, encode_description
from camillo_server.kernel.clock import microseconds, moment
from camillo_server.kernel.ids import TenantId
from camillo_server.lib.crypto.keyring import ENCRYPTION_BYTES, Keyring

VERSION = 1
PURPOSE = "spool"
FILE_MAGIC = b"CAMSPOOL"
# No UTF-8 text has the first of these bytes.
FRAME_MAGIC = b"\xf5CSF"
_FILE_HEADER = struct.Struct(">8sH2x16s")
_FRAME_HEADER = struct.Struct(">4sII")
_CHECKSUM = struct.Struct(">I")
_PREFIX = struct.Struct(">BB16s")
FILE_HEADER_BYTES = _FILE_HEADER.size + _CHECKSUM.size
FRAME_HEADER_BYTES = _FRAME_HEADER.size + _CHECKSUM.size


class UnknownVersion(Exception):
    """The file was written by a later release."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One frame whose checksums are right; `content` may be encrypted."""

    file_id: UUID
    offset: int
    byte_count: int
    spool_id: UUID
    key_id: str
    tenant_id: TenantId
    content: bytes

    def open(self, keyring: Keyring) -> SpooledWrite:
        """The write in it. Raises KeyMissing, DecryptionFailed, UnreadableContent."""
        content = self.content
        if self.key_id:
            bound_to = self.file_id.bytes + self.spool_id.bytes
            content = keyring.decrypt(self.key_id, self.tenant_id, PURPOSE, content, bound_to)
        return decode_content(self.tenant_id, self.spool_id, content)


@dataclass(frozen=True, slots=True)
class UnsealedFrame:
    """A write that will be a frame of some file."""

    write: SpooledWrite
    description: bytes
    byte_count: int

    @classmethod
    def of(cls, write: SpooledWrite, keyring: Keyring) -> "UnsealedFrame":
        """Its size is known before the file is."""
        description = encode_description(write)
        prefix = _prefix(write, keyring.active_key_id)
        content = len(description) + len(write.body)
        sealing = 0 if keyring.is_empty else ENCRYPTION_BYTES
        size = FRAME_HEADER_BYTES + len(prefix) + _CHECKSUM.size + content + sealing
        return cls(write, description, size)

    def encode(self, file_id: UUID, keyring: Keyring) -> bytes:
        """The frame as it is in this file."""
        write, key_id = self.write, ""
        content = self.description + write.body
        if not keyring.is_empty:
            bound_to = file_id.bytes + write.spool_id.bytes
            key_id, content = keyring.encrypt(write.scope.tenant_id, PURPOSE, content, bound_to)
        prefix = _prefix(write, key_id)
        payload = prefix + _checksum(file_id, prefix) + content
        header = _FRAME_HEADER.pack(FRAME_MAGIC, len(payload), _CHECKSUM.unpack(_checksum(file_id, payload))[0])
        return header + _checksum(file_id, header) + payload


@dataclass(frozen=True, slots=True)
class FrameHeader:
    """The fields in the first bytes of a frame, once their checksum is verified."""

    payload_bytes: int
    checksum: bytes


def encode_file_header(file_id: UUID) -> bytes:
    header = _FILE_HEADER.pack(FILE_MAGIC, VERSION, file_id.bytes)
    return header + _checksum(file_id, header)


def decode_file_header(data: bytes) -> UUID | None:
    """The file id; None where the bytes are damaged. Raises UnknownVersion."""
    if len(data) < FILE_HEADER_BYTES:
        return None
    header = data[: _FILE_HEADER.size]
    magic, version, file_id = _FILE_HEADER.unpack(header)
    file_id = UUID(bytes=file_id)
    if magic != FILE_MAGIC or _checksum(file_id, header) != data[_FILE_HEADER.size : FILE_HEADER_BYTES]:
        return None
    if version != VERSION:
        raise UnknownVersion
    return file_id


def decode_frame_header(file_id: UUID, data: bytes) -> FrameHeader | None:
    """None where the bytes are not the header of a frame of this file."""
    if len(data) < FRAME_HEADER_BYTES or not data.startswith(FRAME_MAGIC):
        return None
    header = data[: _FRAME_HEADER.size]
    if _checksum(file_id, header) != data[_FRAME_HEADER.size : FRAME_HEADER_BYTES]:
        return None
    _, payload_bytes, _ = _FRAME_HEADER.unpack(header)
    return FrameHeader(payload_bytes, header[-_CHECKSUM.size :])


def decode_payload(file_id: UUID, offset: int, header: FrameHeader, payload: bytes) -> Frame | DamagedFrame:
    """The frame at this offset. A damaged one names its tenant, too, if that part of it is whole."""
    is_whole = _checksum(file_id, payload) == header.checksum
    size = FRAME_HEADER_BYTES + header.payload_bytes
    named = _decode_prefix(file_id, payload)
    if named is None:
        return damaged_frame(file_id, offset, size, "whose it was cannot be read")
    spool_id, key_id, tenant_id, begin = named
    if not is_whole:
        return DamagedFrame(spool_id, tenant_id, file_id, offset, size, "its content has another checksum")
    return Frame(file_id, offset, size, spool_id, key_id, tenant_id, payload[begin:])


def damaged_frame(file_id: UUID, offset: int, byte_count: int, why: str) -> DamagedFrame:
    """Bytes of which nothing is known."""
    return DamagedFrame(uuid5(file_id, str(offset)), None, file_id, offset, byte_count, why)


def _prefix(write: SpooledWrite, key_id: str) -> bytes:
    key, tenant = key_id.encode(), write.scope.tenant_id.encode()
    return _PREFIX.pack(len(key), len(tenant), write.spool_id.bytes) + key + tenant


def _decode_prefix(file_id: UUID, payload: bytes) -> tuple[UUID, str, TenantId, int] | None:
    """Spool id, key id, tenant id, and where the content begins."""
    if len(payload) < _PREFIX.size:
        return None
    key_bytes, tenant_bytes, spool_id = _PREFIX.unpack_from(payload)
    tenant = _PREFIX.size + key_bytes
    end = tenant + tenant_bytes
    if _checksum(file_id, payload[:end]) != payload[end : end + _CHECKSUM.size]:
        return None
    key_id = payload[_PREFIX.size : tenant].decode()
    tenant_id = TenantId(payload[tenant:end].decode())
    return UUID(bytes=spool_id), key_id, tenant_id, end + _CHECKSUM.size


def _checksum(file_id: UUID, data: bytes) -> bytes:
    seed = google_crc32c.value(file_id.bytes)
    return _CHECKSUM.pack(google_crc32c.extend(seed, data))


class FrameState(enum.IntEnum):
    """Whether a frame is still to be stored in Postgres."""

    WAITING = 0
    DONE = 1
    # There is no key for it: it stays.
    UNOPENED = 2


class Position(NamedTuple):
    """Where a frame is in its file."""

    offset: int
    byte_count: int


class FrameIndex:
    """The frames of a file in their order, each with its state and the time of its acceptance in microseconds."""

    def __init__(self) -> None:
        self._offsets = array("Q")
        self._sizes = array("Q")
        self._accepted = array("q")
        self._states = bytearray()
        # All before this one are done, or cannot be opened.
        self._first = 0
        self.waiting = 0
        self.unopened = 0

    def __len__(self) -> int:
        return len(self._offsets)

    def add(
        self,
        position: Position,
        accepted_at: datetime | None,
        state: FrameState = FrameState.WAITING,
    ) -> None:
        """Adds a frame behind all others. A frame without a time has that of the one before it."""
        before = self._accepted[-1] if self._accepted else 0
        self._offsets.append(position.offset)
        self._sizes.append(position.byte_count)
        self._accepted.append(before if accepted_at is None else microseconds(accepted_at))
        self._states.append(state)
        self.waiting += state == FrameState.WAITING
        self.unopened += state == FrameState.UNOPENED

    def finish(self, offset: int) -> int | None:
        """The size of the frame there, which is done from now on; None where none waits."""
        number = bisect_left(self._offsets, offset)
        if number == len(self) or self._offsets[number] != offset:
            return None
        if self._states[number] != FrameState.WAITING:
            return None
        self._states[number] = FrameState.DONE
        self.waiting -= 1
        return self._sizes[number]

    def numbers(self, end: int) -> Iterator[tuple[int, int]]:
        """Time of acceptance and number of each that waits as it is reached, of the first so many."""
        self._advance()
        for number in range(self._first, end):
            if self._states[number] == FrameState.WAITING:
                yield self._accepted[number], number

    def is_waiting(self, number: int) -> bool:
        return self._states[number] == FrameState.WAITING

    def position(self, number: int) -> Position:
        return Position(self._offsets[number], self._sizes[number])

    def oldest_accepted_at(self) -> datetime | None:
        """When the oldest waiting frame was accepted; None if none waits."""
        self._advance()
        return moment(self._accepted[self._first]) if self._first < len(self) else None

    def _advance(self) -> None:
        while self._first < len(self) and self._states[self._first] != FrameState.WAITING:
            self._first += 1
