"""Rows encrypted at rest: texts and vectors of sensitive memories and chunks, each bound to its own row."""

import json
import logging
import struct
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from camillo_server.kernel.errors import BytesLost
from camillo_server.kernel.ids import MemoryId
from camillo_server.kernel.kinds import is_chunk
from camillo_server.kernel.scope import Scope
from camillo_server.lib.crypto.keyring import DecryptionFailed, Keyring
from camillo_server.lib.text.counted_terms import CountedTerms
from camillo_server.lib.text.memory_ref import find_all
from camillo_server.models.embedding.embedder import Vector
from camillo_server.rows.occurrences import read_metadata
from camillo_server.rows.row import Row

NO_KEYS = Keyring.empty()
# Before the parts of a text: how long its content and its metadata are.
LENGTHS = struct.Struct(">ii")
VECTOR = np.dtype("<f4")

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class RowText:
    """The encrypted parts of a row: its content and metadata (JSON, empty for none) as UTF-8, and its term codes."""

    content: bytes
    metadata: bytes
    term_codes: bytes

    def pack(self) -> bytes:
        """The parts as one run of bytes, their lengths first."""
        lengths = LENGTHS.pack(len(self.content), len(self.metadata))
        return lengths + self.content + self.metadata + self.term_codes

    @classmethod
    def unpack(cls, data: bytes) -> "RowText":
        """The parts that `pack` joined."""
        content_length, metadata_length = LENGTHS.unpack_from(data)
        content_end = LENGTHS.size + content_length
        metadata_end = content_end + metadata_length
        return cls(data[LENGTHS.size : content_end], data[content_end:metadata_end], data[metadata_end:])


@dataclass(frozen=True, slots=True)
class EncryptedRows:
    """Encrypts and decrypts rows of one scope: what was encrypted for one row decrypts in no other."""

    keyring: Keyring
    scope: Scope

    def text_columns(self, memory: Row, terms: CountedTerms) -> dict[str, Any]:
        """The columns of an encrypted text; `cited_refs` are the artifacts it names, since triggers cannot read them in
        it. Raises KeyMissing."""
        text = RowText(memory.content.encode(), _json(memory.stored_metadata), terms.packed)
        key_id, ciphertext = self.encrypt_text(memory.memory_id.bytes, text)
        refs = () if is_chunk(memory.kind) else find_all(memory.content)
        return {
            "key_id": key_id,
            "sealed": ciphertext,
            "cited_refs": list(dict.fromkeys(ref.artifact_id for ref in refs)),
        }

    def encrypt_text(self, memory_id: bytes, text: RowText) -> tuple[str, bytes]:
        """The key's id and the encrypted text. Raises KeyMissing."""
        bound_to = self._bound_to(memory_id)
        return self.keyring.encrypt(self.scope.tenant_id, "memory", text.pack(), bound_to)

    def encrypt_vector(self, memory_id: MemoryId, vector: Vector) -> tuple[str, bytes]:
        """The key's id and the encrypted numbers. Raises KeyMissing."""
        bound_to = self._bound_to(memory_id.bytes, vector.model_id)
        values = vector.values.astype(VECTOR, copy=False).tobytes()
        return self.keyring.encrypt(self.scope.tenant_id, "vector", values, bound_to)

    def open_text(self, memory_id: bytes, key_id: str, ciphertext: bytes) -> RowText:
        """Raises KeyMissing, DecryptionFailed."""
        bound_to = self._bound_to(memory_id)
        opened = self.keyring.decrypt(key_id, self.scope.tenant_id, "memory", ciphertext, bound_to)
        return RowText.unpack(opened)

    def open_vector(self, memory_id: bytes, model_id: str, key_id: str, ciphertext: bytes) -> Vector:
        """Raises KeyMissing, DecryptionFailed."""
        bound_to = self._bound_to(memory_id, model_id)
        opened = self.keyring.decrypt(key_id, self.scope.tenant_id, "vector", ciphertext, bound_to)
        return Vector(model_id, np.frombuffer(opened, VECTOR))

    def decrypt(self, memory: Row, key_id: str, ciphertext: bytes | None) -> Row:
        """The memory of a row, with the text that is encrypted in it. Raises KeyMissing, BytesLost."""
        if ciphertext is None:
            return memory
        with _raising_bytes_lost():
            text = self.open_text(memory.memory_id.bytes, key_id, ciphertext)
        metadata, occurrences = read_metadata(json.loads(text.metadata) if text.metadata else {})
        content = text.content.decode()
        return memory._replace(content=content, metadata=metadata, occurrences=occurrences)

    def content(self, memory_id: MemoryId, content: str, key_id: str, ciphertext: bytes | None) -> str:
        """The content of a row. Raises KeyMissing, BytesLost."""
        if ciphertext is None:
            return content
        with _raising_bytes_lost():
            return self.open_text(memory_id.bytes, key_id, ciphertext).content.decode()

    def decrypt_vector(self, memory_id: MemoryId, model_id: str, key_id: str, ciphertext: bytes) -> Vector:
        """The vector of a row. Raises KeyMissing, BytesLost."""
        with _raising_bytes_lost():
            return self.open_vector(memory_id.bytes, model_id, key_id, ciphertext)

    def _bound_to(self, memory_id: bytes, model_id: str = "") -> bytes:
        return b"\0".join((self.scope.agent_id.encode(), model_id.encode(), memory_id))


@contextmanager
def _raising_bytes_lost() -> Iterator[None]:
    try:
        yield
    except DecryptionFailed as error:
        logger.warning("an encrypted row is damaged")
        raise BytesLost from error


def _json(metadata: Mapping[str, Any]) -> bytes:
    return json.dumps(dict(metadata), ensure_ascii=False).encode() if metadata else b""
