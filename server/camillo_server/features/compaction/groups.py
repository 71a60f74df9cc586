"""Finds the groups of a scope that could be put together; the number of memories that it reads is bounded."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from camillo_server.features.compaction.compaction import (
    MAX_COMPACTIONS,
    MAX_SOURCES,
    CompactionReason,
    Criteria,
)
from camillo_server.features.compaction.guard import figures, plain
from camillo_server.features.compaction.merging import fitting_runs
from camillo_server.features.compaction.store.compactions import CompactionStore
from camillo_server.kernel.ids import MemoryId
from camillo_server.kernel.off_loop import UNBOUNDED, off_loop
from camillo_server.kernel.scope import Scope
from camillo_server.lib.text.differences import Difference, compare, tokens
from camillo_server.lib.text.substance import decisive_words, differ
from camillo_server.models.embedding.embedder import Embedder
from camillo_server.rows.row import NewRow, Row
from camillo_server.settings.lifecycle import CompactionSettings

Rows = NDArray[np.float32]
# Rows compared at once: against 10,000 others, 20 MB of cosines.
_BLOCK = 512
# The rounding error of a vector's cosine with itself, in single precision.
_ROUNDING = 1e-6
# More than one call takes: those that were refused lately come last.
_MAX_GROUPS = 10 * MAX_COMPACTIONS
# Pairs of texts whose words are compared in one call, a third of a millisecond each: what is nearly the same ten
# thousand times over is put together in several calls.
_MAX_PAIRS = 20_000


@dataclass(frozen=True, slots=True)
class Comparable:
    """Memories with what they are compared by: two that both have a vector of one model, by these; any others by
    vectors made of their words alone. Rows of unit length in the order of the memories, zeros where there is none."""

    memories: Sequence[Row]
    vectors: Rows
    model_ids: Sequence[str]
    words: Rows | None


def near_duplicates(compared: Comparable, likeness: float) -> Iterator[Sequence[Row]]:
    """Groups of 2 to 64 in the order of their first ones; each is like the first of its group, so that no chain of
    small steps leads from one thing to another, and no two differ in anything that decides. The same groups for the
    same memories in the same order."""
    classes = _codes([_class_of(memory) for memory in compared.memories])
    pairs = Pairs(_MAX_PAIRS)
    models = _codes(compared.model_ids)
    grouped = np.zeros(len(compared.memories), np.bool_)
    for begin in range(0, len(compared.memories), _BLOCK):
        alike = _alike(compared, models, slice(begin, begin + _BLOCK), likeness)
        of_one_class = np.equal(classes[begin : begin + _BLOCK, None], classes[None, begin:])
        alike &= of_one_class
        for row in range(len(alike)):
            first = begin + row
            if grouped[first]:
                continue
            others = first + 1 + np.flatnonzero(alike[row, row + 1 :] & ~grouped[first + 1 :])
            group = pairs.agreeing([first, *others.tolist()], compared.memories)
            if len(group) > 1:
                grouped[group] = True
                yield [compared.memories[index] for index in group]


class Pairs:
    """Compares the words of so many pairs of texts; those beyond count as different, unless they are equal."""

    def __init__(self, most: int) -> None:
        self._left = most

    def agreeing(self, indices: Sequence[int], memories: Sequence[Row]) -> list[int]:
        """The first of these, and up to 63 of the others of which no two differ."""
        group = [indices[0]]
        for index in indices[1:]:
            if len(group) == MAX_SOURCES:
                break
            text = memories[index].content
            if not any(self._differ(text, memories[each].content) for each in group):
                group.append(index)
        return group

    def _differ(self, one: str, other: str) -> bool:
        if one == other:
            return False
        self._left -= 1
        return self._left < 0 or differ(one, other)


def _class_of(memory: Row) -> tuple[object, ...]:
    """The same for all that could be put together."""
    content = memory.content
    return memory.sensitivity, frozenset(figures(plain(content))), decisive_words(content)


def _alike(compared: Comparable, models: NDArray[np.intp], rows: slice, likeness: float) -> NDArray[np.bool_]:
    """Whether each of these rows is like each one from the first of them on."""
    cosines = compared.vectors[rows] @ compared.vectors[rows.start :].T
    if compared.words is not None:
        has_vector = np.array([bool(each) for each in compared.model_ids])
        both = np.logical_and(has_vector[rows, None], has_vector[None, rows.start :])
        of_one_model = np.equal(models[rows, None], models[None, rows.start :])
        by_words = compared.words[rows] @ compared.words[rows.start :].T
        cosines = np.where(both & of_one_model, cosines, by_words)
    alike: NDArray[np.bool_] = cosines >= np.float32(likeness - _ROUNDING)
    return alike


def _codes(values: Sequence[object]) -> NDArray[np.intp]:
    """A number for each value, the same for equal ones."""
    numbers: dict[object, int] = {}
    return np.array([numbers.setdefault(value, len(numbers)) for value in values], np.intp)


@dataclass(frozen=True, slots=True)
class Group:
    """Memories that are to become one, in the order of time; for near-duplicates without a tag."""

    reason: CompactionReason
    tag: str
    sources: Sequence[Row]


@dataclass(frozen=True, slots=True)
class Groupable:
    """The input of grouping: the memories compared with each other, those of the tags that have too many, and these
    tags with how many are too many. Both in the order of time."""

    compared: Comparable
    likeness: float
    tagged: Sequence[Row]
    tags: Sequence[str]
    tag_threshold: int


def groups(candidates: Groupable) -> Iterator[Group]:
    """Near-duplicates first, since a tag may have few enough without them; each memory in one group at most."""
    used: set[MemoryId] = set()
    for alike in near_duplicates(candidates.compared, candidates.likeness):
        for run in fitting_runs(_in_order(alike)):
            used.update(memory.memory_id for memory in run)
            yield Group(CompactionReason.NEAR_DUPLICATE, "", run)
    yield from _of_tags(candidates, used)


def _of_tags(candidates: Groupable, used: set[MemoryId]) -> Iterator[Group]:
    """The tag with the most memories first."""
    of_tag: defaultdict[str, list[Row]] = defaultdict(list)
    for memory in candidates.tagged:
        for tag in set(memory.tags):
            of_tag[tag].append(memory)
    for tag in sorted(candidates.tags, key=lambda tag: (-len(of_tag[tag]), tag)):
        left = [memory for memory in of_tag[tag] if memory.memory_id not in used]
        if len(left) <= candidates.tag_threshold:
            continue
        for alike in _of_one_lifetime(left):
            for run in map(without_contradictions, fitting_runs(_in_order(alike))):
                if len(run) < 2:
                    continue
                used.update(memory.memory_id for memory in run)
                yield Group(CompactionReason.TAG, tag, run)


def without_contradictions(run: Sequence[Row]) -> Sequence[Row]:
    """Memories that no other one contradicts: which of two is right has to be settled first."""
    words = [frozenset(token.text for token in tokens(memory.content)) for memory in run]
    left = set(range(len(run)))
    for index, own in enumerate(words):
        for other in range(index):
            # Contradicting texts have at least half of their words in common.
            if 3 * len(own & words[other]) < len(own | words[other]):
                continue
            found = compare(run[index].content, run[other].content, is_one_session=True)
            if found and Difference.NEGATION in found.differences:
                left -= {index, other}
    return [memory for index, memory in enumerate(run) if index in left]


def _of_one_lifetime(memories: Sequence[Row]) -> Iterator[Sequence[Row]]:
    """Memories of one sensitivity, those that expire apart from those that never do: nothing passing is kept for
    good."""
    lifetimes: defaultdict[tuple[int, bool], list[Row]] = defaultdict(list)
    for memory in memories:
        lifetimes[memory.sensitivity, memory.expires_at is None].append(memory)
    yield from (lifetimes[key] for key in sorted(lifetimes))


def _in_order(memories: Sequence[Row]) -> Sequence[Row]:
    return sorted(memories, key=lambda memory: (memory.occurred_at, memory.memory_id))


class FindGroups:
    """Looks at the newest memories for near-duplicates, and at the tags that have too many."""

    def __init__(self, store: CompactionStore, words: Embedder, defaults: CompactionSettings) -> None:
        """`words` makes vectors without a model, for memories that have none; `defaults` hold for what criteria leave
        open."""
        self._store = store
        self._words = words
        self._defaults = defaults

    async def __call__(self, scope: Scope, criteria: Criteria, now: datetime) -> Sequence[Group]:
        """The same groups in the same order for the same memories. Raises StorageUnavailable, KeyMissing."""
        threshold = criteria.tag_threshold or self._defaults.tag_threshold
        rows: Sequence[NewRow] = ()
        tags: Sequence[str] = ()
        tagged: Sequence[Row] = ()
        if not criteria.skip_near_duplicates:
            rows = await self._store.newest(scope, criteria.tags, now=now)
        if not criteria.skip_tags:
            tags, tagged = await self._store.tagged(scope, criteria.tags, threshold, now=now)
        candidates = Groupable(
            compared=await self._comparable(rows),
            likeness=criteria.likeness or self._defaults.likeness,
            tagged=tagged,
            tags=tags,
            tag_threshold=threshold,
        )
        return await off_loop(UNBOUNDED, lambda: list(islice(groups(candidates), _MAX_GROUPS)))

    async def _comparable(self, rows: Sequence[NewRow]) -> Comparable:
        memories = [row.memory for row in rows]
        model_ids = [row.vector.model_id if row.vector else "" for row in rows]
        words = None
        # Vectors of several models are compared by none of them.
        if "" in model_ids or len(set(model_ids)) > 1:
            words = await self._words.embed([memory.content for memory in memories])
        return Comparable(memories, _stacked(rows), model_ids, words)


def _stacked(rows: Sequence[NewRow]) -> Rows:
    """Their vectors in the length of the longest, zeros where there is none."""
    longest = max((row.vector.values.size for row in rows if row.vector), default=1)
    stacked = np.zeros((len(rows), longest), np.float32)
    for index, row in enumerate(rows):
        if row.vector:
            stacked[index, : row.vector.values.size] = row.vector.values
    return stacked
