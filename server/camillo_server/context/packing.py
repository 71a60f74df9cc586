"""Packing: from candidates to a prompt that stays within its budget, and the account of it. Pure: equal in, equal out."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from camillo_server.context.budget_allocation import (
    Allocation,
    BudgetAllocation,
    take_back,
    too_small,
)
from camillo_server.context.bundle import Candidate, Item, ItemType, Packed, Section
from camillo_server.context.deduplication import Distinct, distinct
from camillo_server.context.filling import Filled, Filler, Piece
from camillo_server.context.packing_report import budgets, entries, omissions
from camillo_server.context.recipe import Order, Overflow, Recipe, SectionRecipe, SectionSource
from camillo_server.context.rendering import (
    UNFENCED,
    closed,
    fence_tag,
    letter,
    notice,
    opened,
    prompt,
)
from camillo_server.text.tokens import TokenCounter

# Texts are counted one by one first, which is a little more than they take together. In a small bundle what that
# leaves free is worth a second round.
_SMALL = 16_384
_WORTHWHILE = 0.01
_SPARE_CANDIDATES = 20
_OF_TURNS = (SectionSource.RECENT_EVENTS, SectionSource.GIVEN_TURNS)


@dataclass(frozen=True, slots=True)
class PackingOrder:
    """What is to be packed: candidates by section, the most important first. `seed` makes fences differ from scope to scope."""

    recipe: Recipe
    total: int
    pools: Mapping[str, Sequence[Candidate]]
    seed: str
    is_explained: bool = False


@dataclass(frozen=True, slots=True)
class _Rendered:
    sections: Sequence[Section]
    prompt: str
    tokens: int


def pack(order: PackingOrder, counter: TokenCounter) -> Packed:
    """Raises BudgetTooSmall where what may not be cut does not fit."""
    return _Packing(order, counter).packed()


class _Packing:
    """One packing, whose texts are counted once."""

    def __init__(self, order: PackingOrder, counter: TokenCounter) -> None:
        self._order = order
        self._counter = counter
        pools = order.pools.values()
        stored = (text for pool in pools for each in pool for text in (each.text, each.lead))
        titles = (section.title for section in order.recipe.sections)
        self._tag = fence_tag(order.seed, (*stored, *titles))
        self._fillers = self._prepared()
        has_fences = any(
            filler.pieces and filler.section.source not in UNFENCED
            for filler in self._fillers.values()
        )
        self._overhead = counter.count(notice(self._tag)) if has_fences else 0

    def packed(self) -> Packed:
        """What comes of it."""
        order = self._order
        allocation = BudgetAllocation(order.recipe, self._fillers, order.total, self._overhead)
        allocations = allocation.best()
        rendered = self._rendered(allocations)
        limit = order.total - allocation.reserved
        if self._is_worth_another_round(allocations, limit, rendered.tokens):
            counted = sum(each.filled.tokens for each in allocations) + self._overhead
            slack = int(limit * counted / rendered.tokens) - limit
            allocations = allocation.best(max(0, slack))
            rendered = self._rendered(allocations)
        while rendered.tokens > limit:
            if not take_back(allocations, rendered.tokens - limit):
                raise self._too_small(allocations)
            rendered = self._rendered(allocations)
        return Packed(
            prompt=rendered.prompt,
            tokens=rendered.tokens,
            sections=rendered.sections,
            omissions=omissions(allocations),
            budgets=budgets(allocations, order.recipe, allocation.reserved),
            entries=entries(allocations) if order.is_explained else (),
        )

    def _prepared(self) -> dict[str, Filler]:
        pools = distinct(self._order.pools)
        fillers = {}
        for section in self._order.recipe.sections:
            frame = opened(section, self._tag), closed(section, self._tag)
            label = f"[{letter(section.source)}100] " if letter(section.source) else ""
            bare = Filler(
                section,
                (),
                sum(map(self._counter.count, frame)),
                self._counter.count(label),
                self._counter,
            )
            pieces = [
                bare.piece(each.candidate, each.key, each.copies)
                for each in _enough(section, pools.get(section.name, ()))
            ]
            shown = tuple(piece for piece in pieces if piece.text.strip())
            fillers[section.name] = Filler(
                section, shown, bare.frame, bare.label_tokens, self._counter
            )
        return fillers

    def _is_worth_another_round(
        self, allocations: Sequence[Allocation], limit: int, tokens: int
    ) -> bool:
        is_short = any(each.filled.is_short for each in allocations)
        return is_short and limit <= _SMALL and 0 < tokens < (1 - _WORTHWHILE) * limit

    def _rendered(self, allocations: Sequence[Allocation]) -> _Rendered:
        by_name = {each.filled.section.name: each for each in allocations}
        numbers: Counter[str] = Counter()
        sections, shown = [], []
        for section in self._order.recipe.sections:
            each = by_name.get(section.name)
            if each is None or not each.filled.kept:
                continue
            items = self._items(each.filled, numbers)
            shown.append((section, items))
            sections.append(
                Section(
                    name=section.name,
                    title=section.title,
                    items=items,
                    tokens=each.filled.tokens,
                    budget_tokens=each.allowed,
                    is_stable=section.is_stable,
                )
            )
        text = prompt(shown, self._tag)
        return _Rendered(sections, text, self._counter.count(text))

    def _items(self, filled: Filled, numbers: Counter[str]) -> list[Item]:
        """In the order of the section, with labels that no other item of the bundle has."""
        first = letter(filled.section.source)
        items = []
        for piece in shown_order(filled):
            numbers[first] += 1
            label = f"{first}{numbers[first]}" if first else ""
            items.append(
                Item(
                    candidate=piece.candidate,
                    text=piece.text,
                    label=label,
                    refs=piece.candidate.refs,
                    tokens=piece.tokens,
                    is_trimmed=piece.is_trimmed,
                )
            )
        return items

    def _too_small(self, allocations: Sequence[Allocation]) -> Exception:
        needed = {
            each.filled.section.name: each.filled.tokens
            for each in allocations
            if each.filled.section.overflow is Overflow.KEEP
        }
        return too_small(self._order.recipe, self._order.total, needed)


def _enough(section: SectionRecipe, pool: Sequence[Distinct]) -> Sequence[Distinct]:
    """Of what a recall found, some more than it may show."""
    is_recall = section.source is SectionSource.RECALL
    return pool[: section.limits[0] + _SPARE_CANDIDATES] if is_recall else pool


def shown_order(filled: Filled) -> list[Piece]:
    """The kept pieces as the section shows them."""
    order = filled.section.order
    if filled.section.source in _OF_TURNS:
        # Newest first as they come: their order is that of recording, whatever the clocks said.
        few_words = [p for p in filled.kept if p.candidate.type is ItemType.CONDENSED]
        newest_first = [
            p for p in filled.kept if p.candidate.type is not ItemType.CONDENSED
        ] + few_words
        return newest_first[::-1] if order is Order.OLDEST_FIRST else newest_first
    if order is Order.BEST_FIRST:
        return sorted(filled.kept, key=lambda piece: -piece.candidate.score)
    if order is Order.AS_FOUND:
        return list(filled.kept)
    oldest_first = sorted(filled.kept, key=_moment)
    return oldest_first if order is Order.OLDEST_FIRST else oldest_first[::-1]


def _moment(piece: Piece) -> float:
    at = piece.candidate.occurred_at
    return at.timestamp() if at else 0.0
