"""The result of an evaluation: as JSON, as a table, and against an earlier result."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from statistics import fmean, median
from typing import Any

from camillo_cli.evaluation.advice import Change
from camillo_cli.evaluation.asking import Key, Verdict
from camillo_cli.evaluation.scenario import MAX_WITHIN
from camillo_cli.failures import CliError, ExitCode
from camillo_cli.format import counted
from camillo_cli.output import note, say
from camillo_cli.recall import degraded_notes
from camillo_cli.tables import Column, show_items

MAX_CHANGES = 8
# Held before or not, by the scenario and the question.
Earlier = Mapping[Key, bool]


@dataclass(frozen=True)
class Evaluation:
    """Verdicts on all questions, in the order of the files; changes that would help; what held in an earlier result."""

    verdicts: Sequence[Verdict]
    changes: Sequence[Change] = ()
    missing_model: str = ""
    earlier: Earlier | None = None

    @cached_property
    def summary(self) -> dict[str, Any]:
        """Counts and means over all questions."""
        return _summary(self.verdicts)

    @property
    def failed(self) -> list[Verdict]:
        return [each for each in self.verdicts if not each.holds]

    @property
    def lost(self) -> list[Verdict]:
        """Questions that held in the earlier result and do not now."""
        return [each for each in self.failed if (self.earlier or {}).get(each.key)]

    @property
    def gained(self) -> list[Verdict]:
        """Questions that hold now and did not in the earlier result."""
        return [each for each in self.verdicts if each.holds and (self.earlier or {}).get(each.key) is False]

    @property
    def vanished(self) -> int:
        """How many questions of the earlier result are not asked any more."""
        return len((self.earlier or {}).keys() - {each.key for each in self.verdicts})

    def as_dict(self) -> dict[str, Any]:
        """The result as JSON has it, which `read_earlier` reads."""
        result: dict[str, Any] = {
            "summary": self.summary,
            "questions": [_question(each) for each in self.verdicts],
            "changes": [
                {"change": each.name, "gained": _keys(each.gained), "lost": _keys(each.lost)} for each in self.changes
            ],
        }
        if self.missing_model:
            result["missing_model"] = self.missing_model
        if self.earlier is not None:
            result["against"] = {
                "gained": _keys([each.key for each in self.gained]),
                "lost": _keys([each.key for each in self.lost]),
                "vanished": self.vanished,
            }
        return result

    def show(self) -> None:
        """Prints a line for each question, why some do not hold, the sums, and what would help."""
        columns = COLUMNS if len({each.scenario for each in self.verdicts}) > 1 else COLUMNS_OF_ONE
        show_items(self.verdicts, columns, lines=2)
        for each in self.failed:
            say(f'\ndoes not hold: "{each.question.name}"')
            for line in reasons(each):
                say(f"  {line}")
        say(f"\n{_sums(self.summary)}")
        self._show_comparison()
        self._show_changes()
        for reason in degraded_notes(sorted({each for verdict in self.verdicts for each in verdict.answer.degraded})):
            note(f"note: {reason}")

    def _show_comparison(self) -> None:
        if self.earlier is None:
            return
        for name, verdicts in (("holds now", self.gained), ("held before", self.lost)):
            for each in verdicts:
                say(f'{name}: "{each.question.name}"')
        if not (self.gained or self.lost):
            say("the same questions hold as before")
        if self.vanished:
            note(f"note: no longer asked: {counted(self.vanished, 'question', 'questions')} of the earlier result")

    def _show_changes(self) -> None:
        if not self.failed:
            return
        for each in self.changes[:MAX_CHANGES]:
            breaks = f", {len(each.lost)} no longer" if each.lost else ""
            say(f"with {each.name}: {len(each.gained)} more would hold{breaks}")
        if self.missing_model:
            say(self.missing_model)


def reasons(verdict: Verdict) -> list[str]:
    """Says what does not hold of an answer, a line for each."""
    lines = []
    for name, position in verdict.missing.items():
        where = f"would be number {position}" if position else f"is not among the first {MAX_WITHIN} either"
        lines.append(f"does not show {name}" + (f": it {where}" if verdict.question.bundle is None else ""))
    lines += [f"shows {name} as number {position}" for name, position in verdict.unwanted.items()]
    if verdict.wrong_match is not None:
        best = f", best score {verdict.answer.shown[0].score:.3f}" if verdict.answer.shown else ""
        lines.append(f"says no match{best}" if verdict.wrong_match else f"does not say no match{best}")
    return lines


def read_earlier(path: Path) -> Earlier:
    """Reads which questions held in a result that was written with --output. Raises CliError."""
    try:
        questions = json.loads(path.read_text("utf-8"))["questions"]
        return {(each["scenario"], each["name"]): bool(each["holds"]) for each in questions}
    except (ValueError, KeyError, TypeError) as error:
        raise CliError(f"{path}: is no result of 'camillo eval run --output'", ExitCode.USAGE) from error


def _summary(verdicts: Sequence[Verdict]) -> dict[str, Any]:
    wanted = sum(len(each.question.find) for each in verdicts)
    found = sum(len(each.found.keys() & {*each.question.find}) for each in verdicts)
    ranked = [
        1 / min(each.found.values()) if each.found else 0.0
        for each in verdicts
        if each.question.find or each.question.find_any
    ]
    models = sorted({each.answer.model_id for each in verdicts} - {""})
    return {
        "questions": len(verdicts),
        "hold": sum(each.holds for each in verdicts),
        "wanted": wanted,
        "found": found,
        "unwanted": sum(len(each.unwanted) for each in verdicts),
        "mean_reciprocal_rank": round(fmean(ranked), 4) if ranked else None,
        "mean_tokens": round(fmean(each.answer.tokens for each in verdicts), 1),
        "median_milliseconds": round(median(each.answer.seconds for each in verdicts) * 1e3, 2),
        "model": ", ".join(models),
    }


def _sums(summary: Mapping[str, Any]) -> str:
    rank = summary["mean_reciprocal_rank"]
    parts = [
        f"{summary['hold']} of {counted(summary['questions'], 'question', 'questions')} hold",
        f"found {summary['found']} of {summary['wanted']}",
        *([f"{summary['unwanted']} unwanted"] if summary["unwanted"] else ()),
        *([f"mean reciprocal rank {rank:.2f}"] if rank is not None else ()),
        f"{summary['mean_tokens']:,.0f} tokens an answer",
        f"{summary['median_milliseconds']:.1f} ms",
        *([summary["model"]] if summary["model"] else ()),
    ]
    return "; ".join(parts)


def _question(verdict: Verdict) -> dict[str, Any]:
    return {
        "scenario": verdict.scenario,
        "name": verdict.question.name,
        "ask": verdict.question.ask,
        "holds": verdict.holds,
        "found": dict(verdict.found),
        "missing": dict(verdict.missing),
        "unwanted": dict(verdict.unwanted),
        "no_match": verdict.answer.no_match,
        "reasons": reasons(verdict),
        "shown": [{"text": each.text, "score": round(each.score, 4)} for each in verdict.answer.shown],
        "tokens": verdict.answer.tokens,
        "milliseconds": round(verdict.answer.seconds * 1e3, 2),
    }


def _keys(keys: Sequence[Key]) -> list[dict[str, str]]:
    return [{"scenario": scenario, "name": name} for scenario, name in keys]


def _found(verdict: Verdict) -> str:
    wanted = len(verdict.question.find)
    return f"{len(verdict.found.keys() & {*verdict.question.find})} of {wanted}" if wanted else "-"


def _positions(verdict: Verdict) -> str:
    return ", ".join(str(each) for each in sorted(verdict.found.values())) or "-"


COLUMNS_OF_ONE = (
    Column("holds", lambda each: "yes" if each.holds else "no", styles={"yes": "green", "no": "bold red"}),
    Column("found", _found, right=True),
    Column("at", _positions, right=True, optional=True),
    Column("tokens", lambda each: f"{each.answer.tokens:,}", right=True, optional=True),
    Column("ms", lambda each: f"{each.answer.seconds * 1e3:.1f}", right=True, optional=True),
    Column("question", lambda each: each.question.name),
)
COLUMNS = (*COLUMNS_OF_ONE[:-1], Column("scenario", lambda each: each.scenario), COLUMNS_OF_ONE[-1])
