"""Events: messages, tool calls and whatever else happened to an agent. An event never changes."""

import enum
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from typing import Any, NamedTuple, NewType
from uuid import UUID

from camillo_server.kernel.channel import Channel, ChannelPolicy
from camillo_server.kernel.ids import AgentId
from camillo_server.kernel.kinds import ActorType, EventKind, Sensitivity
from camillo_server.kernel.off_loop import MAX_LOOP_CHARACTERS, ROW
from camillo_server.kernel.scope import Attribution, Principal, TrustLevel, level_of
from camillo_server.kernel.writes import replay_record

EventId = NewType("EventId", UUID)
# An event keeps so many bytes of the output of a tool or a step; longer ones become artifacts.
EXCERPT_BYTES = 64 * 1024
# A JSON value in a message, beside its text.
_VALUE_BYTES = 12


class WorkflowStatus(enum.IntEnum):
    """How a step of a workflow stands. The numbers are those of the contract."""

    STARTED = 1
    SUCCEEDED = 2
    FAILED = 3
    SKIPPED = 4


class Trust(enum.IntEnum):
    """How far it is known that an actor said something. The numbers are those of the contract."""

    UNKNOWN = 0
    REPORTED = 1
    VERIFIED = 2


def _level(type_: ActorType, trust: Trust) -> TrustLevel:
    if trust is Trust.UNKNOWN:
        return TrustLevel.UNKNOWN
    return level_of(type_.name.lower(), is_verified=trust is Trust.VERIFIED)


_LEVELS = {(type_, trust): _level(type_, trust) for type_ in ActorType for trust in Trust}


@dataclass(frozen=True, slots=True)
class Actor:
    """The actor that caused an event, and the credential that said so."""

    type: ActorType
    id: str
    trust: Trust = Trust.UNKNOWN
    credential: str = ""

    @property
    def attribution(self) -> Attribution:
        """The attribution, as a memory has it."""
        return Attribution(self.trust_level, f"{self.type.name.lower()}:{self.id}", self.credential)

    @property
    def trust_level(self) -> TrustLevel:
        """How far what this actor says is to be trusted."""
        return _LEVELS[self.type, self.trust]

    def named_by(self, caller: Principal) -> "Actor":
        """The actor as this caller names it. Raises ScopeForbidden."""
        is_own = caller.speaks_for(self.type.name.lower(), self.id)
        trust = Trust.VERIFIED if is_own else Trust.REPORTED
        return Actor(self.type, self.id, trust, caller.credential)


@dataclass(frozen=True, slots=True)
class TextContent:
    """A text, of a message or another event."""

    text: str


@dataclass(frozen=True, slots=True)
class JsonContent:
    """A JSON object."""

    value: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ToolCallContent:
    """A call of a tool."""

    tool: str
    call_id: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ToolResultContent:
    """The answer of a tool: the whole, or its beginning where `truncated`. `first_line` and `last_line`, from 1, are
    the first and the last line of `path`, or of the output, in the excerpt."""

    tool: str
    call_id: str
    path: str
    excerpt_text: str
    first_line: int
    last_line: int
    truncated: bool = False
    artifact_id: str = ""
    is_error: bool = False
    exit_code: int | None = None


@dataclass(frozen=True, slots=True)
class WorkflowStepContent:
    """A step of a workflow, in a run of it if that is stated, and its output: the whole, or its beginning where
    `truncated`."""

    workflow: str
    run: str
    step: str
    status: WorkflowStatus
    output: str
    truncated: bool = False
    artifact_id: str = ""


# Content with an output, the whole of which may be an artifact.
OutputContent = ToolResultContent | WorkflowStepContent
EventContent = TextContent | JsonContent | ToolCallContent | OutputContent


def artifact_of(content: EventContent) -> str:
    """The artifact that holds the whole of an output; empty where the content does."""
    return content.artifact_id if isinstance(content, OutputContent) else ""


def has_failed(content: ToolResultContent) -> bool:
    """Whether the tool, or its process, reported a failure."""
    return content.is_error or bool(content.exit_code)


@dataclass(slots=True)
class EventDraft:
    """The part of an event that its caller states, validated; `excerpt_text` may still be longer than an event
    keeps. Nobody changes one."""

    # Not frozen, as an event is not: with so many fields, that takes four times as long to create.

    session_id: str
    actor: Actor
    content: EventContent
    kind: EventKind = EventKind.MESSAGE
    channel: Channel = Channel.PRIVATE
    sensitivity: Sensitivity = Sensitivity.INTERNAL
    tags: Sequence[str] = ()
    occurred_at: datetime | None = None
    refs: Sequence[str] = ()
    importance: float | None = None


@dataclass(slots=True)
class Event:
    """A stored event. `revision` and `index` (from 0, within the revision) are its position in the order of
    recording."""

    event_id: EventId
    agent_id: AgentId
    session_id: str
    channel: Channel
    actor: Actor
    kind: EventKind
    sensitivity: Sensitivity
    tags: Sequence[str]
    occurred_at: datetime
    refs: Sequence[str]
    content: EventContent
    importance: float | None
    recorded_at: datetime
    revision: int = 0
    index: int = 0


def may_load_event(policy: ChannelPolicy, channel: Channel, event: Event) -> bool:
    """Whether the channel may load the event; where it was recorded counts for decisions alone."""
    recorded_in = event.channel if event.kind is EventKind.DECISION else channel
    return policy.permits(channel, event.sensitivity, recorded_in)


@dataclass(frozen=True, slots=True)
class EventFilter:
    """Conditions that all have to hold. `is_public`: without decisions of other channels than the public one."""

    session_id: str = ""
    kinds: Sequence[EventKind] = ()
    actor_types: Sequence[ActorType] = ()
    tags_any: Sequence[str] = ()
    tags_all: Sequence[str] = ()
    occurred_from: datetime | None = None
    occurred_before: datetime | None = None
    ref: str = ""
    sensitivities: Sequence[Sensitivity] = tuple(Sensitivity)
    is_public: bool = False
    workflow: str = ""
    workflow_run: str = ""
    workflow_step: str = ""
    workflow_statuses: Sequence[WorkflowStatus] = ()

    @property
    def names_step(self) -> bool:
        """Whether only steps of workflows pass."""
        names = self.workflow or self.workflow_run or self.workflow_step
        return bool(names or self.workflow_statuses)


def contents_cost(contents: Iterable[EventContent], most: int = MAX_LOOP_CHARACTERS) -> int:
    """The bytes of all contents; counts only until they are more than `most`."""
    cost = 0
    for size in chain.from_iterable(map(_sizes, contents)):
        cost += size
        if cost > most:
            break
    return cost


def content_cost(content: EventContent) -> float:
    """The cost of looking for secrets in a content, or of cutting it into chunks."""
    return 2 * ROW + contents_cost((content,))


def _sizes(content: EventContent) -> Iterator[int]:
    match content:
        case TextContent(text):
            yield _text_bytes(text)
        case JsonContent(value):
            yield from _json_sizes(value)
        case ToolCallContent(arguments=arguments):
            yield from _json_sizes(arguments)
        case ToolResultContent(excerpt_text=text, path=path):
            yield _text_bytes(text) + _text_bytes(path)
        case WorkflowStepContent(output=text):
            yield _text_bytes(text)


def _json_sizes(value: object) -> Iterator[int]:
    yield _VALUE_BYTES
    if isinstance(value, str):
        yield _text_bytes(value)
    elif isinstance(value, Mapping):
        for key, each in value.items():
            yield _VALUE_BYTES + _text_bytes(key)
            yield from _json_sizes(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _json_sizes(each)


def _text_bytes(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "replace"))


@dataclass(frozen=True, slots=True)
class EventPage:
    """Events in the requested order, whether more follow, and the scope's revision when they were read; 0 for steps of
    a workflow, which are of two scopes. A page may end before the requested size because of its bytes."""

    events: Sequence[Event]
    has_more: bool
    revision: int = 0


@dataclass(frozen=True, slots=True)
class EventChange:
    """An event that was recorded, or the id of one that was forgotten."""

    revision: int
    index: int
    recorded: Event | None
    forgotten: EventId | None = None


@dataclass(frozen=True, slots=True)
class EventChangePage:
    """Changes in the order of (revision, index). Every change up to `revision` is among them, did not pass, or was on
    an earlier page. A page may end early because of its bytes, at the end of a revision."""

    changes: Sequence[EventChange]
    revision: int


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """How many chunks were dropped and created."""

    dropped: int
    created: int
    revision: int


class StoredEvent(NamedTuple):
    """An event that was stored, how many chunks it has, and its artifact, if any."""

    event_id: EventId
    chunk_count: int
    artifact_id: str


@dataclass(frozen=True, slots=True)
class RejectedEvent:
    """The field of an event that has a forgotten value."""

    rejected: str


@replay_record
@dataclass(frozen=True, slots=True)
class EventsReplay:
    """When events were recorded, and the outcome of each draft in order: a str is the ref that names nothing; None
    stands for a draft that breaks a limit, as it does again in a repeat."""

    at: datetime
    events: tuple[StoredEvent | RejectedEvent | str | None, ...]
