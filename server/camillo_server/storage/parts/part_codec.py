"""Encoding of parts: compressed if that makes them smaller, then encrypted or, if not, given a checksum."""

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import google_crc32c
import zstandard

from camillo_server.kernel.errors import BytesLost
from camillo_server.kernel.ids import TenantId
from camillo_server.lib.crypto.keyring import ENCRYPTION_BYTES, DecryptionFailed, Keyring
from camillo_server.storage.parts.object_parts import PartName

RAW = 0
ZSTD = 1

# Measured in docs/adr/artifacts.md.
LEVEL = 1
_WORTH_COMPRESSING = 0.95

_PURPOSE = "part"
FINGERPRINT_PURPOSE = "content-fingerprint"
_CHECKSUM_BYTES = 4
# How many bytes an encoded part can be longer than the part.
MAX_OVERHEAD_BYTES = max(ENCRYPTION_BYTES, _CHECKSUM_BYTES)

_logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class EncodedPart:
    """A part as it is stored; without a key's id it is not encrypted."""

    codec: int
    key_id: str
    data: bytes


class _Contexts(threading.local):
    """Compressors of one thread, which no two threads may use at the same time."""

    def __init__(self) -> None:
        self.compressor = zstandard.ZstdCompressor(level=LEVEL)
        self.decompressor = zstandard.ZstdDecompressor()


class PartCodec:
    """Encodes and decodes parts, some milliseconds each: call it in worker threads, any number at a time."""

    def __init__(self, keyring: Keyring) -> None:
        self._keyring = keyring
        self._contexts = _Contexts()

    def encode(self, part: bytes, encrypted_as: PartName | None) -> EncodedPart:
        """Encrypted for this name alone, or in the clear without one. Raises KeyMissing where there is no key."""
        codec, body = self._compressed(part)
        if encrypted_as is None:
            return EncodedPart(codec, "", body + _checksum(body))
        bound_to = _bound_to(encrypted_as, codec)
        tenant_id = encrypted_as.tenant_id
        return EncodedPart(codec, *self._keyring.encrypt(tenant_id, _PURPOSE, body, bound_to))

    def decode(self, encoded: EncodedPart, name: PartName, size: int) -> bytes:
        """The part of so many bytes; takes no more memory than that. Raises BytesLost, KeyMissing."""
        with _damage_as_loss(name):
            return self._decoded(encoded, name, size)

    def frame(self, encoded: EncodedPart, name: PartName, size: int) -> bytes:
        """The frame of zstd of a part that is stored as one, which is not decompressed. Raises BytesLost,
        KeyMissing."""
        with _damage_as_loss(name):
            return self._frame(encoded, name, size)

    def reencrypt(self, encoded: EncodedPart, name: PartName, new_name: PartName) -> EncodedPart:
        """The same, encrypted with the active key for the new name. Raises BytesLost, KeyMissing."""
        try:
            body = self._verified(encoded, name)
        except DecryptionFailed as error:
            _logger.warning("part %d of a content is damaged, and stays as it is", name.number)
            raise BytesLost from error
        bound_to = _bound_to(new_name, encoded.codec)
        key_id, data = self._keyring.encrypt(name.tenant_id, _PURPOSE, body, bound_to)
        return EncodedPart(encoded.codec, key_id, data)

    def _decoded(self, encoded: EncodedPart, name: PartName, size: int) -> bytes:
        if encoded.codec == ZSTD:
            body = self._contexts.decompressor.decompress(
                self._frame(encoded, name, size), max_output_size=size, allow_extra_data=False
            )
        elif encoded.codec == RAW:
            body = self._verified(encoded, name)
        else:
            raise _Damaged("its codec is unknown")
        if len(body) != size:
            raise _Damaged("it is of another size")
        return body

    def _frame(self, encoded: EncodedPart, name: PartName, size: int) -> bytes:
        body = self._verified(encoded, name)
        # It decides how much memory is reserved by whoever decompresses it.
        if zstandard.frame_content_size(body) != size:
            raise _Damaged("its frame is of another size")
        return body

    def _verified(self, encoded: EncodedPart, name: PartName) -> bytes:
        if encoded.key_id:
            return self._keyring.decrypt(
                encoded.key_id,
                name.tenant_id,
                _PURPOSE,
                encoded.data,
                _bound_to(name, encoded.codec),
            )
        body, checksum = encoded.data[:-_CHECKSUM_BYTES], encoded.data[-_CHECKSUM_BYTES:]
        if checksum != _checksum(body):
            raise _Damaged("its checksum is another")
        return body

    def _compressed(self, part: bytes) -> tuple[int, bytes]:
        """Tried with all of it: zstd gives up incompressible data at gigabytes a second."""
        body = self._contexts.compressor.compress(part)
        return (ZSTD, body) if len(body) <= _WORTH_COMPRESSING * len(part) else (RAW, part)


@contextmanager
def _damage_as_loss(name: PartName) -> Iterator[None]:
    try:
        yield
    except (DecryptionFailed, zstandard.ZstdError, _Damaged) as error:
        _logger.warning("part %d of a content is damaged: %s", name.number, str(error) or type(error).__name__)
        raise BytesLost from error


class _Damaged(Exception):
    """The bytes are not those that were stored; the message says in what way."""


def _checksum(body: bytes) -> bytes:
    return int(google_crc32c.value(body)).to_bytes(_CHECKSUM_BYTES, "big")


def _bound_to(name: PartName, codec: int) -> bytes:
    return bytes([codec]) + name.bound_to()


def encrypted_fingerprint(keyring: Keyring, tenant_id: TenantId, digest: bytes, restricted_to: str) -> bytes:
    """The fingerprint of encrypted bytes with this SHA-256. Raises KeyMissing."""
    return keyring.fingerprint(tenant_id, FINGERPRINT_PURPOSE, digest + restricted_to.encode())
