"""LangGraph's checkpointer: threads as slots, large channel values as artifacts."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from itertools import groupby, islice
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    WRITES_IDX_MAP,
    BaseCheckpointSaver,
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
    DeltaChannelHistory,
    get_checkpoint_id,
    get_checkpoint_metadata,
    writes_sort_key,
)
from langgraph.checkpoint.serde.base import SerializerProtocol

from camillo.v1.slot_pb2 import NewSlot, Slot
from camillo_client import Camillo
from camillo_client.errors import VersionConflict
from camillo_langgraph.records import (
    CHECKPOINT,
    MAX_ARTIFACTS,
    MIN_ARTIFACT,
    ROOT,
    Dumped,
    Place,
    Records,
    checkpoint_key,
    descending,
    grouped,
    name,
    namespace_key,
    thread_key,
)

WRITES, RUN = "langgraph.writes", "run:"
# Artifacts that this process has stored, by checkpoint, channel and version.
MAX_KNOWN = 10_000
# Slots of the first page of a read, and of those behind it.
FIRST_PAGE, MAX_PAGE = 3, 1_000


class CamilloSaver(BaseCheckpointSaver[int]):
    """Keeps the checkpoints of threads in the space of `camillo`.

    A checkpoint is one slot with all its channel values, written by one call, which takes along what others write at
    the same time; so are the writes of a task. They are in no recall and no digest. Deleting removes them for good.
    Thread-safe; each write is done whether or not its caller is cancelled, with the values as they are at the call.
    Failed calls raise CamilloError."""

    def __init__(self, camillo: Camillo, *, serde: SerializerProtocol | None = None) -> None:
        super().__init__(serde=serde)
        self._records = Records(camillo)
        self._known: OrderedDict[tuple[object, ...], str] = OrderedDict()

    # Reading

    def get_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """The checkpoint that the config names, or the newest of its thread and namespace."""
        thread_id, namespace = _thread(config)
        if checkpoint_id := get_checkpoint_id(config):
            prefix = checkpoint_key(thread_id, namespace, checkpoint_id)
        else:
            prefix = namespace_key(thread_id, namespace)
        # One call: the checkpoint, the writes of a task, and the checkpoint before, with which it is complete.
        first = [*islice(self._records.under(prefix, page_size=FIRST_PAGE), FIRST_PAGE)]
        groups: Iterable[tuple[Slot, Sequence[Slot]]] = (found := [*grouped(first)])
        if len(first) == FIRST_PAGE and (not found or Place(first[-1].key).checkpoint == found[0][0].key):
            groups = grouped(self._records.under(prefix, page_size=MAX_PAGE))
        for slot, writes in groups:
            return self._tuple(slot, writes)
        return None

    def list(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> Iterator[CheckpointTuple]:
        """Checkpoints, newest first in each thread and namespace; without a config those of every thread."""
        wanted = get_checkpoint_id(config) if config else None
        end = get_checkpoint_id(before) if before else None
        if limit is not None and limit <= 0:
            return
        # A page holds what its reader will probably use.
        page_size = 100 if limit is None or filter else min(2 * limit + 8, 100)
        for slot, writes in grouped(self._records.under(_prefix(config), page_size=page_size)):
            checkpoint_id = Place(slot.key).checkpoint_id
            if (wanted and checkpoint_id != wanted) or (end and checkpoint_id >= end):
                continue
            found = self._tuple(slot, writes)
            metadata: Mapping[str, Any] = found.metadata
            if filter and any(metadata.get(key) != value for key, value in filter.items()):
                continue
            yield found
            limit = None if limit is None else limit - 1
            if limit == 0:
                return

    def _tuple(self, slot: Slot, task_slots: Sequence[Slot]) -> CheckpointTuple:
        place = Place(slot.key)
        parent_id, checkpoint, metadata, channels = self._records.read(slot)
        values = {channel: self._loaded(value) for channel, value in channels}
        writes = [
            (writes_sort_key(path, task_id, index), (task_id, channel, value))
            for task_slot in task_slots
            for task_id in [Place(task_slot.key).task_id or ""]
            for index, channel, value, path in self._records.read(task_slot)
        ]
        return CheckpointTuple(
            config=_config(place.thread_id, place.namespace, place.checkpoint_id),
            checkpoint={**self.serde.loads_typed(_typed(checkpoint)), "channel_values": values},
            metadata=self.serde.loads_typed(_typed(metadata)),
            parent_config=_config(place.thread_id, place.namespace, parent_id) if parent_id else None,
            pending_writes=[
                (task_id, channel, self._loaded(value))
                for _, (task_id, channel, value) in sorted(writes, key=lambda write: write[0])
            ],
        )

    def _loaded(self, value: Sequence[Any]) -> Any:
        type_, data = value
        return self.serde.loads_typed((type_, self._records.get(data) if isinstance(data, str) else data))

    # Writing

    def put(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Stores a checkpoint whole; its parent is the one that the config names."""
        self._records.write(self._slot(self._checkpoint(config, checkpoint, metadata)))
        return _config(*_thread(config), checkpoint["id"])

    def put_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        """Stores the writes of a task beside their checkpoint. One that is there stays, but for errors, interrupts and
        such, which are replaced."""
        new = self._writes(config, writes, task_id, task_path)
        try:
            self._records.write(self._slot(new))
        except VersionConflict:
            self._merge(new)

    def _checkpoint(self, config: RunnableConfig, checkpoint: Checkpoint, metadata: CheckpointMetadata) -> Dumped:
        said = get_checkpoint_metadata(config, metadata)
        versions = checkpoint["channel_versions"]
        ids = (*_thread(config), get_checkpoint_id(config), checkpoint["id"])
        values = [
            (channel, self.serde.dumps_typed(value), (*ids, channel, versions.get(channel)))
            for channel, value in checkpoint["channel_values"].items()
        ]
        rest = {name: value for name, value in checkpoint.items() if name != "channel_values"}
        record = [get_checkpoint_id(config), self.serde.dumps_typed(rest), self.serde.dumps_typed(said)]
        run_id = said.get("run_id")
        tags = [_run_tag(run_id)] if run_id else []
        key = checkpoint_key(*_thread(config), checkpoint["id"])
        return Dumped(key, CHECKPOINT, values, lambda packed: [*record, packed], tags)

    def _writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str
    ) -> Dumped:
        checkpoint_id = config["configurable"]["checkpoint_id"]
        key = f"{checkpoint_key(*_thread(config), checkpoint_id)}/{name(task_id)}"
        indexes = [WRITES_IDX_MAP.get(channel, index) for index, (channel, _) in enumerate(writes)]
        values = [(channel, self.serde.dumps_typed(value), None) for channel, value in writes]

        def record(packed: Sequence[Any]) -> list[Any]:
            # The last of several for one index counts.
            by_index = {index: [index, *write, task_path] for index, write in zip(indexes, packed, strict=True)}
            return [by_index[index] for index in sorted(by_index)]

        return Dumped(key, WRITES, values, record, if_version=0)

    def _merge(self, new: Dumped) -> None:
        """Stores the writes of a task that has some already."""
        packed, _ = self._packed(new)
        given = {write[0]: write for write in new.record(packed)}
        while True:
            (current,) = self._records.under(new.key, page_size=1)
            stored = {write[0]: write for write in self._records.read(current)}
            merged = {**given, **{index: each for index, each in stored.items() if index >= 0 or index not in given}}
            record = [merged[index] for index in sorted(merged)]
            artifacts = _artifacts(write[2] for write in record)
            slot = self._records.slot(new.key, record, artifacts, type_=WRITES, if_version=current.version)
            try:
                self._records.write(slot)
            except VersionConflict:
                continue
            return

    def _slot(self, new: Dumped) -> NewSlot:
        packed, artifacts = self._packed(new)
        record = new.record(packed)
        return self._records.slot(new.key, record, artifacts, type_=new.type_, tags=new.tags, if_version=new.if_version)

    def _packed(self, new: Dumped) -> tuple[Sequence[Any], list[str]]:
        """Channels with their values, of which the long ones are artifacts where all of them are too long for a slot;
        with the ids of these."""
        if new.packed is None:
            count = sum(len(data) >= MIN_ARTIFACT for _, (_, data), _ in new.values)
            # Where there are too many, the record becomes one artifact.
            is_long = new.is_long and count <= MAX_ARTIFACTS
            new.packed = [
                [channel, [type_, self._artifact(data, version) if is_long and len(data) >= MIN_ARTIFACT else data]]
                for channel, (type_, data), version in new.values
            ]
        return new.packed, _artifacts(value for _, value in new.packed)

    def _artifact(self, data: bytes, version: tuple[object, ...] | None) -> str:
        """The id of an artifact: that of the parent where this has the same version of the channel. Other branches, and
        a thread begun anew, count the same versions for other values."""
        if version is None:
            return self._records.put(data)
        thread_id, namespace, parent_id, checkpoint_id, *channel = version
        known = self._known.get((thread_id, namespace, parent_id, *channel)) or self._records.put(data)
        self._known[(thread_id, namespace, checkpoint_id, *channel)] = known
        if len(self._known) > MAX_KNOWN:
            self._known.popitem(last=False)
        return known

    # Removing and copying

    def delete_thread(self, thread_id: str) -> None:
        """Removes a thread for good: checkpoints, writes, artifacts."""
        self._forget(list(self._records.under(thread_key(thread_id))))

    def delete_for_runs(self, run_ids: Sequence[str]) -> None:
        """Removes the checkpoints of runs for good, with their writes."""
        for run_id in run_ids:
            for slot in list(self._records.under(ROOT, tags=[_run_tag(run_id)])):
                gone = list(self._records.under(slot.key))
                keys = {each.key for each in gone}
                thread = self._records.under(thread_key(Place(slot.key).thread_id))
                self._forget(gone, [each for each in thread if each.key not in keys])

    def prune(self, thread_ids: Sequence[str], *, strategy: str = "keep_latest") -> None:
        """Removes the checkpoints of threads for good, with `keep_latest` but for the newest of each namespace.

        Its ancestors stay as far back as a DeltaChannel needs them."""
        if strategy not in ("keep_latest", "delete"):
            raise ValueError(f"strategy is keep_latest or delete, not {strategy!r}")
        for thread_id in thread_ids:
            slots = list(self._records.under(thread_key(thread_id)))
            kept = self._latest(slots) if strategy == "keep_latest" else set()
            gone, stay = list[Slot](), list[Slot]()
            for slot in slots:
                (stay if Place(slot.key).checkpoint in kept else gone).append(slot)
            self._forget(gone, stay)

    def _latest(self, slots: Sequence[Slot]) -> set[str]:
        """Keys of the newest checkpoint of each namespace, and of the ancestors that its DeltaChannels need."""
        records = {slot.key: self._records.read(slot) for slot, _ in grouped(slots)}
        said = {key: self.serde.loads_typed(_typed(record[2])) for key, record in records.items()}
        deltas = {name for each in said.values() for name in each.get("counters_since_delta_snapshot") or ()}
        kept = set[str]()
        for namespace, keys in groupby(records, key=lambda key: key.rpartition("/")[0]):
            key, wanted = next(keys), set(deltas)
            while key in records and key not in kept:
                kept.add(key)
                parent_id, _, _, channels = records[key]
                wanted -= {channel for channel, _ in channels}
                if not (wanted and parent_id):
                    break
                key = f"{namespace}/{descending(parent_id)}"
        return kept

    def copy_thread(self, source_thread_id: str, target_thread_id: str) -> None:
        """Copies every checkpoint and write of a thread, artifacts included."""
        copies = dict[str, str]()

        def copied(value: list[Any]) -> list[Any]:
            type_, data = value
            if isinstance(data, str):
                copies[data] = copies.get(data) or self._records.put(self._records.get(data))
                data = copies[data]
            return [type_, data]

        for slot in self._records.under(thread_key(source_thread_id)):
            place, record = Place(slot.key), self._records.read(slot)
            key = slot.key.replace(thread_key(source_thread_id), thread_key(target_thread_id), 1)
            if place.task_id is None:
                record[3] = [[channel, copied(value)] for channel, value in record[3]]
                artifacts = _artifacts(value for _, value in record[3])
            else:
                record = [[index, channel, copied(value), path] for index, channel, value, path in record]
                artifacts = _artifacts(write[2] for write in record)
            runs = [tag for tag in slot.tags if tag.startswith(RUN)]
            self._records.write(self._records.slot(key, record, artifacts, type_=slot.type, tags=runs))

    def _forget(self, slots: Sequence[Slot], kept: Sequence[Slot] = ()) -> None:
        self._records.forget(slots, kept)
        # An artifact that is gone is not named again.
        self._known.clear()

    # The same in threads, for event loops

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        return await asyncio.to_thread(self.get_tuple, config)

    async def alist(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[CheckpointTuple]:
        found = self.list(config, filter=filter, before=before, limit=limit)
        while (each := await asyncio.to_thread(next, found, None)) is not None:
            yield each

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        await self._awrite(self._checkpoint(config, checkpoint, metadata))
        return _config(*_thread(config), checkpoint["id"])

    async def aput_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        new = self._writes(config, writes, task_id, task_path)
        try:
            await self._awrite(new)
        except VersionConflict:
            await asyncio.to_thread(self._merge, new)

    async def _awrite(self, new: Dumped) -> None:
        if new.is_long:
            # Its artifacts are uploaded before.
            await asyncio.to_thread(lambda: self._records.write(self._slot(new)))
        else:
            await self._records.awrite(self._slot(new))

    async def adelete_thread(self, thread_id: str) -> None:
        await asyncio.to_thread(self.delete_thread, thread_id)

    async def adelete_for_runs(self, run_ids: Sequence[str]) -> None:
        await asyncio.to_thread(self.delete_for_runs, run_ids)

    async def acopy_thread(self, source_thread_id: str, target_thread_id: str) -> None:
        await asyncio.to_thread(self.copy_thread, source_thread_id, target_thread_id)

    async def aprune(self, thread_ids: Sequence[str], *, strategy: str = "keep_latest") -> None:
        await asyncio.to_thread(lambda: self.prune(thread_ids, strategy=strategy))

    async def aget_delta_channel_history(
        self, *, config: RunnableConfig, channels: Sequence[str]
    ) -> Mapping[str, DeltaChannelHistory]:
        return await asyncio.to_thread(lambda: self.get_delta_channel_history(config=config, channels=channels))


def _thread(config: RunnableConfig) -> tuple[str, str]:
    given = config["configurable"]
    return str(given["thread_id"]), given.get("checkpoint_ns") or ""


def _config(thread_id: str, namespace: str, checkpoint_id: str) -> RunnableConfig:
    return {"configurable": {"thread_id": thread_id, "checkpoint_ns": namespace, "checkpoint_id": checkpoint_id}}


def _prefix(config: RunnableConfig | None) -> str:
    if config is None:
        return ROOT
    thread_id, namespace = _thread(config)
    if config["configurable"].get("checkpoint_ns") is None:
        return thread_key(thread_id)
    checkpoint_id = get_checkpoint_id(config)
    return checkpoint_key(thread_id, namespace, checkpoint_id) if checkpoint_id else namespace_key(thread_id, namespace)


def _run_tag(run_id: object) -> str:
    return f"{RUN}{run_id}"[:128]


def _typed(value: Sequence[Any]) -> tuple[str, bytes]:
    return value[0], value[1]


def _artifacts(values: Iterable[Sequence[Any]]) -> list[str]:
    return sorted({data for _, data in values if isinstance(data, str)})
