"""Chunks of events: the text of an event, in passages that can each be understood alone."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from camillo_formats.markdown import MAX_TRAIL, sections, trail_at

from camillo_server.features.events.event import (
    Event,
    JsonContent,
    TextContent,
    ToolCallContent,
    ToolResultContent,
    WorkflowStatus,
    WorkflowStepContent,
    artifact_of,
    has_failed,
)
from camillo_server.kernel.ids import chunk_id
from camillo_server.kernel.kinds import MAX_CHUNK_CHARACTERS, ActorType, ChunkKind, EventKind, Scalar
from camillo_server.kernel.scope import may_ask
from camillo_server.lib.text.json_lines import json_text, quoted
from camillo_server.lib.text.passages import passages
from camillo_server.lib.text.speech import USUAL, text_importance
from camillo_server.rows.row import NewRow, Row

# Longer arguments of a call are in the lines below it, not within its brackets.
SHORT_ARGUMENT = 120
# A longer path is repeated whole before the first passage only.
LONGEST_PATH_REPEATED = 200
_CUT = "\N{HORIZONTAL ELLIPSIS}"
_FIRST_KIND = 16
_LAST_MOMENT = datetime.max.replace(tzinfo=UTC)
OF_A_DECISION = 0.9
OF_A_FAILURE = 0.7
OF_A_CALL = 0.3


def call_text(tool: str, arguments: Mapping[str, Any]) -> str:
    """A call as it is read: `tool(path="a.py", lines=3)`, its long arguments in the lines below."""
    short = {name: value for name, value in arguments.items() if _is_short(value)}
    listed = ", ".join(f"{name}={quoted(value)}" for name, value in short.items())
    rest = {name: value for name, value in arguments.items() if name not in short}
    call = f"{tool}({listed})"
    return f"{call}\n{json_text(rest)}" if rest else call


def _is_short(value: object) -> bool:
    if isinstance(value, str):
        return len(value) <= SHORT_ARGUMENT and "\n" not in value
    return not isinstance(value, Mapping | list | tuple)


@dataclass(frozen=True, slots=True)
class EventText:
    """The text of an event, the opening of its first passage, and that of every other one; `stands_alone`: the opening
    is a chunk even without a text."""

    text: str
    opening: str
    repeated: str
    has_headings: bool = False
    stands_alone: bool = False


def chunk_texts(event: Event) -> list[str]:
    """The passages of an event in order: each of at most 2,000 characters and, unless there would be more than 1,024,
    about 300 tokens; none of an empty text. The same event gives the same texts."""
    return list(_texts(event_text(event)))


def event_text(event: Event) -> EventText:
    match event.content:
        case TextContent(text):
            speaker = f"{' '.join(event.actor.id.split())}: "
            return EventText(text, speaker, speaker, has_headings="#" in text)
        case JsonContent(value):
            speaker = f"{' '.join(event.actor.id.split())}:\n"
            return EventText(json_text(value), speaker, speaker)
        case ToolCallContent(tool=tool, arguments=arguments):
            return EventText(call_text(tool, arguments), "", f"{tool}: ")
        case ToolResultContent() as result:
            repeated = _heading(result, is_repeated=True)
            return EventText(result.excerpt_text, _heading(result), repeated, stands_alone=True)
        case WorkflowStepContent() as step:
            opening = _step_line(step)
            return EventText(step.output, opening, opening, stands_alone=True)


def _texts(whole: EventText) -> Iterator[str]:
    headings = sections(whole.text) if whole.has_headings else ()
    room = MAX_CHUNK_CHARACTERS - max(len(whole.opening), len(whole.repeated))
    if len(headings) > 1:
        room -= MAX_TRAIL + 1
    opening = whole.opening
    if whole.stands_alone and not whole.text.strip():
        yield opening.rstrip()
    for start, end in passages(whole.text, room):
        trail = trail_at(headings, start) if headings else ""
        passage = whole.text[start:end].rstrip()
        if not passage.strip():
            continue
        yield f"{opening}{trail}\n{passage}" if trail else f"{opening}{passage}"
        opening = whole.repeated


def _heading(result: ToolResultContent, *, is_repeated: bool = False) -> str:
    """One line: the tool, the path, and how it failed."""
    path = " ".join(result.path.split())
    if is_repeated and len(path) > LONGEST_PATH_REPEATED:
        path = _CUT + path[1 - LONGEST_PATH_REPEATED :]
    failed = "error" if result.is_error else ""
    code = f"exit code {result.exit_code}" if result.exit_code else ""
    return " ".join(part for part in (result.tool, path, failed, code) if part) + "\n"


def _step_line(step: WorkflowStepContent) -> str:
    """One line: the workflow, the step, and how it stands."""
    names = f"{step.workflow} / {step.step}"
    return f"{' '.join(names.split())}: {step.status.name.lower()}\n"


def chunk_kind(kind: EventKind) -> ChunkKind:
    """The kind of an event's chunks."""
    if kind is EventKind.WORKFLOW_STEP:
        return ChunkKind.WORKFLOW_STEP
    return ChunkKind(_FIRST_KIND + kind)


def chunk_rows(event: Event) -> list[NewRow]:
    """The chunks of an event, without vectors, which follow; a microsecond apart, so that their times keep their
    order."""
    importance_of_all, metadata, refs = importance(event), _metadata(event), _refs(event)
    texts = chunk_texts(event)
    characters = sum(map(len, texts))
    return [
        NewRow(
            Row(
                memory_id=chunk_id(event.event_id, index),
                agent_id=event.agent_id,
                content=text,
                kind=chunk_kind(event.kind),
                session_id=event.session_id,
                occurred_at=_later(event.occurred_at, timedelta(microseconds=index)),
                tags=event.tags,
                sensitivity=event.sensitivity,
                importance=importance_of_all,
                metadata={**metadata, "place": index},
                expires_at=None,
                pinned=False,
                archived=False,
                version=1,
                source_refs=refs,
                created_at=event.recorded_at,
                updated_at=event.recorded_at,
                vector_model_id="",
                **event.actor.attribution._asdict(),
            ),
            vector=None,
            whole_characters=characters,
        )
        for index, text in enumerate(texts)
    ]


def _metadata(event: Event) -> dict[str, Scalar]:
    metadata: dict[str, Scalar] = {
        "channel": event.channel.name.lower(),
        "actor": event.actor.id,
        "actor_type": event.actor.type.name.lower(),
    }
    content = event.content
    if isinstance(content, ToolCallContent | ToolResultContent):
        metadata["tool"] = content.tool
    if isinstance(content, ToolResultContent):
        metadata["outcome"] = "error" if has_failed(content) else "ok"
        if content.path:
            metadata["path"] = content.path
    if isinstance(content, WorkflowStepContent):
        metadata |= {"workflow": content.workflow, "step": content.step}
        metadata["status"] = content.status.name.lower()
        if content.run:
            metadata["run"] = content.run
    return metadata


def _refs(event: Event) -> tuple[str, ...]:
    artifact_id = artifact_of(event.content)
    return (str(event.event_id), artifact_id) if artifact_id else (str(event.event_id),)


def _later(moment: datetime, span: timedelta) -> datetime:
    """The moment after this span, or the last that there is."""
    return moment + span if _LAST_MOMENT - moment >= span else _LAST_MOMENT


def importance(event: Event) -> float:
    """0 to 1: that of the caller, else by how it ended, or what its text says. Only a person for whom the
    credential speaks asks to remember: a page or a tool gives no instructions."""
    if event.importance is not None:
        return event.importance
    match event.content:
        case TextContent(text):
            is_person = event.actor.type is ActorType.HUMAN
            asks = is_person and may_ask(event.actor.trust_level, is_person=True)
            found = text_importance(text, may_ask=asks, actions=False)
        case ToolCallContent():
            found = OF_A_CALL
        case ToolResultContent() as result:
            found = OF_A_FAILURE if has_failed(result) else USUAL
        case WorkflowStepContent(status=WorkflowStatus.FAILED):
            found = OF_A_FAILURE
        case _:
            found = USUAL
    return max(found, OF_A_DECISION) if event.kind is EventKind.DECISION else found
