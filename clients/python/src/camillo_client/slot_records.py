"""Bytes of any length under keys of a space, for adapters of frameworks: slots that no recall and no digest shows."""

from __future__ import annotations

import hashlib
import json
import zlib
from base64 import b64decode, b64encode
from collections.abc import Iterable, Iterator, Sequence
from typing import Any
from urllib.parse import quote
from uuid import uuid4

from camillo.v1.slot_pb2 import NewSlot, Slot
from camillo_client._sync.client import Camillo
from camillo_client.errors import SlotNotFound
from camillo_client.slot_fields import new_slot

# A slot holds 64 KiB, and base64 adds a third.
MAX_INLINE = 44 * 1024
MAX_NAME = 200
MAX_FORGOTTEN = 1_000
# A batch has 100 slots and 3 MiB: so many long ones fit in any case.
MAX_BATCH = 40
ARTIFACT = "artifact:"


def name(text: str) -> str:
    """One name of a key for any text; a long one is its digest."""
    quoted = "=" + quote(text, safe="", errors="surrogatepass")
    return quoted if len(quoted) <= MAX_NAME else digest(text)


def digest(text: str) -> str:
    """A text of 64 characters that stands for another one."""
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()


class Records:
    """Bytes under keys of the space of a client; `source` names the framework, as the source and the type of slots.
    Methods raise CamilloError."""

    def __init__(self, camillo: Camillo, source: str) -> None:
        self._camillo, self._source = camillo, source

    def slot(self, key: str, data: bytes, tags: Sequence[str] = (), if_version: int | None = None) -> NewSlot:
        """A slot that holds bytes; what is too long is an artifact. All is in the bytes, with random ones before, or in
        tags: what is forgotten goes with whatever states the same, such as an id."""
        packed = zlib.compress(uuid4().bytes + data, 1)
        held: dict[str, Any] = {"type": self._source, "tags": [*tags]}
        if len(packed) <= MAX_INLINE:
            held["data"] = b64encode(packed).decode()
        else:
            artifact = self._camillo.artifacts.put(packed, media_type="application/zlib", tool=self._source)
            held["tags"].append(ARTIFACT + artifact.artifact_id)
        return new_slot(key, held, self._source, if_version=if_version, unindexed=True)

    def tombstone(self, key: str, if_version: int) -> NewSlot:
        """A slot without content."""
        return new_slot(key, None, self._source, if_version=if_version)

    def data(self, slot: Slot) -> bytes:
        """The bytes of a slot that `slot` has made."""
        artifacts = artifacts_of(slot)
        packed = (
            self._camillo.artifacts.read(artifacts[0])
            if artifacts
            else b64decode(json.loads(slot.json_content)["data"])
        )
        return zlib.decompress(packed)[16:]

    def write(self, slots: Sequence[NewSlot]) -> list[Slot]:
        """Writes slots in order. ValueError where something was redacted: it would not be read as it was written."""
        written = self._camillo.slots.set_many(slots)
        for new, slot in zip(slots, written, strict=True):
            if new.json_content != slot.json_content:
                raise ValueError(f"the bytes of {new.key} look like a secret, and were not kept")
        return written

    def below(self, prefix: str, *, page_size: int = 100, tags: Sequence[str] = ()) -> Iterator[Slot]:
        """Slots at a key and below it, in the order of keys."""
        for entry in self._camillo.slots.list(prefix, page_size=page_size, tags_any=tags):
            yield entry.slot

    def version(self, key: str) -> int:
        """The version of the tombstone at a key; 0 if there is none."""
        try:
            return next((slot.version * (not slot.valid) for slot in self._camillo.slots.history(key, page_size=1)), 0)
        except SlotNotFound:
            return 0

    def forget(self, slots: Iterable[Slot | NewSlot]) -> None:
        """Removes slots for good, with the artifacts that they name."""
        gone = list(slots)
        ids = [slot.slot_id for slot in gone if isinstance(slot, Slot)]
        artifacts = [artifact for slot in gone for artifact in artifacts_of(slot)]
        while ids or artifacts:
            self._camillo.lifecycle.forget(
                slot_ids=ids[:MAX_FORGOTTEN],
                artifact_ids=artifacts[:MAX_FORGOTTEN],
                allow_restating=True,
                timeout=120,
            )
            ids, artifacts = ids[MAX_FORGOTTEN:], artifacts[MAX_FORGOTTEN:]

    def forget_artifacts(self, replaced: Iterable[Slot]) -> None:
        """Removes the artifacts of slots that have newer versions: nobody reads them."""
        for slot in replaced:
            for artifact in artifacts_of(slot):
                self._camillo.artifacts.delete(artifact)


def artifacts_of(slot: Slot | NewSlot) -> list[str]:
    """Ids of the artifacts that a slot names."""
    tags = (json.loads(slot.json_content) or {}).get("tags", ())
    return [tag.removeprefix(ARTIFACT) for tag in tags if tag.startswith(ARTIFACT)]
