"""Short ways to say what most tests of events, decisions, tasks and bundles do."""

from collections.abc import Sequence
from typing import Any

from camillo.v1.actor_pb2 import ACTOR_TYPE_HUMAN, ACTOR_TYPE_TOOL, EVENT_KIND_TOOL_RESULT, Actor
from camillo.v1.context_pb2 import Bundle, BundleSection, View
from camillo.v1.decision_pb2 import Decision, NewDecision
from camillo.v1.decision_service_pb2 import QueryDecisionsRequest, RecordDecisionRequest
from camillo.v1.event_pb2 import Event, EventFilter, NewEvent, ToolResult
from camillo.v1.event_service_pb2 import (
    BatchRecordEventsRequest,
    BatchRecordEventsResponse,
    GetEventRequest,
    ListEventsRequest,
    RecordedEvent,
    RecordEventRequest,
)
from camillo.v1.memory_pb2 import SOURCE_EVENT
from camillo.v1.memory_service_pb2 import RecallRequest
from camillo.v1.snapshot_service_pb2 import BuildBundleRequest, PutViewRequest
from camillo.v1.task_pb2 import NewTask, Task
from camillo.v1.task_service_pb2 import ListTasksRequest, UpsertTaskRequest

from tests.server_fixtures import Caller

USER = Actor(type=ACTOR_TYPE_HUMAN, id="user")
CONTENTS = {"text", "json", "tool_call", "tool_result", "workflow_step"}


def text_event(text: str = "hello", **fields: Any) -> NewEvent:
    """A person's message in the session `s`, unless told otherwise."""
    content = {} if CONTENTS & fields.keys() else {"text": text}
    return NewEvent(**{"session_id": "s", "actor": USER, **content, **fields})


def tool_event(text: str, **fields: Any) -> NewEvent:
    """A tool's answer; fields are those of the result."""
    return text_event(
        kind=EVENT_KIND_TOOL_RESULT,
        actor=Actor(type=ACTOR_TYPE_TOOL, id="grep"),
        tool_result=ToolResult(**{"tool": "grep", "excerpt_text": text, **fields}),
    )


async def record(caller: Caller, text: str = "hello", *, agent_id: str = "", **fields: Any) -> RecordedEvent:
    """Records an event and returns the recorded one."""
    request = RecordEventRequest(agent_id=agent_id, event=text_event(text, **fields))
    recorded: RecordedEvent = (await caller(request)).recorded
    return recorded


async def record_all(caller: Caller, events: Sequence[NewEvent], **fields: Any) -> BatchRecordEventsResponse:
    """The answer to a batch."""
    answer: BatchRecordEventsResponse = await caller(BatchRecordEventsRequest(events=events, **fields))
    return answer


async def get_event(caller: Caller, event_id: str, **fields: Any) -> Event:
    event: Event = (await caller(GetEventRequest(event_id=event_id, **fields))).event
    return event


async def listed(caller: Caller, wanted: EventFilter | None = None, **fields: Any) -> list[Event]:
    """All events of a list, page after page."""
    request = ListEventsRequest(filter=wanted, **fields)
    found: list[Event] = []
    while True:
        page = await caller(request)
        found += page.events
        if not page.next_page_token:
            return found
        request.page_token = page.next_page_token


async def texts(caller: Caller, wanted: EventFilter | None = None, **fields: Any) -> list[str]:
    """Texts of the events of a list."""
    return [event.stated.text for event in await listed(caller, wanted, **fields)]


async def recalled(caller: Caller, text: str, **fields: Any) -> list[str]:
    """The passages of events that a recall finds by their words."""
    asked = {"sources": [SOURCE_EVENT], "limit": 200, "explain": True, **fields}
    answer = await caller(RecallRequest(text=text, **asked))
    return [hit.chunk.text for hit in answer.hits if hit.breakdown.HasField("lexical")]


async def decide(caller: Caller, text: str, *refs: str, **fields: Any) -> Decision:
    """A decision that rests on these, of the agent `agent_id` among the fields."""
    agent_id = fields.pop("agent_id", "")
    stated = NewDecision(decision=text, refs=refs, **fields)
    decision: Decision = (await caller(RecordDecisionRequest(agent_id=agent_id, decision=stated))).decision
    return decision


async def decisions(caller: Caller, text: str = "", **fields: Any) -> list[str]:
    """The decisions on the first page of a query."""
    answer = await caller(QueryDecisionsRequest(text=text, **fields))
    return [found.decision.stated.decision for found in answer.decisions]


async def open_task(caller: Caller, title: str, *, agent_id: str = "", **fields: Any) -> Task:
    request = UpsertTaskRequest(agent_id=agent_id, task=NewTask(title=title, **fields))
    task: Task = (await caller(request)).task
    return task


async def tasks(caller: Caller, **fields: Any) -> list[str]:
    """The titles on the first page of a list."""
    return [task.stated.title for task in (await caller(ListTasksRequest(**fields))).tasks]


async def put_view(caller: Caller, name: str, text: str, *, agent_id: str = "", **fields: Any) -> View:
    request = PutViewRequest(agent_id=agent_id, view=View(name=name, text=text, **fields))
    view: View = (await caller(request)).view
    return view


async def bundle(caller: Caller, query_text: str = "", **fields: Any) -> Bundle:
    request = BuildBundleRequest(query_text=query_text, **fields)
    built: Bundle = (await caller(request)).bundle
    return built


def section(built: Bundle, name: str) -> BundleSection:
    """A section that has to be there."""
    return next(each for each in built.sections if each.name == name)


def shown(built: Bundle) -> dict[str, list[str]]:
    """The texts of all items by section."""
    return {each.name: [item.text for item in each.items] for each in built.sections}
