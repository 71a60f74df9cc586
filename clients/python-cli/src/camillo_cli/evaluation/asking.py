"""Asks the questions of a scenario, and judges what the answers show."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import TYPE_CHECKING, Any

from camillo_cli.evaluation.scenario import MAX_WITHIN, Question, Scenario
from camillo_cli.evaluation.scope import Ids
from camillo_cli.failures import CliError, ExitCode, from_server, one_line

if TYPE_CHECKING:
    from camillo.v1.memory_pb2 import DegradedReason
    from camillo_client import Camillo

# A question among those of all files: its scenario and its name.
Key = tuple[str, str]
# Options of a recall that end an answer early: without them it shows how far below something is found.
ENDS_EARLY = ("min_score", "max_tokens", "mode", "profile")


@dataclass(frozen=True, slots=True)
class Shown:
    """A hit, or an item of a bundle: ids of the records that it shows, its text, and its score."""

    refs: frozenset[str]
    text: str
    score: float


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to one question, best first."""

    shown: Sequence[Shown]
    no_match: bool
    tokens: int
    seconds: float
    model_id: str
    degraded: Sequence[DegradedReason] = ()


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether what has to hold of an answer holds, and what does not.

    `found` and `unwanted` have the position of each, from 1 on; `missing` has the position in a longer answer, 0 where
    it is not there either or was not looked for."""

    scenario: str
    question: Question
    answer: Answer
    found: Mapping[str, int] = field(default_factory=dict)
    missing: Mapping[str, int] = field(default_factory=dict)
    unwanted: Mapping[str, int] = field(default_factory=dict)
    # `no_match` of the answer, where the question wants the other.
    wrong_match: bool | None = None

    @property
    def holds(self) -> bool:
        return not (self.missing or self.unwanted) and self.wrong_match is None

    @property
    def key(self) -> Key:
        """Names the question among those of a file."""
        return self.scenario, self.question.name


@dataclass(frozen=True, slots=True)
class Asking:
    """The questions of one scenario, whose records have these ids."""

    camillo: Camillo
    scenario: Scenario
    ids: Ids

    def all(self) -> Iterator[Verdict]:
        """The verdict on each question, in their order; for what is missing it looks further down."""
        for question in self.scenario.questions:
            verdict = self.verdict(question)
            if verdict.missing and question.bundle is None:
                verdict = replace(verdict, missing=self._further_down(question, verdict))
            yield verdict

    def verdict(self, question: Question) -> Verdict:
        """Asks one question. Raises CliError, CamilloError."""
        answer = self._bundle(question) if question.bundle is not None else self._recall(question)
        return self._judged(question, answer)

    def _recall(self, question: Question) -> Answer:
        from camillo.v1.recall_pb2 import RecallContext
        from camillo_client import memory_filter

        options: dict[str, Any] = {"sources": self.scenario.sources, **question.recall, "limit": question.within}
        if question.tokens:
            options["max_tokens"] = question.tokens
        begun = perf_counter()
        with _naming(question, "recall"):
            if "filter" in options:
                options["filter"] = memory_filter(**options["filter"])
            if "context" in options:
                options["context"] = RecallContext(**options["context"])
            answer = self.camillo.recall(question.ask, **options)
        shown = [Shown(frozenset((hit.id, hit.ref, *hit.equal_refs)), hit.text, hit.score) for hit in answer.hits]
        seconds = perf_counter() - begun
        return Answer(shown, answer.no_match, answer.tokens, seconds, answer.model_id, answer.degraded)

    def _bundle(self, question: Question) -> Answer:
        options = dict(question.bundle or {})
        if question.tokens:
            options["max_tokens"] = question.tokens
        begun = perf_counter()
        with _naming(question, "bundle"):
            bundle = self.camillo.context.bundle(question.ask, **options)
        items = [item for section in bundle.sections for item in section.items]
        shown = [Shown(frozenset(item.refs), item.text, item.score) for item in items]
        seconds = perf_counter() - begun
        return Answer(shown, not shown, bundle.tokens, seconds, bundle.provenance.model_id, bundle.degraded)

    def _judged(self, question: Question, answer: Answer) -> Verdict:
        positions = {name: self._position(name, answer) for name in (*question.find, *question.find_any)}
        missing = [name for name in question.find if not positions[name]]
        if question.find_any and not any(positions[name] for name in question.find_any):
            missing += question.find_any
        unwanted = {name: self._position(name, answer) for name in question.avoid}
        says = answer.no_match or not answer.shown
        return Verdict(
            self.scenario.name,
            question,
            answer,
            {name: position for name, position in positions.items() if position},
            dict.fromkeys(missing, 0),
            {name: position for name, position in unwanted.items() if position},
            says if question.no_match not in (None, says) else None,
        )

    def _position(self, name: str, answer: Answer) -> int:
        """Where a record, or a text that holds these words, is shown first; 0 for nowhere."""
        if record := self.ids.get(name):
            return next((number for number, each in enumerate(answer.shown, 1) if record in each.refs), 0)
        words = _folded(name)
        return next((number for number, each in enumerate(answer.shown, 1) if words in _folded(each.text)), 0)

    def _further_down(self, question: Question, verdict: Verdict) -> dict[str, int]:
        options = {name: value for name, value in question.recall.items() if name not in ENDS_EARLY}
        answer = self._recall(replace(question, within=MAX_WITHIN, tokens=0, recall=options))
        return {name: self._position(name, answer) for name in verdict.missing}


@contextmanager
def _naming(question: Question, key: str) -> Iterator[None]:
    """Names the question whose options the client or the server refuses. Raises CliError, CamilloError."""
    from camillo_client import CamilloError

    try:
        yield
    except CamilloError as error:
        if not error.reason:
            raise
        refusal = from_server(error, "")
        raise CliError(one_line(f'"{question.name[:60]}": {refusal}'), refusal.code) from error
    except (ValueError, TypeError, AttributeError) as error:
        raise CliError(one_line(f'"{question.name[:60]}": {key}: {error}'), ExitCode.USAGE) from error


def _folded(text: str) -> str:
    """A text without differences of case, width, composition and white space."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())
