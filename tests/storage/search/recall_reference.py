"""Expected results of a recall, computed from its definition over plain rows, one after the other."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np
from camillo_server.kernel.ids import MemoryId
from camillo_server.kernel.kinds import Source, source_of
from camillo_server.lib.text.index_terms import LENGTH_NORMALIZATION, SATURATION, index_terms
from camillo_server.lib.text.speech import ASKS, speech_terms
from camillo_server.rows.row import NewRow, Row, indexed_text
from camillo_server.rows.row_filter import CATEGORY_PREFIX, Archived, MemoryFilter, Validity, passing_kinds
from camillo_server.search.candidates import CandidatePool, CandidateQuery
from camillo_server.search.signals.speech import SPEECH

Pair = tuple[float, float]
NOTHING = (math.nan, 0.0)


@dataclass(frozen=True, slots=True)
class Found:
    """The raw scores of a candidate, and of what stands before and after it, and second before and after it: (cosine,
    BM25) each. And whether it asks, whether what stands before it does, and whether somebody says it whom the query
    names."""

    own: Pair
    near: tuple[Pair, ...]
    speech: tuple[bool, bool, bool]


def candidates_of(pool: CandidatePool) -> dict[MemoryId, Found]:
    """A pool in the form of the reference."""
    arms = pool.arms
    memories = pool.memories(range(len(pool)))
    near = range(arms.dense_near.shape[1])
    return {
        memory.memory_id: Found(
            (float(arms.dense[i]), float(arms.lexical[i])),
            tuple((float(arms.dense_near[i, n]), float(arms.lexical_near[i, n])) for n in near),
            tuple(arms.signals[SPEECH][i].tolist()) if SPEECH in arms.signals else (False, False, False),
        )
        for i, memory in enumerate(memories)
    }


class Reference:
    """A scope as a list of rows."""

    def __init__(self, rows: Sequence[NewRow]) -> None:
        self._rows = {row.memory.memory_id: row for row in rows}
        self._terms = {
            key: index_terms(indexed_text(memory.content, memory.kind, memory.occurred_at))
            for key, row in self._rows.items()
            if (memory := row.memory)
        }
        self._said = {key: {*speech_terms(row.memory.content, row.memory.actor)} for key, row in self._rows.items()}

    def counted(self, spec: CandidateQuery) -> set[MemoryId]:
        """The rows that count: where a channel hides some, those that pass; else all."""
        return {key for key, row in self._rows.items() if not spec.filter.is_narrowed or _passes(row.memory, spec)}

    def find(self, spec: CandidateQuery) -> tuple[dict[MemoryId, Found], list[float]]:
        """The candidates, and the rarities of the query's terms."""
        allowed = {key for key, row in self._rows.items() if _passes(row.memory, spec)}
        lexical, rarities = self._lexical(spec, allowed)
        dense = {key: self._dense(key, spec) for key in allowed}
        near = sorted((-value, key) for key, value in dense.items() if not math.isnan(value))
        best = sorted((-value, key) for key, value in lexical.items())
        found = {key for _, key in near[: spec.candidates_per_arm]}
        found |= {key for _, key in best[: spec.candidates_per_arm]}
        beside = {
            key: self._neighbours(key, allowed, self.counted(spec)) if spec.with_neighbours else [] for key in allowed
        }
        candidates = found | {other for key in found for other in beside[key][:2] if other}

        def scores(key: MemoryId | None) -> Pair:
            return NOTHING if key is None else (dense[key], lexical.get(key, 0.0))

        def speech(key: MemoryId) -> tuple[bool, bool, bool]:
            if SPEECH not in spec.signals or not beside[key]:
                return (False, False, False)
            before = beside[key][0]
            replies = before is not None and ASKS in self._said[before]
            named = not self._said[key].isdisjoint(spec.signals[SPEECH])
            return ASKS in self._said[key], replies, named

        return {key: Found(scores(key), tuple(map(scores, beside[key])), speech(key)) for key in candidates}, rarities

    def _dense(self, key: MemoryId, spec: CandidateQuery) -> float:
        vector = self._rows[key].vector
        if vector is None or spec.vector is None or vector.model_id != spec.vector.model_id:
            return math.nan
        if vector.values.size != spec.vector.values.size:
            return math.nan
        return float(np.dot(vector.values, spec.vector.values))

    def _lexical(self, spec: CandidateQuery, allowed: set[MemoryId]) -> tuple[dict[MemoryId, float], list[float]]:
        counted = self.counted(spec)
        size = len(counted)
        mean = max(1, sum(len(self._terms[key]) for key in counted)) / max(1, size)
        scores: dict[MemoryId, float] = {}
        rarities = []
        counts = {key: Counter(self._terms[key]) for key in allowed}
        for term in spec.terms:
            holders = [key for key in allowed if counts[key][term]]
            rarity = math.log(1 + (size - len(holders) + 0.5) / (len(holders) + 0.5))
            rarities.append(rarity)
            for key in holders:
                length = len(self._terms[key]) / mean
                count = counts[key][term]
                share = 1 - LENGTH_NORMALIZATION + LENGTH_NORMALIZATION * length
                part = rarity * count * (SATURATION + 1) / (count + SATURATION * share)
                scores[key] = scores.get(key, 0.0) + part
        return scores, rarities

    def _neighbours(self, key: MemoryId, allowed: set[MemoryId], counted: set[MemoryId]) -> list[MemoryId | None]:
        session = self._rows[key].memory.session_id
        if not session:
            return [None] * 4
        order = sorted(
            (row.memory.occurred_at, row.memory.memory_id)
            for row in self._rows.values()
            if row.memory.session_id == session and row.memory.memory_id in counted
        )
        keys = [memory_id for _, memory_id in order]
        place = keys.index(key)
        places = (place - 1, place + 1, place - 2, place + 2)
        beside = [keys[i] if 0 <= i < len(keys) else None for i in places]
        return [other if other in allowed else None for other in beside]


def _passes(memory: Row, spec: CandidateQuery) -> bool:
    """The conditions that these tests use."""
    wanted: MemoryFilter = spec.filter
    archived = wanted.archived is Archived.INCLUDE or (memory.archived == (wanted.archived is Archived.ONLY))
    return (
        archived
        and (memory.expires_at is None or memory.expires_at > spec.now)
        and set(wanted.tags_all) <= set(memory.tags)
        and wanted.session_id in ("", memory.session_id)
        and memory.importance >= wanted.min_importance
        and memory.trust_level >= wanted.min_trust
        and (not wanted.sensitivities or memory.sensitivity in wanted.sensitivities)
        and memory.kind in passing_kinds(wanted)
        and passes_document(memory, wanted, spec.now)
        and passes_validity(memory, wanted, spec.now)
    )


def passes_validity(memory: Row, wanted: MemoryFilter, now: datetime) -> bool:
    """Whether a memory passes by its being true at the moment that is asked for; a search finds what is true unless
    told otherwise."""
    if wanted.validity is Validity.ANY:
        return True
    began = memory.valid_from or (memory.occurred_at if wanted.as_of else None)
    then = wanted.as_of or now
    is_true = (began is None or began <= then) and (memory.valid_until is None or then < memory.valid_until)
    return is_true is not (wanted.validity is Validity.NOT_TRUE)


def passes_document(memory: Row, wanted: MemoryFilter, now: datetime) -> bool:
    """Whether a passage of a document is effective, and of what is asked for and granted; any other row passes."""
    if source_of(memory.kind) is not Source.DOCUMENT:
        return True
    tags = [tag for tag in memory.tags if tag.startswith(CATEGORY_PREFIX)]
    categories = {tag.removeprefix(CATEGORY_PREFIX) for tag in tags}
    granted = wanted.granted_categories
    return (
        memory.occurred_at <= now
        and (not wanted.document_categories or bool(categories & {*wanted.document_categories}))
        and (granted is None or bool(categories & granted))
    )
