"""Changes that would let more questions hold: each is tried on all of them, so that what it breaks is counted, too."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from camillo_cli.evaluation.asking import Asking, Key, Verdict
from camillo_cli.evaluation.scenario import MAX_WITHIN, Question

if TYPE_CHECKING:
    from camillo_client import Camillo

# Options of a recall that are tried one by one.
RECALL_OPTIONS: Sequence[tuple[str, Sequence[Any]]] = (
    ("profile", ("relevance", "similarity", "evidence", "blended", "recency_weighted")),
    ("mode", ("precise", "complete")),
    ("time_mode", ("ignore",)),
    ("link_mode", ("ignore",)),
    ("speech_mode", ("ignore",)),
    ("rerank", (True,)),
)
MORE_HITS = (2, 4)
MORE_TOKENS = 2
# A floor between two scores is given with so many digits.
FLOOR_DIGITS = 3
MAX_FLOORS = 200
LEXICAL = "lexical-"
NEEDS_MODEL = (
    "the server has no model of meaning, so other words for the same thing are not found: "
    "camillo models pull (docs/embedding.md)"
)


@dataclass(frozen=True, slots=True)
class Change:
    """A change of the questions' options, and the questions that hold with it alone, or no longer."""

    name: str
    gained: Sequence[Key]
    lost: Sequence[Key]

    @property
    def net(self) -> int:
        return len(self.gained) - len(self.lost)


Changed = Callable[[Question], Question | None]


def changes(asked: Sequence[tuple[Asking, Sequence[Verdict]]], progress: Callable[[], None]) -> list[Change]:
    """Changes by which more questions hold, the best first; `progress` is called after each that was tried.

    Raises CliError, CamilloError."""
    tried = [_floor([verdict for _, verdicts in asked for verdict in verdicts])]
    for name, changed in _candidates(asked[0][0].camillo):
        tried.append(_tried(name, changed, asked))
        progress()
    return sorted((each for each in tried if each.net > 0), key=lambda each: -each.net)


def count_of_changes(camillo: Camillo) -> int:
    """How many changes are tried by asking again."""
    return sum(1 for _ in _candidates(camillo))


def missing_model(verdicts: Iterable[Verdict]) -> str:
    """Says that no model of meaning embedded the questions; empty if one did."""
    models = {verdict.answer.model_id for verdict in verdicts} - {""}
    return NEEDS_MODEL if models and all(each.startswith(LEXICAL) for each in models) else ""


def _candidates(camillo: Camillo) -> Iterator[tuple[str, Changed]]:
    for option, values in RECALL_OPTIONS:
        for value in values:
            yield f"{option}={str(value).lower()} in recall", _recall_option(option, value)
    for factor in MORE_HITS:
        yield f"{factor} times as many hits (within)", _more_hits(factor)
    for recipe in camillo.context.recipes.list():
        yield f"recipe={recipe.name} in bundle", _recipe(recipe.name)
    yield f"{MORE_TOKENS} times as many tokens", _more_tokens


def _recall_option(option: str, value: Any) -> Changed:
    def changed(question: Question) -> Question | None:
        if question.bundle is not None or question.recall.get(option) == value:
            return None
        return replace(question, recall={**question.recall, option: value})

    return changed


def _more_hits(factor: int) -> Changed:
    def changed(question: Question) -> Question | None:
        within = min(question.within * factor, MAX_WITHIN)
        return None if question.bundle is not None or within == question.within else replace(question, within=within)

    return changed


def _recipe(name: str) -> Changed:
    def changed(question: Question) -> Question | None:
        if question.bundle is None or question.bundle.get("recipe") == name:
            return None
        return replace(question, bundle={**question.bundle, "recipe": name})

    return changed


def _more_tokens(question: Question) -> Question | None:
    if question.tokens:
        return replace(question, tokens=question.tokens * MORE_TOKENS)
    if question.bundle is None or "max_tokens" not in question.bundle:
        return None
    return replace(question, bundle={**question.bundle, "max_tokens": question.bundle["max_tokens"] * MORE_TOKENS})


def _tried(name: str, changed: Changed, asked: Sequence[tuple[Asking, Sequence[Verdict]]]) -> Change:
    gained: list[Key] = []
    lost: list[Key] = []
    for asking, verdicts in asked:
        for before in verdicts:
            question = changed(before.question)
            if question is None:
                continue
            after = asking.verdict(question)
            if after.holds != before.holds:
                (gained if after.holds else lost).append(before.key)
    return Change(name, gained, lost)


def _floor(verdicts: Sequence[Verdict]) -> Change:
    """The lowest score to admit by which most questions hold, from the answers that are there: the hits are the same,
    those below are left out."""
    recalls = [each for each in verdicts if each.question.bundle is None]
    scores = sorted({shown.score for each in recalls for shown in each.answer.shown})
    floors = [round((low + high) / 2, FLOOR_DIGITS) for low, high in pairwise(scores)]
    best = Change("", [], [])
    floors += [round(each + 10**-FLOOR_DIGITS, FLOOR_DIGITS) for each in scores[-1:]]
    for floor in floors[:: max(1, len(floors) // MAX_FLOORS)]:
        holds = {each.key: _holds_above(each, floor) for each in recalls}
        change = Change(
            f"min_score={floor} in recall",
            [each.key for each in recalls if holds[each.key] and not each.holds],
            [each.key for each in recalls if each.holds and not holds[each.key]],
        )
        if change.net > best.net:
            best = change
    return best


def _holds_above(verdict: Verdict, floor: float) -> bool:
    """Whether the question holds if no hit below the floor is shown."""
    question, shown = verdict.question, verdict.answer.shown

    def stays(position: int) -> bool:
        return shown[position - 1].score >= floor

    found = {name for name, position in verdict.found.items() if stays(position)}
    if not found.issuperset(question.find) or (question.find_any and found.isdisjoint(question.find_any)):
        return False
    if any(stays(position) for position in verdict.unwanted.values()):
        return False
    says = verdict.answer.no_match or not any(each.score >= floor for each in shown)
    return question.no_match in (None, says)
