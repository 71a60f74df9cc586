"""One copy of what several candidates say, with the refs of all.

Texts say the same where they are equal in their comparable form (`rendering.comparable`), the longer ones
(`text.substance`) but for marks between the words. One word that differs makes another statement. That is an equality,
so that no chain of small steps leads from one text to another."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from camillo_server.across.context.bundle import MAX_REFS, Candidate, ItemType
from camillo_server.across.context.pieces import Piece
from camillo_server.kernel.off_loop import yield_turn
from camillo_server.lib.text.substance import MIN_CHARACTERS

# The most other passages of its file that a passage is compared with.
_MAX_COMPARED_IN_FILE = 64
# Types that are never copies: given by the caller, always shown to the agent, or stored under a key or name.
_NEVER_A_COPY = (ItemType.VIEW, ItemType.GIVEN, ItemType.SLOT, ItemType.SKILL)


class Distinct(NamedTuple):
    """A candidate that stands for equal ones of its section. `key` is the same for equal ones of other sections."""

    candidate: Candidate
    piece: Piece
    key: int
    copies: Sequence[Candidate] = ()


_Named = tuple[str, Candidate, Piece]


def distinct(pools: Mapping[str, Sequence[tuple[Candidate, Piece]]]) -> dict[str, list[Distinct]]:
    """The candidates of each section in their order, each text once in a section."""
    named = [(name, candidate, piece) for name, pool in pools.items() for candidate, piece in pool]
    keys = _keys(named)
    groups: dict[int, list[_Named]] = defaultdict(list)
    for key, each in zip(keys, named, strict=True):
        groups[key].append(each)
    found: dict[str, list[Distinct]] = {name: [] for name in pools}
    for name, key in dict.fromkeys((each[0], key) for key, each in zip(keys, named, strict=True)):
        found[name].append(_merged(groups[key], name, key))
    return found


def _merged(group: Sequence[_Named], section: str, key: int) -> Distinct:
    """Merges copies into one: ground truth before derived, then the section's own, the best, the earliest."""
    if len(group) == 1:
        _, candidate, piece = group[0]
        return Distinct(candidate, piece, key)
    yield_turn()

    def rank(each: _Named) -> tuple[object, ...]:
        name, candidate, piece = each
        at = candidate.occurred_at.timestamp() if candidate.occurred_at else float("inf")
        return (
            candidate.is_derived,
            name != section,
            # A passage is shown in the longest one that contains it: nothing is lost.
            -len(piece.comparable) // 16 if candidate.path else 0,
            -candidate.score,
            at,
            candidate.refs,
        )

    ordered = sorted(group, key=rank)
    _, shown, piece = ordered[0]
    refs = dict.fromkeys(ref for _, candidate, _ in ordered for ref in candidate.refs)
    own = [candidate for name, candidate, _ in ordered if name == section]
    score = max(candidate.score for candidate in own)
    united = shown._replace(refs=tuple(refs)[:MAX_REFS], score=score)
    return Distinct(united, piece, key, tuple(candidate for candidate in own if candidate is not shown))


def _keys(named: Sequence[_Named]) -> list[int]:
    """A number for each candidate, equal for those that say the same."""
    groups = _Groups(len(named))
    first: dict[str, int] = {}
    for index, (_, candidate, piece) in enumerate(named):
        if candidate.type not in _NEVER_A_COPY:
            earlier = first.setdefault(piece.substance, index)
            if earlier != index:
                groups.join(earlier, index)
    for one, other in _part_pairs(named, first.values()):
        groups.join(one, other)
    return [groups.first(index) for index in range(len(named))]


def _part_pairs(named: Sequence[_Named], indices: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Pairs of passages of the same file, of which one stands whole in the other."""
    of_file: dict[str, list[int]] = defaultdict(list)
    for index in indices:
        if path := named[index][1].path:
            of_file[path].append(index)
    for of_one in of_file.values():
        if len(of_one) < 2:
            continue
        longest_first = sorted(of_one, key=lambda index: -len(named[index][2].substance))
        texts = [f" {named[index][2].substance} " for index in longest_first]
        for number, part in enumerate(texts):
            for whole in range(max(0, number - _MAX_COMPARED_IN_FILE), number):
                if part in texts[whole] and len(part) > MIN_CHARACTERS:
                    yield longest_first[whole], longest_first[number]
                    break


class _Groups:
    """Disjoint groups of indices, each known by its lowest one."""

    def __init__(self, count: int) -> None:
        self._parent = list(range(count))

    def first(self, index: int) -> int:
        while self._parent[index] != index:
            self._parent[index] = self._parent[self._parent[index]]
            index = self._parent[index]
        return index

    def join(self, one: int, other: int) -> None:
        one, other = self.first(one), self.first(other)
        self._parent[max(one, other)] = min(one, other)
