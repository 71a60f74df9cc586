"""What is kept of a run that has ended, by rules: what set it off, what it was to keep in sight, what failed, and what was
answered last."""

from collections.abc import Iterator, Mapping

from camillo_server.domain.context.prompt_text import one_line
from camillo_server.domain.events.json_text import json_text
from camillo_server.domain.memory import MemoryDraft, MemoryKind
from camillo_server.domain.runs.run import RoundSummary, Run
from camillo_server.domain.runs.summarising import beginning

# With their words all of it is within the 2,000 characters of a memory.
TRIGGER_CHARACTERS = 300
FOCUS_CHARACTERS = 400
FAILURES_CHARACTERS = 400
_BETWEEN_FAILURES = "; "


def distilled(run: Run, summaries: Mapping[int, RoundSummary]) -> MemoryDraft:
    """The memory that a run comes to, from the summaries of its rounds by number."""
    in_order = [summaries[number] for number in sorted(summaries)]
    return MemoryDraft(
        content="\n".join(_lines(run, in_order)),
        kind=MemoryKind.TASK_OUTCOME,
        session_id=run.stated.session_id,
        sensitivity=run.stated.sensitivity,
        source_refs=(str(run.run_id),),
    )


def _lines(run: Run, summaries: list[RoundSummary]) -> Iterator[str]:
    trigger = run.stated.trigger
    told = ", ".join(json_text(trigger.payload).splitlines())
    payload = beginning(told, TRIGGER_CHARACTERS)
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
    """Those that came last, each once, as many as there is room for, in their order; one at least."""
    room, kept = FAILURES_CHARACTERS, list[str]()
    for failure in dict.fromkeys(reversed(failures)):
        if kept and len(failure) > room:
            break
        room -= len(failure) + len(_BETWEEN_FAILURES)
        kept.append(failure)
    return kept[::-1]
