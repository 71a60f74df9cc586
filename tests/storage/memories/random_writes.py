"""Writes of every kind, chosen by chance, made in Postgres and in a plain model of the scope alike."""

import random
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import numpy as np
from camillo_server.across.forgetting.records import ForgetSelection
from camillo_server.across.lifecycle.store.embedding_backlog import EmbeddingBacklog, WaitingMemory
from camillo_server.kernel.ids import MemoryId
from camillo_server.kernel.kinds import MemoryKind, Sensitivity
from camillo_server.lib.text.index_terms import index_terms
from camillo_server.models.embedding.embedder import Vector
from camillo_server.rows.merging import merge, with_occurrences
from camillo_server.rows.row import NewRow, Row, canonical_bytes
from camillo_server.rows.row_filter import Archived, MemoryFilter
from camillo_server.rows.store.rows import is_encrypted
from camillo_server.rows.write_records import UpdatedVersions
from camillo_server.search.candidates import CandidateQuery

from tests.storage.memories.replicas import (
    ALICE,
    DIMENSIONS,
    KEYS,
    MODEL,
    NOW,
    Replica,
    new_row,
    numbered_id,
    spec,
    unit,
)
from tests.storage.replays import OF_MEMORIES, OF_UPDATE
from tests.unit.identity.moving_clock import MovingClock
from tests.unit.search.index.plain_scope import PlainScope

WORDS = [
    "walrus",
    "Walruses",
    "tea",
    "userStore",
    "app/main.py",
    "v1.2.3",
    "planning",
    "the",
    "北京",
    "烤鸭",
    "東京タワー",
    "서울",
    "שלום",
    "עולם",
    "السلام",
    "привет",
    "naïve",
    "naïve",
    "🚀",
    "👩\u200d🔬",
    "สวัสดี",
    "नमस्ते",
    "C++",
    "3,000",
]
SESSIONS = ["", "", "one", "two", "третья сессия"]
TAGS = ["a", "b", 'quo"ted', "com,ma", "{braces}", "back\\slash", "🏷️", "NULL", " spaced "]
METADATA: dict[str, list[Any]] = {
    "n": [0.0, -0.0, 1.0, 1.5, -3e300, True, "1", None],
    "ключ": ['знач"ение', "", False, 2.0**53],
}


class RandomWrites:
    """Changes a scope through one replica, and the model with it."""

    def __init__(self, replica: Replica, clock: MovingClock, seed: int) -> None:
        self.replica = replica
        self.clock = clock
        self.dice = random.Random(seed)  # noqa: S311
        self.directions = np.random.default_rng(seed)
        self.plain = PlainScope(MODEL)
        self.revision = 0
        self.backlog = EmbeddingBacklog(replica.database, replica.notifier, clock, KEYS)

    async def step(self) -> None:
        """Makes one write; sometimes time passes before it."""
        if self.dice.random() < 0.2:
            self.clock.move(self.dice.choice([1, 600, 3600]))
        operations: list[Callable[[], Awaitable[int]]] = [
            self.remember,
            self.remember,
            self.remember,
            self.remember_many,
            self.import_some,
            self.import_some,
            self.update,
            self.update,
            self.forget,
            self.forget_by_filter,
            self.restore,
            self.embed_later,
        ]
        self.revision = await self.dice.choice(operations)()

    async def remember(self) -> int:
        row = self.row()
        written = await self.replica.writer.remember(ALICE, row, OF_MEMORIES, None, now=self.clock.now())
        self.state([row])
        return written.revision

    async def remember_many(self) -> int:
        rows = [self.row() for _ in range(self.dice.randint(1, 4))]
        rows += [self.row(memory_id=i) for i in self.some(1)]
        written = await self.replica.writer.remember_many(ALICE, rows, OF_MEMORIES, None, now=self.clock.now())
        taken = written.record.taken
        self.state([row for place, row in enumerate(rows) if place not in taken])
        return written.revision

    async def import_some(self) -> int:
        """New memories, and others in the place of what is there, or beside it."""
        replaces = self.dice.random() < 0.7
        rows = [self.row(version=7) for _ in range(self.dice.randint(0, 3))]
        rows += [self.row(memory_id=i, version=3) for i in self.some(3)]
        if self.dice.random() < 0.5:
            seen: dict[str, Any] = {"accessed_at": self.moment(), "access_count": self.dice.randint(1, 2**40)}
            rows = [replace(row, memory=row.memory._replace(**seen)) for row in rows]
        imported = await self.replica.writer.import_rows(
            ALICE, rows, replace=replaces, after=None, now=self.clock.now()
        )
        new = [row for row in rows if row.memory.memory_id not in self.plain.held]
        for row in rows if replaces else ():
            known = self.plain.held.get(row.memory.memory_id)
            if known is not None:
                version = max(known.memory.version + 1, row.memory.version)
                memory = _with_statistics_of(known.memory, row.memory)
                self.plain.put(memory._replace(version=version), row.vector)
        self.state(new)
        return imported.revision

    async def update(self) -> int:
        """Changes the content, or everything else."""
        for memory_id in self.some(1):
            old = self.plain.held[memory_id]
            row = self.row(memory_id=memory_id)
            if self.dice.random() < 0.3:
                kept = old.memory._replace(tags=row.memory.tags, archived=not old.memory.archived)
                row = NewRow(kept, old.vector)
            version = old.memory.version
            changed = _with_statistics_of(old.memory, row.memory._replace(version=version + 1))
            row = replace(row, memory=changed)
            written = await self.replica.writer.update(
                ALICE, row, UpdatedVersions(version, version), OF_UPDATE, None, now=self.clock.now()
            )
            self.plain.put(changed, row.vector)
            return written.revision
        return await self.remember()

    async def forget(self) -> int:
        return await self._forget(self.some(3), set(self.some(0)))

    async def forget_by_filter(self) -> int:
        # Postgres cannot tell the metadata of what is sealed, the model can.
        wanted = replace(self.filter(), metadata={})
        going = self.plain.passing(wanted, self.clock.now())
        if len(going) > len(self.plain.held) // 3:
            return await self.remember()
        return await self._forget(wanted, going)

    async def _forget(self, selector: list[MemoryId] | MemoryFilter, going: set[MemoryId]) -> int:
        what = ForgetSelection(selector, allow_restating=True)
        written = await self.replica.forgetting.forget(ALICE, what, None, now=self.clock.now())
        for memory_id in going | set(selector if isinstance(selector, list) else ()):
            del self.plain.held[memory_id]
        return written.revision

    async def restore(self) -> int:
        now, wanted = self.clock.now(), self.some(9)
        written = await self.replica.writer.restore(ALICE, wanted, None, now=now)
        for memory_id in wanted:
            held = self.plain.held[memory_id]
            if held.memory.archived:
                version = held.memory.version + 1
                changed = held.memory._replace(archived=False, version=version, updated_at=now)
                self.plain.put(changed, held.vector)
        return written.revision

    async def embed_later(self) -> int:
        """Gives vectors to some that wait for one; one of them has changed since it was read, one has no vector."""
        waiting = [h.memory for h in self.plain.held.values() if not h.memory.vector_model_id]
        read = [WaitingMemory(m.memory_id, m.version, 0, m.content, is_encrypted=is_encrypted(m)) for m in waiting[:3]]
        if not read:
            return await self.remember()
        read[-1] = replace(read[-1], version=read[-1].version - 1)
        vectors = [self.own_vector() if self.dice.random() < 0.7 else None for _ in read]
        await self.backlog.store(ALICE, read, vectors, MODEL)
        for memory, vector in zip(waiting[: len(read) - 1], vectors, strict=False):
            self.plain.put(memory._replace(vector_model_id=MODEL), vector)
        return self.revision + 1

    def state(self, rows: Sequence[NewRow]) -> None:
        """The model holds what is new, and repeats with what they repeat."""
        holders = {canonical_bytes(held.memory): i for i, held in self.plain.held.items()}
        repeats: dict[MemoryId, list[Row]] = {}
        for row in rows:
            told = canonical_bytes(row.memory)
            if told in holders:
                repeats.setdefault(holders[told], []).append(row.memory)
            else:
                holders[told] = row.memory.memory_id
                self.plain.put(row.memory, row.vector)
        for memory_id, stated in repeats.items():
            held = self.plain.held[memory_id]
            joined = merge(held.memory, stated, self.clock.now())
            self.plain.put(with_occurrences(joined, held.memory, stated), held.vector)

    def row(self, memory_id: MemoryId | None = None, **fields: Any) -> NewRow:
        """A random row; if its id is free to choose, now and then one that is stored already."""
        new = self.new_row(memory_id, **fields)
        for known in [] if memory_id else self.some(1):
            if self.dice.random() < 0.3:
                return replace(new, memory=self.repeat(self.plain.held[known].memory, new.memory))
        return new

    def repeat(self, known: Row, new: Row) -> Row:
        """A repeat of the known statement with everything else of the new one; a tag of its own makes a new version."""
        said_alike = ("content", "kind", "sensitivity", "session_id", "occurred_at")
        alike = {name: getattr(known, name) for name in said_alike}
        return new._replace(**alike, tags=(*new.tags, f"again {self.dice.getrandbits(64)}"))

    def new_row(self, memory_id: MemoryId | None, **fields: Any) -> NewRow:
        """A random row that is not stored yet."""
        dice, high = self.dice, self.dice.choice([0, 1, 2**64 - 1])
        words = dice.choices(WORDS, k=dice.randint(1, 12))
        return new_row(
            " ".join([*words, str(dice.getrandbits(64))]),
            self.vector(),
            memory_id=memory_id or numbered_id(high, dice.getrandbits(64)),
            kind=dice.choice(list(MemoryKind)),
            session_id=dice.choice(SESSIONS),
            # Coarse, so that some happen at the same time.
            occurred_at=NOW + timedelta(hours=dice.randint(-9, 9)),
            tags=dice.sample(TAGS, dice.randint(0, 3)),
            sensitivity=dice.choice(list(Sensitivity)),
            importance=dice.choice([0.0, 0.3, 0.5, 1.0]),
            metadata={k: dice.choice(v) for k, v in METADATA.items() if dice.random() < 0.5},
            expires_at=self.moment() if dice.random() < 0.2 else None,
            pinned=dice.random() < 0.2,
            archived=dice.random() < 0.2,
            source_refs=dice.sample(["ref:1", "ref:二"], dice.randint(0, 2)),
            **fields,
        )

    def moment(self) -> datetime:
        """Soon, or not so soon."""
        return self.clock.now() + timedelta(seconds=self.dice.choice([1, 300, 5000, 10**6]))

    def vector(self) -> Vector | None:
        """Mostly of the server's model."""
        kind = self.dice.random()
        if kind < 0.15:
            return None
        return self.own_vector() if kind < 0.85 else Vector("other", np.ones(1, np.float32))

    def own_vector(self) -> Vector:
        return unit(*self.directions.normal(size=DIMENSIONS))

    def some(self, most: int) -> list[MemoryId]:
        known = sorted(self.plain.held)
        return self.dice.sample(known, min(len(known), self.dice.randint(0, most)))

    def filter(self) -> MemoryFilter:
        """A filter of none, one or several conditions."""
        dice = self.dice
        choices: dict[str, Any] = {
            "tags_any": dice.sample([*TAGS, "unknown"], 2),
            "tags_all": dice.sample(TAGS, dice.randint(1, 2)),
            "kinds": dice.sample(list(MemoryKind), 3),
            "session_id": dice.choice([*SESSIONS, "unknown"]),
            "occurred_from": NOW + timedelta(hours=dice.randint(-5, 5)),
            "occurred_before": NOW + timedelta(hours=dice.randint(-5, 5)),
            "min_importance": dice.choice([0.3, 0.5]),
            "max_sensitivity": dice.choice(list(Sensitivity)),
            "archived": dice.choice(list(Archived)),
            # Filters of documents, which restrict none of these rows.
            "document_categories": ("policy",),
            "granted_categories": frozenset(("pricing",)),
            "metadata": {k: dice.choice(v) for k, v in METADATA.items() if dice.random() < 0.6},
        }
        used = dice.sample(sorted(choices), dice.choice([0, 1, 1, 2, 3]))
        return MemoryFilter(**{name: choices[name] for name in used})

    def spec(self) -> CandidateQuery:
        """A random query."""
        dice = self.dice
        text = " ".join(dice.choices([*WORDS, "unheard"], k=dice.randint(0, 4)))
        terms = list(dict.fromkeys(index_terms(text)))
        vector = self.own_vector() if dice.random() < 0.8 else None
        per_arm = dice.choice([1, 3, 50])
        asked = spec(terms, vector, self.filter(), per_arm, self.clock.now())
        return replace(asked, with_neighbours=dice.random() < 0.8)


def _with_statistics_of(old: Row, new: Row) -> Row:
    """How often a memory was found and stated outlasts its versions, unless an import says otherwise."""
    if new.access_count or new.accessed_at:
        return new
    return new._replace(accessed_at=old.accessed_at, access_count=old.access_count, stated_count=old.stated_count)
