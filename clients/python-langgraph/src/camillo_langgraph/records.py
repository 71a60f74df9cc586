"""Checkpoints and writes as slots: their keys, and their bytes."""

from __future__ import annotations

import asyncio
import json
import zlib
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any
from urllib.parse import quote, unquote
from uuid import uuid4

import ormsgpack

from camillo.v1.slot_pb2 import NewSlot, Slot
from camillo_client import Camillo, new_slot
from camillo_langgraph.groups import Groups

ROOT, CHECKPOINT = "/langgraph", "langgraph.checkpoint"
SOURCE = "langgraph"
# A slot holds 64 KiB, and base64 adds a third.
MAX_INLINE = 44 * 1024
# Values of channels above it are artifacts of their own where a record is too long.
MIN_ARTIFACT = 4 * 1024
# A slot has 64 tags.
MAX_ARTIFACTS = 60
ARTIFACT, WHOLE = "artifact:", "whole:"
_COMPLEMENT = bytes(255 - byte for byte in range(256))


def name(text: str) -> str:
    """One name of a key, which is neither empty nor a dot; `name_of` returns the text."""
    return "=" + quote(text, safe=":|")


def name_of(name: str) -> str:
    return unquote(name[1:])


def descending(text: str) -> str:
    """A name that sorts a greater text first."""
    return text.encode().translate(_COMPLEMENT).hex() + "g"


def ascending(name: str) -> str:
    return bytes.fromhex(name[:-1]).translate(_COMPLEMENT).decode()


def thread_key(thread_id: str) -> str:
    return f"{ROOT}/{name(thread_id)}"


def namespace_key(thread_id: str, namespace: str) -> str:
    return f"{thread_key(thread_id)}/{name(namespace)}"


def checkpoint_key(thread_id: str, namespace: str, checkpoint_id: str) -> str:
    return f"{namespace_key(thread_id, namespace)}/{descending(checkpoint_id)}"


class Place:
    """The parts of a key: the thread, its namespace, the checkpoint, and for writes the task."""

    __slots__ = ("checkpoint_id", "namespace", "task_id", "thread_id")

    def __init__(self, key: str) -> None:
        _, _, thread, namespace, checkpoint, *task = key.split("/")
        self.thread_id, self.namespace = name_of(thread), name_of(namespace)
        self.checkpoint_id = ascending(checkpoint)
        self.task_id = name_of(task[0]) if task else None

    @property
    def checkpoint(self) -> str:
        return checkpoint_key(self.thread_id, self.namespace, self.checkpoint_id)


def grouped(slots: Iterable[Slot]) -> Iterator[tuple[Slot, list[Slot]]]:
    """Checkpoints with the slots of their tasks; writes without a checkpoint are left out."""
    for _, group in groupby(slots, key=lambda slot: Place(slot.key).checkpoint):
        first, *rest = group
        if first.type == CHECKPOINT:
            yield first, rest


@dataclass(slots=True)
class Dumped:
    """A slot to be, as bytes, which nobody changes any more: `values` are channels with type, bytes, and what
    names this version of them."""

    key: str
    type_: str
    values: Sequence[tuple[str, tuple[str, bytes], tuple[object, ...] | None]]
    # The record of the values once each is bytes or the id of an artifact.
    record: Callable[[Sequence[Any]], Any]
    tags: Sequence[str] = ()
    if_version: int | None = None
    # Set when long values have become artifacts.
    packed: Sequence[Any] | None = None

    @property
    def is_long(self) -> bool:
        return sum(len(data) for _, (_, data), _ in self.values) > MAX_INLINE


class Records:
    """Writes and reads records of any length, in one space."""

    def __init__(self, camillo: Camillo) -> None:
        self._camillo = camillo
        self._writes = Groups(self._written, "camillo-saver")

    def slot(
        self,
        key: str,
        record: Any,
        artifacts: Sequence[str] = (),
        *,
        type_: str,
        tags: Sequence[str] = (),
        if_version: int | None = None,
    ) -> NewSlot:
        """A slot of the record; one that is too long is an artifact. `artifacts` are those that the record names."""
        # With its key, so that no two slots say the same: what is forgotten goes with what repeats it.
        packed = ormsgpack.packb([key, record])
        data = zlib.compress(packed, 1)
        # In tags, which state nothing: what is forgotten goes with what states the same, such as the id of an artifact.
        labels = [*tags, *(ARTIFACT + each for each in artifacts)]
        content: dict[str, Any] = {"type": type_, "tags": labels}
        if len(data) > MAX_INLINE:
            labels.append(WHOLE + self.put(packed))
        else:
            content["data"] = b64encode(data).decode()
        return new_slot(key, json.dumps(content), SOURCE, if_version=if_version, unindexed=True)

    def put(self, data: bytes) -> str:
        """Id of an artifact with these bytes, compressed: redaction would change what is readable in them. No two
        artifacts are equal: what is forgotten goes with what repeats it."""
        return self._camillo.artifacts.put(
            zlib.compress(uuid4().bytes + data, 1), media_type="application/zlib", tool=SOURCE
        ).artifact_id

    def get(self, artifact_id: str) -> bytes:
        return zlib.decompress(self._camillo.artifacts.read(artifact_id))[16:]

    def write(self, new: NewSlot) -> Slot:
        """Stores a slot. Raises ValueError where something was redacted: it would not be read as it was written."""
        return _kept(new, self._writes.submit([new]).result())

    async def awrite(self, new: NewSlot) -> Slot:
        """Like `write`; stores it also where its caller is cancelled."""
        return _kept(new, await asyncio.shield(asyncio.wrap_future(self._writes.submit([new]))))

    def _written(self, news: Sequence[NewSlot]) -> Sequence[Slot]:
        if len(news) > 1:
            return self._camillo.slots.set_many(news)
        # The server keeps a single write also while its Postgres is away.
        (new,) = news
        if_version = new.if_version if new.HasField("if_version") else None
        written = self._camillo.slots.set_memory(
            new.key, new.json_content, SOURCE, if_version=if_version, unindexed=new.unindexed
        )
        return [written]

    def read(self, slot: Slot) -> Any:
        content = json.loads(slot.json_content)
        whole = [tag.removeprefix(WHOLE) for tag in slot.tags if tag.startswith(WHOLE)]
        packed = self.get(whole[0]) if whole else zlib.decompress(b64decode(content["data"]))
        return ormsgpack.unpackb(packed, option=ormsgpack.OPT_NON_STR_KEYS)[1]

    def under(self, prefix: str, *, page_size: int = 100, tags: Sequence[str] = ()) -> Iterator[Slot]:
        """Slots below a key and at it, in the order of keys."""
        for entry in self._camillo.slots.list(prefix, page_size=page_size, tags_any=tags):
            yield entry.slot

    def forget(self, slots: Sequence[Slot], kept: Sequence[Slot] = ()) -> None:
        """Removes slots for good, with the artifacts that only they name."""
        named = {each for slot in slots for each in artifacts_of(slot)}
        named -= {each for slot in kept for each in artifacts_of(slot)}
        ids, artifacts = [slot.slot_id for slot in slots], sorted(named)
        while ids or artifacts:
            self._camillo.lifecycle.forget(
                slot_ids=ids[:1000], artifact_ids=artifacts[:1000], allow_restating=True, timeout=120
            )
            ids, artifacts = ids[1000:], artifacts[1000:]


def _kept(new: NewSlot, written: Sequence[Slot]) -> Slot:
    if new.json_content != written[0].json_content:
        raise ValueError(f"the bytes of {new.key} look like a secret, and were not kept")
    return written[0]


def artifacts_of(slot: Slot) -> list[str]:
    return [tag.partition(":")[2] for tag in slot.tags if tag.startswith((ARTIFACT, WHOLE))]
