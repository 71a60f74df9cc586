"""Events and their content in messages, and what becomes of them."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from uuid import UUID

from camillo.v1 import event_pb2 as pb
from camillo.v1 import event_service_pb2 as service

from camillo_server.doors.rpc import fields
from camillo_server.doors.rpc.errors import to_status
from camillo_server.doors.rpc.field_limits import broken_limits, rule
from camillo_server.doors.rpc.fields import channel_of, distinct, member, sensitivity_of, tags_of, time_of
from camillo_server.doors.rpc.json_values import fill_json, plain_object
from camillo_server.doors.rpc.page_tokens import fitting
from camillo_server.doors.rpc.tokens import RevisionTokens, page_token
from camillo_server.doors.rpc.validate import Checks
from camillo_server.features.events.event import (
    Actor,
    Event,
    EventChange,
    EventChangePage,
    EventContent,
    EventDraft,
    EventId,
    EventPage,
    JsonContent,
    TextContent,
    ToolCallContent,
    ToolResultContent,
    WorkflowStatus,
    WorkflowStepContent,
    contents_cost,
)
from camillo_server.features.events.events import cursor_of, step_cursor
from camillo_server.features.events.query_messages import after_revision, event_token, resume_token
from camillo_server.features.events.record_events import RecordedEvent
from camillo_server.kernel.errors import DomainError, ScopeForbidden
from camillo_server.kernel.ids import AgentId, EventCursor
from camillo_server.kernel.kinds import ActorType, EventKind
from camillo_server.kernel.off_loop import ROW
from camillo_server.kernel.scope import Principal, Scope, shared_scope

# The content that an event of a kind may have; every other kind has text or JSON.
CONTENT_OF_KIND: dict[int, tuple[str, ...]] = {
    EventKind.TOOL_CALL: ("tool_call",),
    EventKind.TOOL_RESULT: ("tool_result",),
    EventKind.WORKFLOW_STEP: ("workflow_step", "text", "json"),
}
PLAIN = ("text", "json")


def messages_cost(events: Sequence[Event]) -> float:
    """The cost of converting them into messages."""
    return len(events) * ROW + contents_cost(event.content for event in events)


class EventMessages:
    """Converts the events of one scope into messages."""

    def __init__(self, scope: Scope, revisions: RevisionTokens) -> None:
        self._scope = scope
        self._revisions = revisions

    def event(self, event: Event) -> pb.Event:
        """An event of this scope, or one that its tenant shares, as the contract has it."""
        is_own = event.agent_id == self._scope.agent_id
        scope = self._scope if is_own else shared_scope(self._scope)
        message = pb.Event(
            event_id=str(event.event_id),
            agent_id=event.agent_id,
            revision=self._revisions.revision(scope, event.revision),
            trust=int(event.actor.trust),  # type: ignore[arg-type]
            credential=event.actor.credential,
        )
        fields.fill_timestamp(message.recorded_at, event.recorded_at)
        fill_stated(message.stated, event)
        return message

    def listed(self, page: EventPage, binding: bytes) -> service.ListEventsResponse:
        """The page, or so much of its beginning as fits in a message: the rest is on the next one."""
        messages, last = self._fitting(page)
        return service.ListEventsResponse(
            events=messages,
            next_page_token=event_token(binding, cursor_of(last) if last else None),
            revision=self._revisions.revision(self._scope, page.revision),
        )

    def workflow(self, page: EventPage, binding: bytes) -> service.ListWorkflowResponse:
        """The page of a workflow's steps, as `listed` makes it. Steps of the shared scope have its revisions."""
        messages, last = self._fitting(page)
        token = page_token(binding, step_cursor(last) if last else None)
        return service.ListWorkflowResponse(steps=messages, next_page_token=token)

    def _fitting(self, page: EventPage) -> tuple[list[pb.Event], Event | None]:
        """The messages that fit into an answer, and the event behind which the next page begins, if there is one."""
        messages = fitting(page.events, self.event)
        has_more = page.has_more or len(messages) < len(page.events)
        return messages, page.events[len(messages) - 1] if has_more and messages else None

    def changed(self, page: EventChangePage) -> Iterator[service.WatchEventsResponse]:
        """The changes of a page one by one; an empty page is a checkpoint."""
        for change in page.changes:
            yield service.WatchEventsResponse(change=self._change(change))
        if not page.changes:
            checkpoint = self._change_at(after_revision(page.revision))
            checkpoint.checkpoint.SetInParent()
            yield service.WatchEventsResponse(change=checkpoint)

    def _change(self, change: EventChange) -> pb.EventChange:
        message = self._change_at(EventCursor(change.revision, change.index))
        if change.recorded is not None:
            message.recorded.CopyFrom(self.event(change.recorded))
        else:
            message.forgotten_event_id = str(change.forgotten)
        return message

    def _change_at(self, cursor: EventCursor) -> pb.EventChange:
        return pb.EventChange(
            resume_token=resume_token(self._revisions, self._scope, cursor),
            revision=self._revisions.revision(self._scope, cursor.revision),
        )


def fill_stated(message: pb.NewEvent, event: Event) -> None:
    """Fills in the part of an event that its caller states, with every default."""
    message.session_id = event.session_id
    message.channel = int(event.channel)  # type: ignore[assignment]
    message.actor.type = int(event.actor.type)  # type: ignore[assignment]
    message.actor.id = event.actor.id
    message.kind = int(event.kind)  # type: ignore[assignment]
    message.sensitivity = int(event.sensitivity)  # type: ignore[assignment]
    message.tags.extend(event.tags)
    fields.fill_timestamp(message.occurred_at, event.occurred_at)
    message.refs.extend(event.refs)
    fill_content(message, event.content)
    if event.importance is not None:
        message.importance = event.importance


def recorded_message(done: RecordedEvent) -> service.RecordedEvent:
    message = service.RecordedEvent(
        event_id=str(done.event_id),
        chunk_ids=[str(each) for each in done.chunk_ids],
        artifact_id=done.artifact_id,
        redactions=fields.redaction_messages(done.redactions),
        omitted=fields.omitted_messages(done.omitted),
    )
    fields.fill_timestamp(message.recorded_at, done.recorded_at)
    return message


def results_cost(outcomes: Sequence[RecordedEvent | DomainError]) -> float:
    """The cost of converting the results of a batch."""
    recorded = [each for each in outcomes if isinstance(each, RecordedEvent)]
    redactions = sum(fields.redactions_cost(each.redactions) for each in recorded)
    return len(outcomes) * ROW + redactions


def recorded_results(
    outcomes: Sequence[RecordedEvent | DomainError],
) -> list[service.RecordedEventResult]:
    """The result for each event of a batch."""
    return [
        service.RecordedEventResult(error=to_status(outcome))
        if isinstance(outcome, DomainError)
        else service.RecordedEventResult(recorded=recorded_message(outcome))
        for outcome in outcomes
    ]


def event_drafts(request: service.BatchRecordEventsRequest, agent_id: AgentId) -> list[EventDraft | DomainError]:
    """The drafts of a batch of this agent; instead of an event that breaks a limit, the error."""
    return [
        broken_limits(message, f"events[{i}].") or event_draft(message, agent_id)
        for i, message in enumerate(request.events)
    ]


def attributed(draft: EventDraft | DomainError, caller: Principal) -> EventDraft | DomainError:
    """The draft as stated by this caller; the refusal if that may not name its actor."""
    if isinstance(draft, DomainError):
        return draft
    try:
        return replace(draft, actor=draft.actor.named_by(caller))
    except ScopeForbidden as refusal:
        return refusal


def event_draft(message: pb.NewEvent, agent_id: AgentId) -> EventDraft:
    """The draft of an event of this agent, which caused it where the event names nobody."""
    return EventDraft(
        session_id=message.session_id,
        actor=Actor(ActorType(message.actor.type), message.actor.id)
        if message.HasField("actor")
        else _default_actor(message, agent_id),
        content=content_of(message),
        kind=member(message.kind, EventKind.MESSAGE),
        channel=channel_of(message.channel),
        sensitivity=sensitivity_of(message.sensitivity),
        tags=tags_of(message.tags),
        occurred_at=time_of(message, "occurred_at"),
        refs=distinct(message.refs),
        importance=message.importance if message.HasField("importance") else None,
    )


def _default_actor(message: pb.NewEvent, agent_id: AgentId) -> Actor:
    match message.WhichOneof("content"):
        case "tool_result":
            return Actor(ActorType.TOOL, message.tool_result.tool)
        case "workflow_step":
            return Actor(ActorType.SYSTEM, message.workflow_step.workflow)
        case _:
            return Actor(ActorType.AGENT, agent_id or "default")


def event_id(value: str) -> EventId:
    return EventId(UUID(value))


@rule(pb.NewEvent)
def check_content(message: pb.NewEvent, path: str, checks: Checks) -> None:
    """An event of a kind has the content of its kind."""
    allowed = CONTENT_OF_KIND.get(message.kind, PLAIN)
    if message.WhichOneof("content") not in allowed:
        names = " or ".join(f"`{each}`" for each in allowed)
        checks.fail(f"{path}content", f"must be {names} for an event of this kind")


@rule(pb.ToolResult)
def check_tool_result(message: pb.ToolResult, path: str, checks: Checks) -> None:
    """A part of a text names the artifact of the whole; lines are in their order."""
    if message.truncated and not message.artifact_id:
        checks.fail(f"{path}artifact_id", "must name the whole of a text that is `truncated`")
    lines = message.line_range
    if message.HasField("line_range") and lines.last < lines.first:
        checks.fail(f"{path}line_range.last", "must not be before first")


def content_of(message: pb.NewEvent) -> EventContent:
    match message.WhichOneof("content"):
        case "tool_call":
            call = message.tool_call
            return ToolCallContent(call.tool, call.call_id, plain_object(call.arguments))
        case "tool_result":
            return _tool_result(message.tool_result)
        case "workflow_step":
            return _workflow_step(message.workflow_step)
        case "json":
            return JsonContent(plain_object(message.json))
    return TextContent(message.text)


def _tool_result(message: pb.ToolResult) -> ToolResultContent:
    first_line, last_line = _lines(message)
    return ToolResultContent(
        tool=message.tool,
        call_id=message.call_id,
        path=message.path,
        excerpt_text=message.excerpt_text,
        first_line=first_line,
        last_line=last_line,
        truncated=message.truncated,
        artifact_id=message.artifact_id,
        is_error=message.is_error,
        exit_code=message.exit_code if message.HasField("exit_code") else None,
    )


def _workflow_step(message: pb.WorkflowStep) -> WorkflowStepContent:
    return WorkflowStepContent(
        workflow=message.workflow,
        run=message.run,
        step=message.step,
        status=member(message.status, WorkflowStatus.SUCCEEDED),
        output=message.output,
    )


def _lines(message: pb.ToolResult) -> tuple[int, int]:
    """The first and the last line of the text; of an empty text the last is before the first."""
    if message.HasField("line_range"):
        return message.line_range.first, message.line_range.last
    text = message.excerpt_text
    return 1, text.count("\n") + (bool(text) and not text.endswith("\n"))


def fill_content(message: pb.NewEvent, content: EventContent) -> None:
    match content:
        case TextContent():
            message.text = content.text
        case JsonContent():
            fill_json(message.json, content.value)
        case ToolCallContent():
            message.tool_call.tool = content.tool
            message.tool_call.call_id = content.call_id
            fill_json(message.tool_call.arguments, content.arguments)
        case ToolResultContent():
            _fill_tool_result(message.tool_result, content)
        case WorkflowStepContent():
            _fill_workflow_step(message.workflow_step, content)


def _fill_tool_result(message: pb.ToolResult, content: ToolResultContent) -> None:
    message.tool = content.tool
    message.call_id = content.call_id
    message.path = content.path
    message.excerpt_text = content.excerpt_text
    message.line_range.first = content.first_line
    message.line_range.last = content.last_line
    message.truncated = content.truncated
    message.artifact_id = content.artifact_id
    message.is_error = content.is_error
    if content.exit_code is not None:
        message.exit_code = content.exit_code


def _fill_workflow_step(message: pb.WorkflowStep, content: WorkflowStepContent) -> None:
    message.workflow = content.workflow
    message.run = content.run
    message.step = content.step
    message.status = int(content.status)  # type: ignore[assignment]
    message.output = content.output
    message.truncated = content.truncated
    message.artifact_id = content.artifact_id
