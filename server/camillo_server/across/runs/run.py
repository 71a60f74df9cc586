"""Runs: what an agent holds in mind from the start of a run to its end."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, NewType
from uuid import UUID

from camillo_server.features.events.event import (
    EventContent,
    JsonContent,
    TextContent,
    contents_cost,
)
from camillo_server.kernel.ids import AgentId, PageCursor
from camillo_server.kernel.kinds import Sensitivity
from camillo_server.kernel.off_loop import ROW
from camillo_server.lib.redaction.redaction import FieldRedaction, Redaction, Redactor
from camillo_server.lib.text.json_lines import texts_of
from camillo_server.rows.row import NewRow
from camillo_server.storage.blocklist import ShortenedText

RunId = NewType("RunId", UUID)
# The number of last rounds that are shown as they were.
WHOLE_ROUNDS = 3
# Bounds that protect the server: of one run, and of the runs that one scope has at a time.
MAX_ROUNDS = 10_000
MAX_INSTRUCTIONS = 100
MAX_BYTES = 8 * 1024 * 1024
MAX_OPEN_RUNS = 1_000
# Rendering writes at most once in so long: what it writes holds for the renderings that follow.
RENDERING_HOLDS = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Trigger:
    """The cause that started a run."""

    type: str
    payload: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class FunctionCall:
    """A function that the agent called, and what came back."""

    name: str
    arguments: Mapping[str, Any]
    result: str = ""
    is_error: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer of the model."""

    text: str


@dataclass(frozen=True, slots=True)
class RunStep:
    """One thing that happened. Without a time: when it was appended."""

    what: FunctionCall | Answer
    occurred_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class RunDraft:
    """The fields of a run that a caller states, already validated."""

    trigger: Trigger
    focus: str = ""
    session_id: str = ""
    sensitivity: Sensitivity = Sensitivity.INTERNAL
    max_tokens: int = 2_000
    idle_seconds: int = 3_600

    @property
    def idle(self) -> timedelta:
        """It ends by itself after so long without a call."""
        return timedelta(seconds=self.idle_seconds)


@dataclass(frozen=True, slots=True)
class SnapshotLimits:
    """How many tokens a snapshot may take, and the categories of documents that it may show, None for any."""

    max_tokens: int
    document_categories: frozenset[str] | None


@dataclass(frozen=True, slots=True)
class Run:
    """A run as it is. From `ends_at` on it is gone, whether or not its rows are."""

    run_id: RunId
    agent_id: AgentId
    stated: RunDraft
    rounds: int
    instructions: int
    started_at: datetime
    active_at: datetime
    ends_at: datetime


@dataclass(frozen=True, slots=True)
class RunPage:
    """A page, and where the next one begins (None after the last)."""

    runs: Sequence[Run]
    next_cursor: PageCursor | None


@dataclass(frozen=True, slots=True)
class Round:
    """The steps that were appended at once. Numbers begin with 1."""

    number: int
    steps: Sequence[RunStep]


@dataclass(frozen=True, slots=True)
class RoundSummary:
    """The summary of a round: one sentence, the calls that failed, and the beginning of its last answer."""

    sentence: str
    failures: Sequence[str] = ()
    answer: str = ""


@dataclass(frozen=True, slots=True)
class RunContents:
    """The parts of a run that rendering needs: the last rounds in order, and summaries by number, also of those."""

    run: Run
    instructions: Sequence[str]
    rounds: Sequence[Round]
    summaries: Mapping[int, RoundSummary]


@dataclass(frozen=True, slots=True)
class Ending:
    """A run to be removed, and the memories that are stored with that. `distilled_rounds`: how many rounds the first of
    them was distilled from; None where it was not."""

    run_id: RunId
    rows: Sequence[NewRow]
    distilled_rounds: int | None


def redacted_run(draft: RunDraft, redactor: Redactor) -> RunDraft:
    """The draft without secrets."""
    fields = FieldRedaction(redactor)
    return replace(
        draft,
        trigger=Trigger(
            fields.text("trigger.type", draft.trigger.type),
            fields.json("trigger.payload", draft.trigger.payload),
        ),
        focus=fields.text("focus", draft.focus),
        session_id=fields.text("session_id", draft.session_id),
    )


def redacted_steps(steps: Sequence[RunStep], redactor: Redactor) -> tuple[Sequence[RunStep], Sequence[Redaction]]:
    """The steps without secrets, and what was taken out of them."""
    fields = FieldRedaction(redactor)
    redacted = [replace(step, what=_redacted(step.what, f"steps[{index}]", fields)) for index, step in enumerate(steps)]
    return redacted, fields.redactions


def _redacted(what: FunctionCall | Answer, path: str, fields: FieldRedaction) -> FunctionCall | Answer:
    if isinstance(what, Answer):
        return Answer(fields.text(f"{path}.llm_response", what.text))
    path = f"{path}.function_call"
    return replace(
        what,
        name=fields.text(f"{path}.name", what.name),
        arguments=fields.json(f"{path}.arguments", what.arguments),
        result=fields.text(f"{path}.result", what.result),
    )


def steps_cost(steps: Sequence[RunStep]) -> float:
    """The cost of looking for secrets in the steps, or of summing them up and writing them down."""
    contents = (content for step in steps for content in _contents(step.what))
    return 2 * ROW * len(steps) + contents_cost(contents)


def _contents(what: FunctionCall | Answer) -> Iterator[EventContent]:
    """The contents of events with the same texts, which take as long."""
    if isinstance(what, Answer):
        yield TextContent(what.text)
    else:
        yield JsonContent(what.arguments)
        yield TextContent(what.result)


def prose_of_steps(steps: Sequence[RunStep]) -> dict[str, str]:
    """The answers of models and the results of functions, by field."""
    return dict(_prose(index, step.what) for index, step in enumerate(steps))


def shortened_steps(steps: Sequence[RunStep], shortened: Mapping[str, ShortenedText]) -> Sequence[RunStep]:
    """The steps with these texts in the place of theirs."""
    return [
        replace(step, what=_with_prose(step.what, shortened[field].text))
        if (field := _prose(index, step.what)[0]) in shortened
        else step
        for index, step in enumerate(steps)
    ]


def _prose(index: int, what: FunctionCall | Answer) -> tuple[str, str]:
    if isinstance(what, Answer):
        return f"steps[{index}].llm_response", what.text
    return f"steps[{index}].function_call.result", what.result


def _with_prose(what: FunctionCall | Answer, text: str) -> FunctionCall | Answer:
    return Answer(text) if isinstance(what, Answer) else replace(what, result=text)


def step_texts(steps: Sequence[RunStep]) -> dict[str, str]:
    """The texts of a round, by field."""
    texts: dict[str, str] = {}
    for index, step in enumerate(steps):
        what = step.what
        if isinstance(what, Answer):
            texts[f"steps[{index}].llm_response"] = what.text
        else:
            texts |= texts_of(what, f"steps[{index}].function_call.")
    return texts
