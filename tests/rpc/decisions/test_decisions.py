"""Decisions: they rest on something, take each other's place without going round in circles, and are found."""

import grpc
import pytest
from camillo.v1 import channel_pb2 as channels
from camillo.v1 import decision_pb2 as pb
from camillo.v1 import decision_service_pb2 as service
from camillo.v1 import memory_pb2

from tests.rpc.memories.calls import UNKNOWN_ID
from tests.rpc.records import decide, decisions, record
from tests.secret_samples import samples
from tests.server_fixtures import Caller, Server, StartServer, refused


def supersede(old: pb.Decision, new: pb.NewDecision | str, version: int = 1) -> service.SupersedeDecisionRequest:
    """Supersedes a decision by a new one, or by the one of this id."""
    request = service.SupersedeDecisionRequest(decision_id=old.decision_id, expected_version=version)
    if isinstance(new, str):
        request.successor_id = new
    else:
        request.decision.CopyFrom(new)
    return request


async def get(caller: Caller, decision_id: str, **fields: object) -> pb.Decision:
    request = service.GetDecisionRequest(decision_id=decision_id, **fields)  # type: ignore[arg-type]
    decision: pb.Decision = (await caller(request)).decision
    return decision


async def test_a_decision_is_read_as_it_was_stated(server: Server) -> None:
    event = await record(server.alice, "let us take Postgres")
    stated = pb.NewDecision(
        decision="採用 Postgres 🎉",
        reach=pb.DECISION_REACH_GLOBAL,
        rationale=["known", "known"],
        constraints=["one database"],
        alternatives=["SQLite"],
        consequences=["a server"],
        refs=[event.event_id],
        session_id="s",
        tags=["db", "db"],
    )
    request = service.RecordDecisionRequest(request_id="once", decision=stated)
    answer = await server.alice(request)
    assert await server.alice(request) == answer
    found = await get(server.reader, answer.decision.decision_id)
    assert found == answer.decision
    assert (found.status, found.version, found.agent_id) == (pb.DECISION_STATUS_ACTIVE, 1, "alice")
    told = found.stated
    assert (told.channel, told.sensitivity) == (channels.CHANNEL_PRIVATE, memory_pb2.SENSITIVITY_INTERNAL)
    assert told.decided_at == found.created_at
    for field in ("channel", "sensitivity", "decided_at"):
        told.ClearField(field)
    stated.ClearField("tags")
    stated.tags.append("db")
    assert told == stated


async def test_a_decision_rests_on_something_that_is_there(server: Server) -> None:
    event = await record(server.alice, "let us take Postgres")
    told = await refused(decide(server.alice, "on nothing"))
    assert (told.code, told.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "PROVENANCE_REQUIRED")
    dangling = await refused(decide(server.alice, "dangling", event.event_id, UNKNOWN_ID))
    assert (dangling.reason, dangling.metadata) == ("REF_NOT_FOUND", {"ref": UNKNOWN_ID})
    assert await decisions(server.alice) == []
    await decide(server.alice, "good", event.event_id)
    assert await decisions(server.alice) == ["good"]


async def test_a_decision_takes_the_place_of_another_and_both_say_so(server: Server) -> None:
    event = await record(server.alice, "let us take Postgres")
    old = await decide(server.alice, "SQLite", event.event_id)
    request = supersede(old, pb.NewDecision(decision="Postgres", refs=[event.event_id]))
    request.request_id = "once"
    answer = await server.alice(request)
    assert await server.alice(request) == answer
    new = answer.decision
    assert (list(new.supersedes), new.status) == ([old.decision_id], pb.DECISION_STATUS_ACTIVE)
    gone = await get(server.alice, old.decision_id)
    assert gone == answer.superseded
    assert (gone.superseded_by, gone.status, gone.version) == (new.decision_id, pb.DECISION_STATUS_SUPERSEDED, 2)
    assert gone.HasField("superseded_at")
    assert await decisions(server.alice) == ["Postgres"]
    both = service.DecisionFilter(statuses=[pb.DECISION_STATUS_ACTIVE, pb.DECISION_STATUS_SUPERSEDED])
    assert set(await decisions(server.alice, filter=both)) == {"Postgres", "SQLite"}


async def test_a_place_is_taken_once_and_never_in_a_circle(server: Server) -> None:
    event = await record(server.alice, "let us decide")
    one, two, three = [await decide(server.alice, f"number {i}", event.event_id) for i in range(3)]
    itself = await refused(server.alice(supersede(one, one.decision_id)))
    assert (itself.code, itself.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "DECISION_CYCLE")
    taken = await server.alice(supersede(one, two.decision_id))
    assert (list(taken.decision.supersedes), taken.decision.version) == ([one.decision_id], 2)
    back = await refused(server.alice(supersede(two, one.decision_id, version=2)))
    assert (back.reason, set(back.metadata)) == ("DECISION_CYCLE", {"decision_id"})
    again = await refused(server.alice(supersede(one, three.decision_id, version=1)))
    assert (again.code, again.reason) == (grpc.StatusCode.ABORTED, "VERSION_CONFLICT")
    chain = await server.alice(supersede(two, three.decision_id, version=2))
    assert chain.superseded.superseded_by == three.decision_id
    assert await decisions(server.alice) == ["number 2"]


async def test_what_is_not_there_cannot_be_superseded(server: Server) -> None:
    event = await record(server.alice, "let us decide")
    one = await decide(server.alice, "one", event.event_id)
    for request in (supersede(pb.Decision(decision_id=UNKNOWN_ID), one.decision_id), supersede(one, UNKNOWN_ID)):
        told = await refused(server.alice(request))
        assert (told.reason, told.metadata) == ("DECISION_NOT_FOUND", {"decision_id": UNKNOWN_ID})
    assert (await get(server.alice, one.decision_id)).status == pb.DECISION_STATUS_ACTIVE


async def test_decisions_are_listed_the_latest_first_in_pages(server: Server) -> None:
    event = await record(server.alice, "let us decide")
    for i in range(5):
        await decide(server.alice, f"number {i}", event.event_id, tags=[f"t{i % 2}"])
        server.clock.move(60)
    request = service.QueryDecisionsRequest(page_size=2)
    found = []
    while True:
        page = await server.alice(request)
        found += [each.decision.stated.decision for each in page.decisions]
        if not page.next_page_token:
            break
        request.page_token = page.next_page_token
    assert found == [f"number {i}" for i in range(4, -1, -1)]
    odd = service.DecisionFilter(tags_any=["t1"])
    assert await decisions(server.alice, filter=odd) == ["number 3", "number 1"]
    resting = service.DecisionFilter(ref=event.event_id)
    assert len(await decisions(server.alice, filter=resting)) == 5
    other = service.DecisionFilter(ref=UNKNOWN_ID)
    assert await decisions(server.alice, filter=other) == []
    request.filter.CopyFrom(odd)
    assert (await refused(server.alice(request))).reason == "INVALID_PAGE_TOKEN"


async def test_decisions_are_found_by_what_they_say(start_server: StartServer) -> None:
    # Vectors that follow from the words: whether they are made yet must not decide which comes first.
    server = await start_server(memory={"embedding_model": "lexical"})
    event = await record(server.alice, "let us decide")
    await decide(server.alice, "数据库 wird Postgres", event.event_id)
    await decide(server.alice, "the logo is green", event.event_id)
    answer = await server.alice(service.QueryDecisionsRequest(text="postgres 数据库"))
    assert answer.decisions[0].decision.stated.decision == "数据库 wird Postgres"
    assert answer.decisions[0].score > 0
    assert answer.next_page_token == ""


@pytest.mark.parametrize("text", ["", "color"])
async def test_what_was_decided_elsewhere_is_never_shown_in_public(server: Server, text: str) -> None:
    event = await record(server.alice, "let us decide")
    told = {"sensitivity": memory_pb2.SENSITIVITY_PUBLIC}
    private = await decide(server.alice, "private color", event.event_id, **told)
    await decide(server.alice, "public color", event.event_id, channel=channels.CHANNEL_PUBLIC, **told)
    await decide(server.alice, "internal color", event.event_id, channel=channels.CHANNEL_PUBLIC)
    assert len(await decisions(server.alice, text)) == 3
    assert await decisions(server.alice, text, channel=channels.CHANNEL_PUBLIC) == ["public color"]
    hidden = get(server.alice, private.decision_id, channel=channels.CHANNEL_PUBLIC)
    assert (await refused(hidden)).reason == "DECISION_NOT_FOUND"


async def test_an_agent_reads_its_own_and_the_shared_decisions(server: Server) -> None:
    mine = await record(server.alice, "let us decide")
    shared = await record(server.admin, "we all decide")
    bobs = await record(server.admin, "bob decides", agent_id="bob")
    await decide(server.alice, "mine", mine.event_id)
    await decide(server.admin, "shared", shared.event_id)
    stated = pb.NewDecision(decision="bob's", refs=[bobs.event_id])
    of_bob = await server.admin(service.RecordDecisionRequest(agent_id="bob", decision=stated))
    assert set(await decisions(server.alice)) == {"mine", "shared"}
    hidden = await refused(get(server.alice, of_bob.decision.decision_id))
    assert hidden.reason == "DECISION_NOT_FOUND"
    assert set(await decisions(server.admin, agent_id="bob")) == {"bob's", "shared"}


async def test_secrets_are_taken_out_of_decisions(server: Server) -> None:
    secret = samples(7)["github-pat"]
    event = await record(server.alice, "let us decide")
    stated = pb.NewDecision(decision=f"use {secret}", rationale=["good", f"it is {secret}"], refs=[event.event_id])
    answer = await server.alice(service.RecordDecisionRequest(decision=stated))
    assert len(answer.redactions) == 2
    found = await get(server.alice, answer.decision.decision_id)
    assert secret not in str(found)
    assert (found.stated.decision[:4], found.stated.rationale[0]) == ("use ", "good")


@pytest.mark.parametrize(
    ("request_", "field"),
    [
        (service.RecordDecisionRequest(), "decision.decision"),
        (service.GetDecisionRequest(decision_id="x"), "decision_id"),
        (service.QueryDecisionsRequest(page_size=201), "page_size"),
        (service.SupersedeDecisionRequest(decision_id=UNKNOWN_ID, expected_version=1), "successor"),
        (service.SupersedeDecisionRequest(decision_id=UNKNOWN_ID, successor_id=UNKNOWN_ID), "expected_version"),
    ],
)
async def test_a_bad_request_is_refused_with_its_field(server: Server, request_: object, field: str) -> None:
    told = await refused(server.alice(request_))  # type: ignore[arg-type]
    assert (told.code, told.fields) == (grpc.StatusCode.INVALID_ARGUMENT, (field,))
