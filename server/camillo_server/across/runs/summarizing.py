"""Summarizes rounds by rules: no model is asked, and equal rounds have equal summaries."""

import re
from collections.abc import Iterator, Mapping, Sequence

from camillo_formats.characters import border_at_or_before
from camillo_formats.rendering import one_line

from camillo_server.across.context.candidates import first_sentence
from camillo_server.across.runs.run import Answer, FunctionCall, RoundSummary, Run, RunStep
from camillo_server.features.events.chunks import call_text
from camillo_server.kernel.kinds import MemoryKind
from camillo_server.kernel.scope import Attribution, TrustLevel
from camillo_server.lib.text.json_lines import json_text
from camillo_server.rows.row import MemoryDraft

# The calls of a round are listed up to this length, and one call in any case.
CALLS_CHARACTERS = 240
MAX_FAILURES = 3
ANSWER_CHARACTERS = 600
_ARGUMENT_CHARACTERS = 60
_NAME_CHARACTERS = 128
_CUT = "\N{HORIZONTAL ELLIPSIS}"
_SENTENCE_END = re.compile(r"[.!?](?=\s)|[。！？؟।]")
# With their words all of it is within the 2,000 characters of a memory.
TRIGGER_CHARACTERS = 300
FOCUS_CHARACTERS = 400
FAILURES_CHARACTERS = 400
_BETWEEN_FAILURES = "; "


def summary_of(steps: Sequence[RunStep]) -> RoundSummary:
    """The summary of a round."""
    calls = [step.what for step in steps if isinstance(step.what, FunctionCall)]
    answers = [step.what for step in steps if isinstance(step.what, Answer)]
    failed = [f"{_name(call)}: {_came_back(call)}" for call in calls if call.is_error]
    return RoundSummary(
        sentence=_sentence(calls, answers),
        failures=tuple(dict.fromkeys(failed))[-MAX_FAILURES:],
        answer=beginning(answers[-1].text, ANSWER_CHARACTERS) if answers else "",
    )


def beginning(text: str, most: int) -> str:
    """The first sentences that fit in so many characters, in one line; the beginning of the first if none fits."""
    line = one_line(text[: 4 * most])
    if len(line) <= most and len(text) <= 4 * most:
        return line
    kept = line[: border_at_or_before(line, most - 1, 0)]
    ends = [found.end() for found in _SENTENCE_END.finditer(kept)]
    return kept[: ends[-1]] if ends else kept.rstrip() + _CUT


def _sentence(calls: Sequence[FunctionCall], answers: Sequence[Answer]) -> str:
    """The calls in their order, as many as there is room for, and then what was answered."""
    answered = f'answered "{first_sentence(answers[-1].text)}"' if answers else ""
    shown = list(_fitting(map(_called, calls)))
    more = len(calls) - len(shown)
    rest = f"and {more} more call{'s' if more > 1 else ''}" if more else ""
    return "; ".join(part for part in (*shown, rest, answered) if part)


def _fitting(parts: Iterator[str]) -> Iterator[str]:
    """The first ones; one at least."""
    room = CALLS_CHARACTERS
    for part in parts:
        if len(part) > room < CALLS_CHARACTERS:
            return
        room -= len(part)
        yield part


def _called(call: FunctionCall) -> str:
    name = _name(call)
    arguments = one_line(call_text(name, call.arguments)[: 8 * _NAME_CHARACTERS])
    most = len(name) + _ARGUMENT_CHARACTERS
    if len(arguments) > most:
        arguments = arguments[: border_at_or_before(arguments, most, len(name))] + _CUT
    came_back = _came_back(call)
    arrow = " -> error: " if call.is_error else " -> "
    return f"called {arguments}{arrow}{came_back}" if came_back else f"called {arguments}"


def _name(call: FunctionCall) -> str:
    return one_line(call.name)


def _came_back(call: FunctionCall) -> str:
    return first_sentence(call.result) or ("no reason told" if call.is_error else "")


def distilled(run: Run, summaries: Mapping[int, RoundSummary], ended_by: Attribution) -> MemoryDraft:
    """The memory that a run comes to, from the summaries of its rounds by number. It quotes what a tool said of a
    failure."""
    in_order = [summaries[number] for number in sorted(summaries)]
    has_failures = any(summary.failures for summary in in_order)
    attribution = ended_by.at_most(TrustLevel.TOOL if has_failures else TrustLevel.AGENT)
    return MemoryDraft(
        content="\n".join(_lines(run, in_order)),
        kind=MemoryKind.TASK_OUTCOME,
        session_id=run.stated.session_id,
        sensitivity=run.stated.sensitivity,
        source_refs=(str(run.run_id),),
        **attribution._asdict(),
    )


def _lines(run: Run, summaries: list[RoundSummary]) -> Iterator[str]:
    trigger = run.stated.trigger
    values = ", ".join(json_text(trigger.payload).splitlines())
    payload = beginning(values, TRIGGER_CHARACTERS)
    kind = one_line(trigger.type)
    yield f"Trigger: {kind}: {payload}" if payload else f"Trigger: {kind}"
    if run.stated.focus:
        yield f"Focus: {beginning(run.stated.focus, FOCUS_CHARACTERS)}"
    failures = [failure for summary in summaries for failure in summary.failures]
    if failures:
        yield f"Failed: {_BETWEEN_FAILURES.join(_latest(failures))}"
    answers = [summary.answer for summary in summaries if summary.answer]
    rounds = f"{run.rounds:,} round{'' if run.rounds == 1 else 's'}"
    yield f"Outcome: {answers[-1]}" if answers else f"Outcome: ended without an answer, {rounds}"


def _latest(failures: list[str]) -> list[str]:
    """The failures that came last, each once, as many as there is room for, in their order; one at least."""
    room, kept = FAILURES_CHARACTERS, list[str]()
    for failure in dict.fromkeys(reversed(failures)):
        if kept and len(failure) > room:
            break
        room -= len(failure) + len(_BETWEEN_FAILURES)
        kept.append(failure)
    return kept[::-1]
