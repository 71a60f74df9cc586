"""One copy of what several candidates say, with the refs of all."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from camillo_server.context.bundle import MAX_REFS, Candidate, ItemType
from camillo_server.context.rendering import comparable
from camillo_server.context.similarity import TextSimilarity

# Within one file, each passage is compared with so many others at most.
_MAX_PER_FILE = 64
# What a caller says now, and what an agent is always shown, is nobody's copy.
_NEVER_A_COPY = (ItemType.VIEW, ItemType.GIVEN)


@dataclass(frozen=True, slots=True)
class Distinct:
    """A candidate that stands for equal ones of its section. `key` is the same for equal ones of other sections."""

    candidate: Candidate
    key: int
    copies: Sequence[Candidate] = ()


def distinct(pools: Mapping[str, Sequence[Candidate]]) -> dict[str, list[Distinct]]:
    """The candidates of each section in their order, each text once in a section."""
    places = [(name, candidate) for name, pool in pools.items() for candidate in pool]
    keys = _keys([candidate for _, candidate in places])
    groups: dict[int, list[tuple[str, Candidate]]] = defaultdict(list)
    for key, place in zip(keys, places, strict=True):
        groups[key].append(place)
    found: dict[str, list[Distinct]] = {name: [] for name in pools}
    seen: set[tuple[str, int]] = set()
    for key, (name, candidate) in zip(keys, places, strict=True):
        if (name, key) not in seen:
            seen.add((name, key))
            group = groups[key]
            alone = Distinct(candidate, key)
            found[name].append(alone if len(group) == 1 else _put_together(group, name, key))
    return found


def _put_together(group: Sequence[tuple[str, Candidate]], section: str, key: int) -> Distinct:
    """Ground truth before what was derived, then the best, then the earliest; preferably of the section itself."""

    def rank(each: tuple[str, Candidate]) -> tuple[object, ...]:
        name, candidate = each
        at = candidate.occurred_at.timestamp() if candidate.occurred_at else float("inf")
        return (
            candidate.is_derived,
            name != section,
            # Of a passage and what holds it, nothing of the longer one is lost.
            -len(comparable(candidate.text)) // 16 if candidate.path else 0,
            -candidate.score,
            at,
            candidate.refs,
        )

    ordered = sorted(group, key=rank)
    shown = ordered[0][1]
    refs = dict.fromkeys(ref for _, candidate in ordered for ref in candidate.refs)
    own = [candidate for name, candidate in ordered if name == section]
    united = replace(
        shown, refs=tuple(refs)[:MAX_REFS], score=max(candidate.score for candidate in own)
    )
    return Distinct(united, key, tuple(candidate for candidate in own if candidate is not shown))


def _keys(candidates: Sequence[Candidate]) -> list[int]:
    """A number for each candidate, equal for those that say the same."""
    own = [each.type in _NEVER_A_COPY for each in candidates]
    # Never looked at where it is nobody's copy, and that may be millions of characters.
    texts = ["" if own[place] else comparable(each.text) for place, each in enumerate(candidates)]
    groups = _Groups(len(candidates))
    first: dict[str, int] = {}
    for place, text in enumerate(texts):
        if not own[place]:
            groups.join(first.setdefault(text, place), place)
    different = sorted(first.values())
    similarity = TextSimilarity([texts[place] for place in different])
    for one, other in similarity.pairs():
        groups.join(different[one], different[other])
    for one, other in _held(similarity, [candidates[place].path for place in different]):
        groups.join(different[one], different[other])
    return [groups.first(place) for place in range(len(candidates))]


def _held(similarity: TextSimilarity, paths: Sequence[str]) -> list[tuple[int, int]]:
    """Pairs of passages of the same file, of which one holds the other."""
    of_file: dict[str, list[int]] = defaultdict(list)
    for place, path in enumerate(paths):
        if path:
            of_file[path].append(place)
    found = []
    for places in of_file.values():
        longest_first = sorted(places, key=lambda place: -similarity.length(place))
        for number, shorter in enumerate(longest_first):
            for longer in longest_first[max(0, number - _MAX_PER_FILE) : number]:
                if similarity.holds(longer, shorter):
                    found.append((longer, shorter))
                    break
    return found


class _Groups:
    """Disjoint groups of places, named by their first one."""

    def __init__(self, count: int) -> None:
        self._parent = list(range(count))

    def first(self, place: int) -> int:
        while self._parent[place] != place:
            self._parent[place] = self._parent[self._parent[place]]
            place = self._parent[place]
        return place

    def join(self, one: int, other: int) -> None:
        one, other = self.first(one), self.first(other)
        self._parent[max(one, other)] = min(one, other)
