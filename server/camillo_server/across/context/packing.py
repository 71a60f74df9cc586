"""Packing: from candidates to a prompt that stays within its budget, and the account of it. Pure: equal in, equal
out."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

from camillo_server.across.context.bundle import (
    MAX_REFS,
    Candidate,
    Item,
    ItemType,
    Omission,
    OmissionReason,
    Packed,
    PackingEntry,
    PackingOutcome,
    Section,
    SectionBudget,
)
from camillo_server.across.context.filling import BudgetAllocation, Filled, Filler, take_back
from camillo_server.across.context.prepared_texts import Distinct, PreparedText, PreparedTexts
from camillo_server.across.context.recipe import Order, Overflow, Recipe, SectionSource
from camillo_server.across.context.rendering import (
    comparable,
    frame_tokens,
    free_tag,
    letter,
    long_numbers,
    notice,
    prompt_parts,
)
from camillo_server.kernel.off_loop import yield_turn
from camillo_server.lib.text.substance import MIN_CHARACTERS
from camillo_server.lib.text.tokens import TokenCounter

# The most other passages of its file that a passage is compared with.
_MAX_COMPARED_IN_FILE = 64
# Types that are never copies: given by the caller, always shown to the agent, or stored under a key or name.
_NEVER_A_COPY = (ItemType.VIEW, ItemType.GIVEN, ItemType.SLOT, ItemType.SKILL)
# Texts are counted one by one first, which is a little more than they take together. In a small bundle what that
# leaves free is worth a second round.
_SMALL = 16_384
_WORTHWHILE = 0.01
_OF_TURNS = (SectionSource.RECENT_EVENTS, SectionSource.GIVEN_TURNS)
# The tokens of a text that was cut before it was counted are estimated.
_CHARACTERS_OF_A_TOKEN = 4
# Reasons that are reported item by item; the others are reported for the section as a whole.
_ONE_BY_ONE = (OmissionReason.TRIMMED, OmissionReason.DUPLICATE)


@dataclass(frozen=True, slots=True)
class PackingOrder:
    """The input of packing: candidates by section, the most important first. `seed` makes fences differ from scope to
    scope."""

    recipe: Recipe
    total: int
    pools: Mapping[str, Sequence[Candidate]]
    seed: str
    is_explained: bool = False


def pack(order: PackingOrder, counter: TokenCounter, prepared_texts: PreparedTexts | None = None) -> Packed:
    """Packs a bundle, with what is prepared of its texts already. Raises BudgetTooSmall if sections that are never cut
    do not fit."""
    recipe = order.recipe
    of = (prepared_texts or PreparedTexts()).of
    found = {name: [(each, of(each)) for each in pool] for name, pool in order.pools.items()}
    tag = _fence_tag(order.seed, recipe, [prepared for pool in found.values() for _, prepared in pool])
    pools = distinct(found)
    # Each text is counted once, by its section's filler.
    fillers = {section.name: Filler(section, pools.get(section.name, ()), tag, counter) for section in recipe.sections}
    has_fences = any(filler.has_fences for filler in fillers.values())
    overhead = frame_tokens(counter, notice(tag), "") if has_fences else 0
    allocation = BudgetAllocation(recipe, fillers, order.total, overhead)
    filled = allocation.best()
    packed = _packed(filled, recipe, tag, counter)
    limit = allocation.limit
    if _is_worth_another_round(filled, limit, packed.tokens):
        counted = sum(each.tokens for each in filled) + overhead
        slack = int(limit * counted / packed.tokens) - limit
        filled = allocation.best(max(0, slack))
        packed = _packed(filled, recipe, tag, counter)
    while packed.tokens > limit:
        if not take_back(filled, packed.tokens - limit):
            kept = (each for each in filled if each.section.overflow is Overflow.KEEP)
            raise allocation.too_small({each.section.name: each.tokens for each in kept})
        packed = _packed(filled, recipe, tag, counter)
    return replace(
        packed,
        omissions=tuple(omission for each in filled for omission in _omissions(each)),
        budgets=tuple(_budgets(filled, recipe, allocation.reserved)),
        entries=tuple(entry for each in filled for entry in _entries(each)) if order.is_explained else (),
    )


def _fence_tag(seed: str, recipe: Recipe, stored: Sequence[PreparedText]) -> str:
    titles = _titles(tuple(section.title for section in recipe.sections))
    numbers = [each.digits for each in stored if each.digits] + [titles.digits]

    def compared() -> Iterator[str]:
        for each in stored:
            yield from each.compared()
        yield from titles.compared

    return free_tag(seed, numbers, compared)


class _Titles(NamedTuple):
    compared: Sequence[str]
    digits: str


@lru_cache(maxsize=1_024)
def _titles(titles: tuple[str, ...]) -> _Titles:
    """The titles of a recipe's sections in the form in which texts are compared, and the long numbers in them."""
    compared = [comparable(title) for title in titles]
    return _Titles(compared, "\n".join(number for title in compared for number in long_numbers(title)))


def _is_worth_another_round(filled: Sequence[Filled], limit: int, tokens: int) -> bool:
    is_short = any(each.is_short for each in filled)
    return is_short and limit <= _SMALL and 0 < tokens < (1 - _WORTHWHILE) * limit


def _packed(filled: Sequence[Filled], recipe: Recipe, tag: str, counter: TokenCounter) -> Packed:
    """The prompt of these sections, the account of it still missing."""
    by_name = {each.section.name: each for each in filled if each.kept}
    numbers: Counter[str] = Counter()
    sections, shown = [], []
    for section in recipe.sections:
        each = by_name.get(section.name)
        if each is None:
            continue
        items = _labelled(each, numbers)
        shown.append((section, items))
        sections.append(
            Section(
                name=section.name,
                title=section.title,
                items=items,
                tokens=each.tokens,
                budget_tokens=each.allowed,
                is_stable=section.is_stable,
            )
        )
    parts = prompt_parts(shown, tag)
    return Packed("".join(part.text for part in parts), counter.count_joined(parts), sections)


def _labelled(filled: Filled, numbers: Counter[str]) -> Sequence[Item]:
    """The items in the order of the section, with labels that no other item of the bundle has."""
    first = letter(filled.section.source)
    ordered = _ordered(filled)
    if not first:
        return ordered
    begin = numbers[first] + 1
    numbers[first] += len(ordered)
    return [
        Item._make((candidate, text, tokens, f"{first}{number}", *rest))
        for number, (candidate, text, tokens, _, *rest) in enumerate(ordered, begin)
    ]


def _ordered(filled: Filled) -> Sequence[Item]:
    """The kept items as the section shows them."""
    order = filled.section.order
    if filled.section.source in _OF_TURNS:
        # Turns come newest first: in the order of recording, whatever the clocks said. The condensed item is older than
        # all of them.
        newest_first = sorted(filled.kept, key=lambda item: item.candidate.type is ItemType.CONDENSED)
        return newest_first[::-1] if order is Order.OLDEST_FIRST else newest_first
    if order is Order.BEST_FIRST:
        return sorted(filled.kept, key=lambda item: -item.candidate.score)
    if order is Order.AS_FOUND:
        return list(filled.kept)
    oldest_first = sorted(filled.kept, key=_moment)
    return oldest_first if order is Order.OLDEST_FIRST else oldest_first[::-1]


def _moment(item: Item) -> float:
    at = item.candidate.occurred_at
    return at.timestamp() if at else 0.0


def _budgets(filled: Sequence[Filled], recipe: Recipe, reserved: int) -> Iterator[SectionBudget]:
    """The budgets of the sections in the order of filling, the reserve at the end."""
    for each in filled:
        yield SectionBudget(
            section=each.section.name,
            priority=each.section.priority,
            share=each.share,
            received=max(0, each.allowed - each.share),
            used=each.tokens,
            candidates=each.candidates,
            kept=len(each.kept),
        )
    for section in recipe.sections:
        if section.source is SectionSource.RESERVE:
            yield SectionBudget(section.name, section.priority, reserved, 0, 0, 0, 0)


def _omissions(filled: Filled) -> Iterator[Omission]:
    """The cut outputs of tools of a section, its trimmed and duplicate items, then all that was left out, by reason."""
    name = filled.section.name
    trimmed = {id(item.candidate): item.tokens for item in filled.kept if item.is_trimmed}
    for item in filled.kept:
        refs, artifact_id = item.refs, item.candidate.truncated_artifact_id
        if artifact_id:
            yield Omission(OmissionReason.TRUNCATED_TOOL_OUTPUT, name, refs, 0, artifact_id)
        if item.candidate.cut_characters:
            tokens = item.candidate.cut_characters // _CHARACTERS_OF_A_TOKEN
            yield Omission(OmissionReason.TRIMMED, name, refs, tokens, artifact_id)
        if item.copies:
            tokens = item.tokens * len(item.copies)
            yield Omission(OmissionReason.DUPLICATE, name, _own_ids(item.copies), tokens)
    by_reason: dict[OmissionReason, list[Item]] = defaultdict(list)
    for item, reason in filled.left:
        if reason in _ONE_BY_ONE:
            candidate = item.candidate
            tokens = max(0, item.tokens - trimmed.get(id(candidate), 0))
            artifact_id = candidate.truncated_artifact_id
            yield Omission(reason, name, candidate.refs, tokens, artifact_id)
        else:
            by_reason[reason].append(item)
    for reason, items in sorted(by_reason.items()):
        own_ids = _own_ids([item.candidate for item in items])
        tokens = sum(item.tokens for item in items)
        yield Omission(reason, name, own_ids, tokens, items=len(items))


def _entries(filled: Filled) -> Iterator[PackingEntry]:
    """The outcome for every candidate of a section."""
    name = filled.section.name
    dropped, duplicate = PackingOutcome.DROPPED, OmissionReason.DUPLICATE
    for item in filled.kept:
        if item.candidate.cut_characters:
            yield _entry(name, item, PackingOutcome.TRIMMED, OmissionReason.TRIMMED)
        elif not item.is_trimmed:
            yield _entry(name, item, PackingOutcome.KEPT, None)
        for copy in item.copies:
            ref = copy.refs[0] if copy.refs else ""
            yield PackingEntry(name, ref, dropped, duplicate, item.tokens, copy.score, copy.agent_id)
    for item, reason in filled.left:
        is_trimmed = reason is OmissionReason.TRIMMED
        yield _entry(name, item, PackingOutcome.TRIMMED if is_trimmed else dropped, reason)


def _entry(section: str, item: Item, outcome: PackingOutcome, reason: OmissionReason | None) -> PackingEntry:
    refs = item.refs
    ref = refs[0] if refs else section
    return PackingEntry(section, ref, outcome, reason, item.tokens, item.candidate.score, item.candidate.agent_id)


def _own_ids(candidates: Sequence[Candidate]) -> Sequence[str]:
    """The own ids of these, which come first in their refs."""
    own = dict.fromkeys(candidate.refs[0] for candidate in candidates if candidate.refs)
    return tuple(own)[:MAX_REFS]


_Named = tuple[str, Candidate, PreparedText]


def distinct(pools: Mapping[str, Sequence[tuple[Candidate, PreparedText]]]) -> dict[str, list[Distinct]]:
    """The candidates of each section in their order, each text once in a section, with the refs of all copies.

    Texts say the same where they are equal in their comparable form (`rendering.comparable`), the longer ones
    (`text.substance`) but for marks between the words. One word that differs makes another statement. That is an
    equality, so that no chain of small steps leads from one text to another."""
    named = [(name, candidate, prepared) for name, pool in pools.items() for candidate, prepared in pool]
    keys = _keys(named)
    found: dict[str, list[Distinct]] = {name: [] for name in pools}
    if keys is None:
        for key, (name, candidate, prepared) in enumerate(named):
            found[name].append(Distinct(candidate, prepared, key))
        return found
    groups: dict[int, list[_Named]] = defaultdict(list)
    for key, each in zip(keys, named, strict=True):
        groups[key].append(each)
    for name, key in dict.fromkeys((each[0], key) for key, each in zip(keys, named, strict=True)):
        found[name].append(_merged(groups[key], name, key))
    return found


def _merged(group: Sequence[_Named], section: str, key: int) -> Distinct:
    """Merges copies into one: ground truth before derived, then the section's own, the best, the earliest."""
    if len(group) == 1:
        _, candidate, prepared = group[0]
        return Distinct(candidate, prepared, key)
    yield_turn()

    def rank(each: _Named) -> tuple[object, ...]:
        name, candidate, prepared = each
        at = candidate.occurred_at.timestamp() if candidate.occurred_at else float("inf")
        return (
            candidate.is_derived,
            name != section,
            # A passage is shown in the longest one that contains it: nothing is lost.
            -prepared.size // 16 if candidate.path else 0,
            -candidate.score,
            at,
            candidate.refs,
        )

    ordered = sorted(group, key=rank)
    _, shown, prepared = ordered[0]
    refs = dict.fromkeys(ref for _, candidate, _ in ordered for ref in candidate.refs)
    own = [candidate for name, candidate, _ in ordered if name == section]
    score = max(candidate.score for candidate in own)
    united = shown._replace(refs=tuple(refs)[:MAX_REFS], score=score)
    return Distinct(united, prepared, key, tuple(candidate for candidate in own if candidate is not shown))


def _keys(named: Sequence[_Named]) -> list[int] | None:
    """A number for each candidate, equal for those that say the same; None where no two do."""
    first: dict[str, int] = {}
    pairs: list[tuple[int, int]] = []
    for index, (_, candidate, prepared) in enumerate(named):
        if candidate.type not in _NEVER_A_COPY:
            earlier = first.setdefault(prepared.substance, index)
            if earlier != index:
                pairs.append((earlier, index))
    pairs += _part_pairs(named, first.values())
    if not pairs:
        return None
    groups = _Groups(len(named))
    for one, other in pairs:
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
