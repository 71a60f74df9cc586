"""Packing: from candidates to a prompt that stays within its budget, and the account of it. Pure: equal in, equal
out."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

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
from camillo_server.across.context.deduplication import distinct
from camillo_server.across.context.filling import BudgetAllocation, Filled, Filler, take_back
from camillo_server.across.context.pieces import Pieces
from camillo_server.across.context.recipe import Order, Overflow, Recipe, SectionSource
from camillo_server.across.context.rendering import (
    comparable,
    frame_tokens,
    free_tag,
    letter,
    notice,
    prompt_parts,
)
from camillo_server.lib.text.tokens import TokenCounter

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


def pack(order: PackingOrder, counter: TokenCounter, pieces: Pieces | None = None) -> Packed:
    """Packs a bundle. `pieces`: those made before. Raises BudgetTooSmall if sections that are never cut do not fit."""
    recipe = order.recipe
    of = (pieces or Pieces()).of
    found = {name: [(each, of(each)) for each in pool] for name, pool in order.pools.items()}
    stored = (piece for pool in found.values() for _, piece in pool)
    compared = [text for each in stored for text in (each.comparable, each.comparable_lead)]
    compared += [comparable(section.title) for section in recipe.sections]
    tag = free_tag(order.seed, compared)
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
    return [item._replace(label=f"{first}{number}") for number, item in enumerate(ordered, begin)]


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
            yield PackingEntry(name, ref, dropped, duplicate, item.tokens, copy.score)
    for item, reason in filled.left:
        is_trimmed = reason is OmissionReason.TRIMMED
        yield _entry(name, item, PackingOutcome.TRIMMED if is_trimmed else dropped, reason)


def _entry(section: str, item: Item, outcome: PackingOutcome, reason: OmissionReason | None) -> PackingEntry:
    refs = item.refs
    ref = refs[0] if refs else section
    return PackingEntry(section, ref, outcome, reason, item.tokens, item.candidate.score)


def _own_ids(candidates: Sequence[Candidate]) -> Sequence[str]:
    """The own ids of these, which come first in their refs."""
    own = dict.fromkeys(candidate.refs[0] for candidate in candidates if candidate.refs)
    return tuple(own)[:MAX_REFS]
