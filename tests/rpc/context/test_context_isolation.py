"""Another's ids lead nowhere: of another agent or tenant, read, changed, named, handed over or removed."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import grpc
import pytest
from camillo.v1 import admin_service_pb2 as admin
from camillo.v1 import decision_service_pb2 as decisions
from camillo.v1 import event_service_pb2 as events
from camillo.v1 import snapshot_service_pb2 as snapshots
from camillo.v1 import task_service_pb2 as tasks
from camillo.v1.artifact_service_pb2 import OffloadOutputRequest
from camillo.v1.context_pb2 import HandoffPacket, View
from camillo.v1.decision_pb2 import NewDecision
from camillo.v1.event_pb2 import EventFilter
from camillo.v1.memory_pb2 import SOURCE_DECISION, SOURCE_EVENT, SOURCE_MEMORY
from camillo.v1.memory_service_pb2 import RecallRequest
from camillo.v1.task_pb2 import NewTask
from google.protobuf.message import Message

from tests.rpc.memories.calls import UNKNOWN_ID, remember
from tests.rpc.records import bundle, decide, get_event, open_task, put_view, record, text_event, texts
from tests.server_fixtures import Caller, Server, refusal, refused

pytestmark = pytest.mark.own_server

TEXT = "wisteria 紫藤 وستارية"


@dataclass(frozen=True, slots=True)
class Owned:
    """Ids of records that the agent alice of `acme` has."""

    event_id: str
    chunk_id: str
    memory_id: str
    decision_id: str
    task_id: str
    artifact_id: str

    @property
    def ids(self) -> list[str]:
        return [self.event_id, self.chunk_id, self.memory_id, self.decision_id, self.task_id, self.artifact_id]


@pytest.fixture
async def owned(server: Server) -> Owned:
    for caller, agent_id in ((server.admin, "bob"), (server.admin, "carol")):
        await caller(admin.CreateAgentRequest(agent_id=agent_id))
    event = await record(server.alice, TEXT)
    await put_view(server.alice, "identity", TEXT)
    put = await server.alice(OffloadOutputRequest(output=TEXT.encode() * 4000))
    return Owned(
        event_id=event.event_id,
        chunk_id=event.chunk_ids[0],
        memory_id=(await remember(server.alice, TEXT)).memory_id,
        decision_id=(await decide(server.alice, TEXT, event.event_id)).decision_id,
        task_id=(await open_task(server.alice, TEXT)).task_id,
        artifact_id=put.artifact.artifact_id,
    )


class Stranger:
    """Somebody else: another agent of the tenant, or an agent of the same name in another one."""

    def __init__(self, caller: Caller, agent_id: str) -> None:
        self._caller = caller
        self.agent_id = agent_id

    async def __call__(self, request: Message) -> Any:
        request.agent_id = self.agent_id  # type: ignore[attr-defined]
        return await self._caller(request)


STRANGERS: dict[str, Callable[[Server], Stranger]] = {
    "another agent": lambda server: Stranger(server.admin, "bob"),
    "another tenant": lambda server: Stranger(server.rival, "alice"),
}


@pytest.fixture(params=STRANGERS)
def stranger(request: pytest.FixtureRequest, server: Server) -> Stranger:
    return STRANGERS[request.param](server)


def by_id(owned: Owned) -> dict[str, Message]:
    """Every call that names a thing by its id, and the reason by which it is not found."""
    return {
        "EVENT_NOT_FOUND": events.GetEventRequest(event_id=owned.event_id),
        "DECISION_NOT_FOUND": decisions.GetDecisionRequest(decision_id=owned.decision_id),
        "TASK_NOT_FOUND": tasks.GetTaskRequest(task_id=owned.task_id),
    }


def changes(owned: Owned) -> list[tuple[str, Message]]:
    """Every call that would change or pass on what is another's."""
    return [
        (
            "DECISION_NOT_FOUND",
            decisions.SupersedeDecisionRequest(
                decision_id=owned.decision_id, expected_version=1, decision=NewDecision(decision="mine", refs=[])
            ),
        ),
        (
            "TASK_NOT_FOUND",
            tasks.UpsertTaskRequest(task_id=owned.task_id, expected_version=1, task=NewTask(title="mine")),
        ),
        (
            "TASK_NOT_FOUND",
            snapshots.HandOffRequest(to_agent_id="carol", packet=HandoffPacket(goal="x", task_ids=[owned.task_id])),
        ),
        (
            "DECISION_NOT_FOUND",
            snapshots.HandOffRequest(
                to_agent_id="carol", packet=HandoffPacket(goal="x", decision_ids=[owned.decision_id])
            ),
        ),
        ("VIEW_NOT_FOUND", snapshots.GetViewRequest(name="identity")),
        ("VIEW_NOT_FOUND", snapshots.DeleteViewRequest(name="identity")),
    ]


async def test_what_is_anothers_is_not_found_by_its_id(server: Server, owned: Owned, stranger: Stranger) -> None:
    for reason, request in by_id(owned).items():
        assert await server.alice(request)
        told = await refused(stranger(request))
        assert (told.code, told.reason) == (grpc.StatusCode.NOT_FOUND, reason)


async def test_what_is_anothers_is_neither_changed_nor_handed_over_nor_removed(
    server: Server, owned: Owned, stranger: Stranger
) -> None:
    await stranger._caller(  # its own event, to have something to rest on
        events.RecordEventRequest(agent_id=stranger.agent_id, event=text_event("own"))
    )
    own = (await stranger(events.ListEventsRequest())).events[0].event_id
    if stranger.agent_id == "alice":
        await server.root(admin.CreateAgentRequest(tenant_id="rival", agent_id="carol"))
    for reason, request in changes(owned):
        if isinstance(request, decisions.SupersedeDecisionRequest):
            request.decision.refs.append(own)
        told = await refused(stranger(request))
        assert (told.code, told.reason) == (grpc.StatusCode.NOT_FOUND, reason), request
    forget = events.ForgetEventsRequest(event_ids=events.EventIds(ids=[owned.event_id]))
    assert (await stranger(forget)).forgotten == 0
    assert (await stranger(events.ForgetEventsRequest(session_id="s"))).forgotten == 1
    for request in by_id(owned).values():
        assert await server.alice(request)
    forget.agent_id = ""
    assert (await server.alice(forget)).forgotten == 1


@pytest.mark.parametrize("case", ["event", "decision", "task"])
async def test_refs_to_what_is_anothers_or_nowhere_are_refused(
    server: Server, owned: Owned, stranger: Stranger, case: str
) -> None:
    def naming(refs: list[str]) -> Message:
        if case == "event":
            return events.RecordEventRequest(event=text_event("x", refs=refs))
        if case == "decision":
            stated = NewDecision(decision="x", refs=refs)
            return decisions.RecordDecisionRequest(decision=stated)
        return tasks.UpsertTaskRequest(task=NewTask(title="x", refs=refs))

    recorded = await stranger(events.RecordEventRequest(event=text_event("own")))
    own = recorded.recorded.event_id
    for ref in (*owned.ids, UNKNOWN_ID, "nowhere", "00000000-0000-0000-0000-000000000000"):
        told = await refused(stranger(naming([own, ref])))
        assert (told.code, told.reason, told.metadata) == (
            grpc.StatusCode.FAILED_PRECONDITION,
            "REF_NOT_FOUND",
            {"ref": ref},
        )
    assert await stranger(naming([own]))
    assert await server.alice(naming(owned.ids))


async def test_nothing_of_another_is_listed_found_watched_or_shown(
    server: Server, owned: Owned, stranger: Stranger
) -> None:
    async def everything(caller: Callable[[Message], Any]) -> str:
        sources = [SOURCE_MEMORY, SOURCE_EVENT, SOURCE_DECISION]
        asked = [
            events.ListEventsRequest(),
            events.ListEventsRequest(filter=EventFilter(session_id="s")),
            decisions.QueryDecisionsRequest(),
            decisions.QueryDecisionsRequest(text=TEXT),
            tasks.ListTasksRequest(),
            snapshots.ListViewsRequest(),
            snapshots.ListHandoffsRequest(),
            snapshots.BuildBundleRequest(query_text=TEXT, session_id="s", explain=True),
            snapshots.BuildSnapshotRequest(trigger_event="紫藤", explain=True),
            snapshots.BuildWorkingMemoryRequest(query_text="紫藤", explain=True),
            RecallRequest(text=TEXT, sources=sources),
        ]
        answers = [await caller(request) for request in asked]
        for answer in answers:
            if hasattr(answer, "bundle"):
                answer.bundle.provenance.Clear()
        return "".join(map(str, answers))

    await stranger(events.RecordEventRequest(event=text_event("own words")))
    theirs, hers = await everything(stranger), await everything(server.alice)
    for secret in (*owned.ids, r"\347\264\253\350\227\244", "wisteria"):
        assert secret not in theirs, secret
    for secret in (owned.event_id, owned.decision_id, owned.task_id, "wisteria"):
        assert secret in hers
    assert "own words" in theirs
    assert "own words" not in hers


async def test_rebuilding_ones_chunks_leaves_anothers_alone(server: Server, owned: Owned, stranger: Stranger) -> None:
    await stranger(events.RecordEventRequest(event=text_event("own")))
    rebuilt = await stranger(events.RebuildChunksRequest())
    assert (rebuilt.dropped, rebuilt.made) == (1, 1)
    answer = await server.alice(events.GetEventRequest(event_id=owned.event_id))
    assert list(answer.chunk_ids) == [owned.chunk_id]
    assert (await get_event(server.alice, owned.event_id)).stated.text == TEXT
    assert await texts(server.alice) == [TEXT]
    assert TEXT in (await bundle(server.alice, "wisteria")).prompt


# Right but for the agent; a method that is missing here needs nothing more.
NEEDED: dict[str, dict[str, Any]] = {
    "RecordEventRequest": {"event": text_event("x")},
    "BatchRecordEventsRequest": {"events": [text_event("x")]},
    "GetEventRequest": {"event_id": UNKNOWN_ID},
    "WatchEventsRequest": {"from_beginning": True},
    "ForgetEventsRequest": {"session_id": "s"},
    "RecordDecisionRequest": {"decision": NewDecision(decision="x", refs=[UNKNOWN_ID])},
    "SupersedeDecisionRequest": {
        "decision_id": UNKNOWN_ID,
        "expected_version": 1,
        "decision": NewDecision(decision="x", refs=[UNKNOWN_ID]),
    },
    "GetDecisionRequest": {"decision_id": UNKNOWN_ID},
    "UpsertTaskRequest": {"task": NewTask(title="x")},
    "GetTaskRequest": {"task_id": UNKNOWN_ID},
    "BuildSnapshotRequest": {"trigger_event": "x"},
    "PutViewRequest": {"view": View(name="rules", text="x")},
    "GetViewRequest": {"name": "rules"},
    "DeleteViewRequest": {"name": "rules"},
    "HandOffRequest": {"to_agent_id": "carol", "packet": HandoffPacket(goal="x")},
}
SERVICES = (events, decisions, tasks, snapshots)
AGENT_REQUESTS = [
    method.input_type.name
    for service in SERVICES
    for described in service.DESCRIPTOR.services_by_name.values()
    for method in described.methods
    if "agent_id" in method.input_type.fields_by_name
]


async def test_a_bound_key_reaches_no_other_agent_by_any_method(server: Server, owned: Owned) -> None:
    assert len(AGENT_REQUESTS) >= 23
    for name in AGENT_REQUESTS:
        request_type = next(getattr(each, name) for each in SERVICES if hasattr(each, name))
        for agent_id, is_reached in (("bob", False), ("alice", True)):
            call = server.alice.begin(request_type(agent_id=agent_id, **NEEDED.get(name, {})))
            reason = ""
            try:
                await (anext(aiter(call)) if name == "WatchEventsRequest" else call)
            except grpc.aio.AioRpcError as error:
                reason = refusal(error).reason
            assert (reason == "SCOPE_FORBIDDEN") != is_reached, (name, agent_id, reason)
            assert reason != "INVALID_FIELD", name
            call.cancel()
