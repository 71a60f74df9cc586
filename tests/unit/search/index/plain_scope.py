"""A scope as a dictionary, and recall over it by the definitions: slow, and plain to see."""

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

import numpy as np
from camillo_server.kernel.ids import MemoryId
from camillo_server.kernel.kinds import Scalar
from camillo_server.lib.text.index_terms import LENGTH_NORMALIZATION, SATURATION, index_terms
from camillo_server.models.embedding.embedder import Vector
from camillo_server.rows.row import Row
from camillo_server.rows.row_filter import Archived, MemoryFilter
from camillo_server.search.candidates import CandidateQuery
from numpy.typing import NDArray

MAX_COUNTED = 255
NOTHING = (math.nan, 0.0)

Score = tuple[float, float]
"""Cosine (nan: no vector) and BM25 (0: nothing in common)."""


@dataclass(frozen=True, slots=True)
class Held:
    """A memory in force, its vector, and its index terms."""

    memory: Row
    vector: Vector | None
    terms: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class Expected:
    """Expected results of a recall: those it must find, those it may, and the scores of them and their neighbours."""

    must: set[MemoryId]
    may: set[MemoryId]
    scores: dict[MemoryId, Score]
    near: dict[MemoryId, list[Score]]
    """Of those before and after it in its session, then of the second before and after; empty if none count."""
    rarities: list[float]
    memories: int
    """How many rows count: where a channel hides some, those that pass; else all."""
    vectors_pending: bool


class PlainScope:
    """Contents of a scope, and what a recall over it finds."""

    def __init__(self, model_id: str) -> None:
        self._model_id = model_id
        self.held: dict[MemoryId, Held] = {}

    def put(self, memory: Row, vector: Vector | None) -> None:
        """Stores a memory in the place of what was there."""
        self.held[memory.memory_id] = Held(memory, vector, Counter(index_terms(memory.content)))

    @property
    def term_count(self) -> int:
        return sum(held.terms.total() for held in self.held.values())

    @property
    def memories(self) -> dict[MemoryId, Row]:
        return {memory_id: stored(held.memory) for memory_id, held in self.held.items()}

    def passing(self, wanted: MemoryFilter, now: datetime) -> set[MemoryId]:
        return {i for i, held in self.held.items() if passes(held.memory, wanted, now)}

    def recall(self, spec: CandidateQuery) -> Expected:
        passing = self.passing(spec.filter, spec.now)
        counted = passing if spec.filter.is_narrowed else set(self.held)
        lexical, rarities = self._bm25(spec.terms, passing, counted)
        dense = {i: self._cosine(i, spec.vector) for i in passing}
        scores = {i: (dense[i], lexical[i]) for i in passing}
        known = {i: score for i, score in dense.items() if not math.isnan(score)}
        hit = {i: score for i, score in lexical.items() if score}
        arms = [best(each, spec.candidates_per_arm) for each in (known, hit)]
        must, may = (set().union(*(arm[side] for arm in arms)) for side in (0, 1))
        sessions = self._sessions(counted)
        beside = {i: self._neighbours(i, passing, sessions) for i in passing}
        if not spec.with_neighbours:
            beside = {i: [] for i in passing}
        near = {i: [NOTHING if j is None else scores[j] for j in beside[i]] for i in passing}
        return Expected(
            must=must | {j for i in must for j in beside[i][:2] if j},
            may=may | {j for i in may for j in beside[i][:2] if j},
            scores=scores,
            near=near,
            rarities=rarities,
            memories=len(counted),
            vectors_pending=any(not self.held[i].memory.vector_model_id for i in counted),
        )

    def _bm25(
        self, terms: Sequence[str], passing: set[MemoryId], counted: set[MemoryId]
    ) -> tuple[dict[MemoryId, float], list[float]]:
        scores = dict.fromkeys(passing, 0.0)
        total = sum(self.held[i].terms.total() for i in counted)
        mean = max(1, total) / max(1, len(counted))
        rarities = []
        for term in terms:
            having = [i for i in passing if self.held[i].terms[term]]
            n = len(having)
            rarity = math.log(1 + (len(counted) - n + 0.5) / (n + 0.5))
            rarities.append(rarity)
            for i in having:
                tf = min(self.held[i].terms[term], MAX_COUNTED)
                length = self.held[i].terms.total() / mean
                norm = SATURATION * (1 - LENGTH_NORMALIZATION + LENGTH_NORMALIZATION * length)
                scores[i] += rarity * tf * (SATURATION + 1) / (tf + norm)
        return scores, rarities

    def _cosine(self, memory_id: MemoryId, query: Vector | None) -> float:
        vector = self.held[memory_id].vector
        if query is None or vector is None or vector.model_id != self._model_id:
            return math.nan
        return float(half(vector.values) @ query.values)

    def _sessions(self, counted: set[MemoryId]) -> dict[str, list[MemoryId | None]]:
        """The ids of each session in order, with two that are none on both sides."""
        ordered = sorted(
            (self.held[i].memory for i in counted), key=lambda memory: (memory.occurred_at, memory.memory_id)
        )
        sessions: dict[str, list[MemoryId | None]] = defaultdict(lambda: [None, None])
        for memory in ordered:
            sessions[memory.session_id].append(memory.memory_id)
        return {session: [*ids, None, None] for session, ids in sessions.items()}

    def _neighbours(
        self, memory_id: MemoryId, passing: set[MemoryId], sessions: Mapping[str, list[MemoryId | None]]
    ) -> list[MemoryId | None]:
        session = self.held[memory_id].memory.session_id
        if not session:
            return [None] * 4
        ids = sessions[session]
        place = ids.index(memory_id)
        near = (ids[place + step] for step in (-1, 1, -2, 2))
        return [i if i in passing else None for i in near]


def half(values: NDArray[np.float32]) -> NDArray[np.float32]:
    """Values as the index keeps them."""
    return values.astype(np.float16).astype(np.float32)


def stored(memory: Row) -> Row:
    """The memory as it comes back: importance in single precision, and metadata whose types can be told apart."""
    return memory._replace(
        importance=float(np.float32(memory.importance)),
        tags=tuple(memory.tags),
        source_refs=tuple(memory.source_refs),
        metadata=_telling_all(memory.metadata),
        occurrences=memory.occurrences._replace(
            kept=tuple(each._replace(metadata=_telling_all(each.metadata)) for each in memory.occurrences.kept)
        ),
    )


def _telling_all(metadata: Mapping[str, Scalar]) -> dict[str, str]:
    return {key: _telling(value) for key, value in sorted(metadata.items())}


def _telling(value: Scalar) -> str:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return f"number {float(value) + 0.0!r}"
    return f"{type(value).__name__} {value!r}"


def passes(memory: Row, wanted: MemoryFilter, now: datetime) -> bool:
    """The conditions of a filter, one by one."""
    tags = set(memory.tags)
    # How often a memory was stated, each statement passes for all of them: any session, any time, any of the entries.
    statements = memory.occurrences.kept or (memory.occurrence,)
    sessions = {memory.session_id, *(each.session_id for each in statements)}
    times = [memory.occurred_at, *(each.occurred_at for each in statements)]
    entries = {
        (key, _telling(value))
        for metadata in (memory.metadata, *(each.metadata for each in statements))
        for key, value in metadata.items()
    }
    return (
        (memory.expires_at is None or memory.expires_at > now)
        and (wanted.archived is Archived.INCLUDE or memory.archived == (wanted.archived is Archived.ONLY))
        and (not wanted.tags_any or bool(tags & set(wanted.tags_any)))
        and set(wanted.tags_all) <= tags
        and (not wanted.kinds or memory.kind in wanted.kinds)
        and (not wanted.session_id or wanted.session_id in sessions)
        and any(
            (wanted.occurred_from is None or time >= wanted.occurred_from)
            and (wanted.occurred_before is None or time < wanted.occurred_before)
            for time in times
        )
        and bool(np.float32(memory.importance) >= np.float32(wanted.min_importance))
        and memory.trust_level >= wanted.min_trust
        and (wanted.max_sensitivity is None or memory.sensitivity <= wanted.max_sensitivity)
        and (not wanted.sensitivities or memory.sensitivity in wanted.sensitivities)
        and memory.kind not in wanted.hidden_kinds
        and {(key, _telling(value)) for key, value in wanted.metadata.items()} <= entries
    )


def best(scores: dict[MemoryId, float], limit: int, nearly: float = 1e-4) -> tuple[set[MemoryId], set[MemoryId]]:
    """Ids that are surely among the best `limit`, and those that may be: equals at the border."""
    if len(scores) <= limit:
        return set(scores), set(scores)
    border = sorted(scores.values(), reverse=True)[limit - 1]
    return (
        {i for i, score in scores.items() if score > border + nearly},
        {i for i, score in scores.items() if score >= border - nearly},
    )
