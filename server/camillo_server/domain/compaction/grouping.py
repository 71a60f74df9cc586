"""Which memories are put together."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from camillo_server.domain.compaction.compaction import CompactionReason
from camillo_server.domain.compaction.merging import pieces
from camillo_server.domain.compaction.near_duplicates import Comparable, near_duplicates
from camillo_server.domain.ids import MemoryId
from camillo_server.domain.memory import Memory, MemoryKind

# Instructions and preferences are asked for as what they are, and a summary stands for others already.
KINDS = (
    MemoryKind.FACT,
    MemoryKind.CONVERSATION,
    MemoryKind.TASK_OUTCOME,
    MemoryKind.DECISION,
    MemoryKind.ERROR,
)


@dataclass(frozen=True, slots=True)
class Group:
    """Memories that are to become one, in the order of time; for near-duplicates without a tag."""

    reason: CompactionReason
    tag: str
    sources: Sequence[Memory]


@dataclass(frozen=True, slots=True)
class Groupable:
    """What groups are made of: the memories compared with each other, those of the tags that have too many, and these tags
    with how many are too many. Both in the order of time."""

    compared: Comparable
    likeness: float
    tagged: Sequence[Memory]
    tags: Sequence[str]
    tag_threshold: int


def groups(found: Groupable) -> Iterator[Group]:
    """Near-duplicates first, since a tag may have few enough without them; each memory in one group at most."""
    used: set[MemoryId] = set()
    for alike in near_duplicates(found.compared, found.likeness):
        for piece in pieces(_in_order(alike)):
            used.update(memory.memory_id for memory in piece)
            yield Group(CompactionReason.NEAR_DUPLICATE, "", piece)
    yield from _of_tags(found, used)


def _of_tags(found: Groupable, used: set[MemoryId]) -> Iterator[Group]:
    """The tag with the most memories first."""
    of_tag: defaultdict[str, list[Memory]] = defaultdict(list)
    for memory in found.tagged:
        for tag in set(memory.tags):
            of_tag[tag].append(memory)
    for tag in sorted(found.tags, key=lambda tag: (-len(of_tag[tag]), tag)):
        left = [memory for memory in of_tag[tag] if memory.memory_id not in used]
        if len(left) <= found.tag_threshold:
            continue
        for alike in _of_one_fate(left):
            for piece in pieces(_in_order(alike)):
                used.update(memory.memory_id for memory in piece)
                yield Group(CompactionReason.TAG, tag, piece)


def _of_one_fate(memories: Sequence[Memory]) -> Iterator[Sequence[Memory]]:
    """Memories of one sensitivity, those that expire apart from those that never do: nothing passing is kept for good."""
    fates: defaultdict[tuple[int, bool], list[Memory]] = defaultdict(list)
    for memory in memories:
        fates[memory.sensitivity, memory.expires_at is None].append(memory)
    yield from (fates[fate] for fate in sorted(fates))


def _in_order(memories: Sequence[Memory]) -> Sequence[Memory]:
    return sorted(memories, key=lambda memory: (memory.occurred_at, memory.memory_id))
