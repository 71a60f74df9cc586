"""LangGraph's store: items as memories, which every recall finds."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import Any, NamedTuple
from uuid import uuid4

from langgraph.store.base import (
    BaseStore,
    GetOp,
    IndexConfig,
    ListNamespacesOp,
    Op,
    PutOp,
    Result,
    SearchItem,
    SearchOp,
    TTLConfig,
    ensure_embeddings,
    get_text_at_path,
    validate_op_namespace,
)

from camillo.v1.memory_pb2 import Memory, MemoryFilter, NewMemory, Vector
from camillo.v1.memory_service_pb2 import RecallRequest
from camillo_client import Camillo, memory_filter, new_memory, recall_request, to_datetime
from camillo_client.errors import CamilloError, MemoryIdTaken, MemoryNotFound, VersionConflict
from camillo_client.failures import from_status
from camillo_langgraph.groups import Groups
from camillo_langgraph.items import (
    ITEM,
    conditions_of,
    content_of,
    fields_of,
    id_of,
    leaves,
    matches,
    passes,
    tag_of,
    tags_of,
)

# Most hits of one recall, and most memories of a page.
MAX_HITS, MAX_PAGE = 200, 1000
# A longer value is an artifact: a memory's metadata has 16 KiB.
MAX_INLINE = 8 * 1024
READS_AT_ONCE = 8


class _Stored(NamedTuple):
    """An item with the memory that holds it."""

    item: SearchItem
    memory: Memory
    ttl: float | None


class _Search:
    """A search with the filter that the server has for it, which may pass more where it is not complete."""

    def __init__(self, op: SearchOp) -> None:
        self.op, self.end = op, op.offset + op.limit
        conditions, self.is_complete = conditions_of(op.filter or {})
        tags = [tag_of(op.namespace_prefix)]
        self.wanted = memory_filter(tags_all=tags, archived="include", metadata_conditions=conditions)


class CamilloStore(BaseStore):
    """Keeps items in the space of `camillo`, each as a memory with the texts of its value.

    A search with a query ranks by the server's model and words, or with `index["embed"]` by these vectors alone;
    `index["fields"]` says which texts count. Without a query the newest come first. An item whose `ttl` (minutes) is
    over is gone. The new items of a batch are stored in one transaction, and so are those that replace others; reads of
    a batch see what was before it. Deleting removes for good. Thread-safe. Batches that are asked for at once
    are done together, in threads. Failed calls raise CamilloError."""

    supports_ttl = True

    def __init__(self, camillo: Camillo, *, index: IndexConfig | None = None, ttl: TTLConfig | None = None) -> None:
        self._camillo = camillo
        self.index_config: IndexConfig | None = index.copy() if index else None
        self.ttl_config = ttl
        given = (index or {}).get("embed")
        self.embeddings = ensure_embeddings(given) if given is not None else None
        self._fields = (index or {}).get("fields") or ["$"]
        # Vectors of different functions are never compared.
        self._model = f"langgraph:{(index or {}).get('dims')}"
        self._reads = ThreadPoolExecutor(READS_AT_ONCE, "camillo-store-reads")
        # Batches wait for a group: what many callers ask for at once needs few calls.
        self._groups = Groups[Op, Result](self._run, "camillo-store")

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        # Done also where its caller is cancelled.
        return await asyncio.shield(asyncio.wrap_future(self._submitted(ops)))

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        return self._submitted(ops).result()

    def _submitted(self, ops: Iterable[Op]) -> Future[list[Result]]:
        """The results to come of a batch, which is done with those that wait beside it."""
        ops = list(ops)
        for op in ops:
            validate_op_namespace(op)
        return self._groups.submit(ops)

    def _run(self, ops: Sequence[Op]) -> list[Result]:
        found = dict[int, Result]()
        ranked = {place: op for place, op in enumerate(ops) if isinstance(op, SearchOp) and op.query}
        found.update(zip(ranked, self._found([*ranked.values()]), strict=True))
        others = {place: op for place, op in enumerate(ops) if place not in ranked and not isinstance(op, PutOp)}
        run = self._reads.map if len(others) > 1 else map
        found.update(zip(others, run(self._read, others.values()), strict=True))
        # The last of several for one key counts.
        puts = {(op.namespace, op.key): op for op in ops if isinstance(op, PutOp)}
        self._put([op for op in puts.values() if op.value is not None])
        self._delete([id_of(op.namespace, op.key) for op in puts.values() if op.value is None])
        return [found.get(place) for place in range(len(ops))]

    # Reads

    def _read(self, op: Op) -> Result:
        if isinstance(op, GetOp):
            stored = self._get(id_of(op.namespace, op.key))
            self._refresh([stored] if stored and op.refresh_ttl else [])
            return stored.item if stored else None
        if isinstance(op, SearchOp):
            return self._found([op])[0]
        if isinstance(op, ListNamespacesOp):
            return self._namespaces(op)
        raise ValueError(f"Unknown operation type: {type(op)}")

    def _found(self, ops: Sequence[SearchOp]) -> list[list[SearchItem]]:
        """The items of each search; those with a query are ranked by one call."""
        searches = [_Search(op) for op in ops]
        ranked = self._ranked(searches)
        found = []
        for search, hits in zip(searches, ranked, strict=True):
            items = self._filled(search, hits)
            self._refresh(items if search.op.refresh_ttl else [])
            found.append([hit.item for hit in items])
        return found

    def _get(self, memory_id: str) -> _Stored | None:
        with suppress(MemoryNotFound):
            return self._stored(self._camillo.get(memory_id))
        return None

    def _filled(self, search: _Search, ranked: Sequence[_Stored]) -> list[_Stored]:
        """The page of a search: its ranked hits, and behind them items that have no score."""
        filter, end = search.op.filter, search.end
        hits = [hit for hit in ranked if passes(hit.item.value, filter)]
        if len(hits) < end:
            seen = {hit.memory.memory_id for hit in ranked}
            listed = self._listed(search.wanted, min(end + len(seen), MAX_PAGE) if search.is_complete else MAX_PAGE)
            rest = (hit for hit in listed if hit.memory.memory_id not in seen and passes(hit.item.value, filter))
            hits += islice(rest, end - len(hits))
        return hits[search.op.offset : end]

    def _ranked(self, searches: Sequence[_Search]) -> list[list[_Stored]]:
        """The hits of each search that has a query."""
        requests = {place: self._request(search) for place, search in enumerate(searches)}
        asked = {place: request for place, request in requests.items() if request is not None}
        answers = self._camillo.recall_many(asked.values()) if asked else []
        ranked: list[list[_Stored]] = [[] for _ in searches]
        for place, answer in zip(asked, answers, strict=True):
            if isinstance(answer, CamilloError):
                raise answer
            for hit in answer.hits:
                stored = self._stored(hit.memory, hit.breakdown.dense.raw if self.embeddings else hit.score)
                ranked[place] += [stored] if stored else []
        return ranked

    def _request(self, search: _Search) -> RecallRequest | None:
        query = search.op.query
        limit = min(search.end, MAX_HITS) if search.is_complete else MAX_HITS
        if not query or limit < 1:
            return None
        if self.embeddings is None:
            return recall_request(query, filter=search.wanted, limit=limit)
        vector = Vector(model_id=self._model, values=self.embeddings.embed_query(query))
        if not any(vector.values):
            return None
        return recall_request(vector=vector, filter=search.wanted, limit=limit, profile="similarity", explain=True)

    def _listed(self, wanted: MemoryFilter, page_size: int) -> Iterator[_Stored]:
        for memory in self._camillo.list_memories(wanted, page_size=max(page_size, 1)):
            stored = self._stored(memory)
            if stored:
                yield stored

    def _stored(self, memory: Memory, score: float | None = None) -> _Stored | None:
        """The item of a memory; None where its time is over."""
        if memory.HasField("expires_at") and to_datetime(memory.expires_at) <= _now():
            return None
        namespace, key, value, ttl, artifact = json.loads(memory.metadata[ITEM])
        if artifact:
            _, value = json.loads(self._camillo.artifacts.read(artifact))
        item = SearchItem(
            namespace=tuple(namespace),
            key=key,
            value=value,
            created_at=to_datetime(memory.created_at),
            updated_at=to_datetime(memory.updated_at),
            score=score,
        )
        return _Stored(item, memory, ttl)

    def _namespaces(self, op: ListNamespacesOp) -> list[tuple[str, ...]]:
        """Reads every item below the labels that a prefix names."""
        conditions = op.match_conditions or ()
        prefixes = [condition.path for condition in conditions if condition.match_type == "prefix"]
        known = max((_until_wildcard(path) for path in prefixes), key=len, default=())
        wanted = memory_filter(tags_all=[tag_of(known)], archived="include")
        found = {stored.item.namespace for stored in self._listed(wanted, MAX_PAGE)}
        matching = [each for each in found if all(matches(condition, each) for condition in conditions)]
        return sorted({each[: op.max_depth] for each in matching})[op.offset : op.offset + op.limit]

    def _refresh(self, hits: Sequence[_Stored]) -> None:
        for hit in hits:
            if hit.ttl is not None:
                # Somebody else has read it, too, or it is gone.
                with suppress(VersionConflict, MemoryNotFound):
                    memory = hit.memory
                    self._camillo.update(memory.memory_id, memory.version, expires_at=_end(hit.ttl))

    # Writes

    def _put(self, ops: Sequence[PutOp]) -> None:
        if not ops:
            return
        news = self._memories(ops)
        outcomes = self._camillo.remember_many(news)
        taken = []
        for new, outcome in zip(news, outcomes, strict=True):
            if isinstance(outcome, MemoryIdTaken):
                taken.append(new)
            elif isinstance(outcome, CamilloError):
                raise outcome
        if not taken:
            return
        old = {memory.memory_id: memory for memory in self._items([new.memory_id for new in taken])}
        memories = (_replacement(new, old.get(new.memory_id)) for new in taken)
        answer = self._camillo.import_memories(memories, on_conflict="replace")
        if answer.failures:
            raise from_status(answer.failures[0].error)
        if artifacts := _artifacts(old.values()):
            self._camillo.lifecycle.forget(artifact_ids=artifacts, allow_restating=True)

    def _memories(self, ops: Sequence[PutOp]) -> list[NewMemory]:
        texts = [self._texts(op) for op in ops]
        vectors = self._vectors(texts)
        news = []
        for op, said, vector in zip(ops, texts, vectors, strict=True):
            value: Mapping[str, Any] = dict(op.value or {})
            # No two artifacts are equal: what is forgotten goes with what repeats it.
            written = json.dumps([str(uuid4()), value], allow_nan=False)
            artifact = None
            if len(written) > MAX_INLINE:
                artifact = self._camillo.artifacts.put(written.encode(), media_type="application/json").artifact_id
            item = json.dumps([op.namespace, op.key, None if artifact else value, op.ttl, artifact])
            new = new_memory(
                content_of(op.namespace, op.key, said),
                memory_id=id_of(op.namespace, op.key),
                tags=tags_of(op.namespace),
                importance=0.5,
                metadata={**fields_of(value), ITEM: item},
                expires_at=None if op.ttl is None else _end(op.ttl),
                never_expires=op.ttl is None,
                vector=vector,
            )
            news.append(new)
        return news

    def _texts(self, op: PutOp) -> list[str]:
        """The texts of an item to search in."""
        if op.index is False:
            return []
        paths = self._fields if op.index is None else op.index
        if [*paths] == ["$"] and self.embeddings is None:
            return [*leaves(op.value)]
        return [text for path in paths for text in get_text_at_path(op.value, path)]

    def _vectors(self, texts: Sequence[Sequence[str]]) -> list[Vector | None]:
        """The vector of each item: of several texts, their mean."""
        if self.embeddings is None:
            return [None] * len(texts)
        embedded = iter(self.embeddings.embed_documents([text for said in texts for text in said]))
        vectors: list[Vector | None] = []
        for said in texts:
            columns = zip(*[next(embedded) for _ in said], strict=True)
            values = [sum(column) / len(said) for column in columns]
            vectors.append(Vector(model_id=self._model, values=values) if any(values) else None)
        return vectors

    def _delete(self, ids: Sequence[str]) -> None:
        if not ids:
            return
        artifacts = _artifacts(self._items(ids))
        if artifacts:
            self._camillo.lifecycle.forget(memory_ids=ids, artifact_ids=artifacts, allow_restating=True)
        else:
            self._camillo.forget(ids, allow_restating=True)

    def _items(self, ids: Sequence[str]) -> list[Memory]:
        """The memories of these items, as far as they are there."""

        def found(memory_id: str) -> Memory | None:
            with suppress(MemoryNotFound):
                return self._camillo.get(memory_id)
            return None

        return [each for each in self._reads.map(found, ids) if each]


def _now() -> datetime:
    return datetime.now(UTC)


def _until_wildcard(path: Sequence[str]) -> tuple[str, ...]:
    return tuple(path[: path.index("*")] if "*" in path else path)


def _end(ttl: float) -> datetime:
    return _now() + timedelta(minutes=ttl)


def _artifacts(memories: Iterable[Memory]) -> list[str]:
    """The artifacts that hold the values of these items."""
    return [artifact for memory in memories if (artifact := json.loads(memory.metadata[ITEM])[4])]


def _replacement(new: NewMemory, old: Memory | None) -> Memory:
    """The new memory in the place of the one that has its id: the item is as old as it was."""
    memory = Memory(
        memory_id=new.memory_id,
        content=new.content,
        tags=new.tags,
        importance=new.importance,
        metadata=new.metadata,
    )
    if old is not None:
        memory.created_at.CopyFrom(old.created_at)
        # The clocks of this machine and of the server may differ.
        memory.updated_at.FromDatetime(max(_now(), to_datetime(old.updated_at)))
    if new.HasField("expires_at"):
        memory.expires_at.CopyFrom(new.expires_at)
    if new.HasField("vector"):
        memory.vector.CopyFrom(new.vector)
    return memory
