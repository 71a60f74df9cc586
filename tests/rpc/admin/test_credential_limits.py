"""Bounds of a credential: what it may read, and for whom it speaks; a call narrows them, and never widens them."""

import grpc
import pytest
from camillo.v1 import actor_pb2 as actors
from camillo.v1 import admin_pb2 as pb
from camillo.v1 import admin_service_pb2 as admin
from camillo.v1 import channel_pb2 as channels
from camillo.v1 import memory_pb2
from camillo.v1 import memory_service_pb2 as memory
from camillo_server.doors.rpc.admission import is_open_to
from camillo_server.kernel.channel import Channel, ReadLimit
from camillo_server.kernel.kinds import Sensitivity

from tests.rpc.memories.calls import recall, remember
from tests.rpc.records import get_event, record, record_all, text_event
from tests.rpc.test_random_requests import METHODS
from tests.server_fixtures import Caller, Server, refused

FORBIDDEN = (grpc.StatusCode.PERMISSION_DENIED, "SCOPE_FORBIDDEN")
LEVELS = ("public", "internal", "confidential", "restricted")
ADA = actors.Actor(type=actors.ACTOR_TYPE_HUMAN, id="ada")
ALICE = actors.Actor(type=actors.ACTOR_TYPE_AGENT, id="alice")
TOOL = actors.Actor(type=actors.ACTOR_TYPE_TOOL, id="grep")


async def bound(server: Server, **fields: object) -> tuple[Caller, pb.ApiKey]:
    """A writer of the agent `alice` with a key that is bound so."""
    request = admin.CreateKeyRequest(agent_id="alice", role=pb.ROLE_WRITER, **fields)  # type: ignore[arg-type]
    made = await server.admin(request)
    return server.caller(made.secret), made.key


async def keep_one_of_each_level(server: Server) -> None:
    for number, level in enumerate(LEVELS, 1):
        await remember(server.alice, f"tea is {level}", sensitivity=number)


async def levels_recalled(caller: Caller, **fields: object) -> set[str]:
    answer = await recall(caller, "tea", **fields)
    return {hit.memory.content.removeprefix("tea is ") for hit in answer.hits}


# Bound of a key, the channel that a call asks for, and how many of the four levels it is shown.
READS: tuple[tuple[dict[str, int], str, int], ...] = (
    ({}, "PRIVATE", 4),
    ({"channel": channels.CHANNEL_TEAM}, "PRIVATE", 3),
    ({"channel": channels.CHANNEL_AGENT}, "UNSPECIFIED", 2),
    ({"channel": channels.CHANNEL_AGENT}, "TEAM", 2),
    ({"channel": channels.CHANNEL_AGENT}, "PUBLIC", 1),
    ({"channel": channels.CHANNEL_PUBLIC}, "PRIVATE", 1),
    ({"max_sensitivity": memory_pb2.SENSITIVITY_CONFIDENTIAL}, "PRIVATE", 3),
    ({"max_sensitivity": memory_pb2.SENSITIVITY_INTERNAL}, "PRIVATE", 2),
    ({"max_sensitivity": memory_pb2.SENSITIVITY_PUBLIC}, "TEAM", 1),
    ({"channel": channels.CHANNEL_TEAM, "max_sensitivity": 2}, "PRIVATE", 2),
)


@pytest.mark.caches
async def test_a_call_narrows_what_a_key_reads_and_never_widens_it(server: Server) -> None:
    await keep_one_of_each_level(server)
    for limit, asked, shown in READS:
        caller, key = await bound(server, **limit)
        channel = channels.Channel.Value(f"CHANNEL_{asked}")
        assert await levels_recalled(caller, channel=channel) == set(LEVELS[:shown]), limit
        several = memory.BatchRecallRequest(
            requests=[memory.RecallRequest(text="tea", channel=channels.Channel.Name(channel))]
        )
        [found] = (await caller(several)).results
        assert len(found.response.hits) == shown, limit
        who = await caller(admin.WhoAmIRequest())
        assert (who.channel, who.max_sensitivity) == (
            limit.get("channel", 0),
            limit.get("max_sensitivity", 0),
        )
        assert key.channel == who.channel


async def test_a_key_with_a_level_lists_up_to_that_level_and_reads_nothing_by_id(
    server: Server,
) -> None:
    await keep_one_of_each_level(server)
    caller, _ = await bound(server, max_sensitivity=memory_pb2.SENSITIVITY_INTERNAL)
    for asked, shown in ((0, 2), (1, 1), (4, 2)):
        wanted = memory.ListMemoriesRequest(
            filter=memory_pb2.MemoryFilter(max_sensitivity=asked)  # type: ignore[arg-type]
        )
        assert len((await caller(wanted)).memories) == shown
    by_id = memory.GetMemoryRequest(memory_id=(await remember(caller, "coffee")).memory_id)
    failed = await refused(caller(by_id))
    assert (failed.code, failed.reason) == FORBIDDEN
    assert (await server.alice(by_id)).memory.content == "coffee"


def test_methods_that_nobody_has_looked_at_are_closed_to_a_bound_credential() -> None:
    def open_to(limit: ReadLimit) -> set[str]:
        return {each.name for each in METHODS if is_open_to(f"/{each.containing_service.full_name}/{each.name}", limit)}

    by_channel = open_to(ReadLimit(Channel.AGENT))
    takes_channel = {each.name for each in METHODS if "channel" in each.input_type.fields_by_name}
    assert by_channel - takes_channel == {
        "BatchRecall",
        "BatchRecordEvents",
        "BatchRemember",
        "BatchSetMemory",
        "GetUpload",
        "ImportMemories",
        "OffloadOutput",
        "PublishDocument",
        "PutArtifact",
        "PutSkill",
        "RecordDecision",
        "RecordAuditEntry",
        "RecordEvent",
        "Remember",
        "SetMemory",
        "WhoAmI",
    }
    by_level = open_to(ReadLimit(max_sensitivity=Sensitivity.INTERNAL))
    assert by_level - by_channel == {"ListMemories", "ExportMemories"}


async def test_what_an_agents_key_says_of_others_is_reported_and_of_itself_verified(
    server: Server,
) -> None:
    caller, key = await bound(server)
    for actor, trust in ((ADA, "REPORTED"), (TOOL, "REPORTED"), (ALICE, "VERIFIED")):
        recorded = await record(caller, "用户说: hello 🦊", actor=actor)
        event = await get_event(caller, recorded.event_id)
        assert actors.Trust.Name(event.trust) == f"TRUST_{trust}"
        assert event.credential == key.key_id


async def test_a_key_that_speaks_for_some_actors_names_no_other(server: Server) -> None:
    caller, key = await bound(server, actors=["human:ada", "tool:*"])
    assert list(key.actors) == ["human:ada", "tool:*"]
    for actor in (ADA, TOOL):
        recorded = await record(caller, "hello", actor=actor)
        event = await get_event(caller, recorded.event_id)
        assert event.trust == actors.TRUST_VERIFIED
    bob = actors.Actor(type=actors.ACTOR_TYPE_HUMAN, id="bob")
    failed = await refused(record(caller, "hello", actor=bob))
    assert (failed.code, failed.reason) == FORBIDDEN
    answer = await record_all(caller, [text_event(actor=ADA), text_event(actor=bob)])
    assert [each.HasField("recorded") for each in answer.results] == [True, False]


async def test_a_key_speaks_for_nobody_for_whom_its_maker_does_not(server: Server) -> None:
    request = admin.CreateKeyRequest(any_agent=True, role=pb.ROLE_TENANT_ADMIN, actors=["human:ada", "tool:*"])
    maker = server.caller((await server.admin(request)).secret)
    made = admin.CreateKeyRequest(agent_id="alice", role=pb.ROLE_WRITER)
    assert list((await maker(made)).key.actors) == ["human:ada", "tool:*"]
    made.actors[:] = ["tool:grep"]
    assert list((await maker(made)).key.actors) == ["tool:grep"]
    made.actors[:] = ["human:*"]
    failed = await refused(maker(made))
    assert (failed.code, failed.reason) == FORBIDDEN


async def test_an_actor_that_no_event_has_is_refused(server: Server) -> None:
    for actor in ("ada", "robot:r2", "human:", f"human:{'x' * 129}"):
        failed = await refused(bound(server, actors=[actor]))
        assert failed.code == grpc.StatusCode.INVALID_ARGUMENT


async def test_a_key_tells_the_categories_of_the_documents_that_it_reads(server: Server) -> None:
    caller, key = await bound(server, document_categories=["pricing", "policy", "policy"])
    assert list(key.document_categories) == ["policy", "pricing"]
    who = await caller(admin.WhoAmIRequest())
    assert list(who.document_categories) == ["policy", "pricing"]
    listed = (await server.admin(admin.ListKeysRequest())).keys
    assert [each.key_id for each in listed if each.document_categories] == [key.key_id]
    unbound, _ = await bound(server)
    assert not (await unbound(admin.WhoAmIRequest())).document_categories


async def test_a_key_reads_no_documents_that_its_maker_does_not(server: Server) -> None:
    request = admin.CreateKeyRequest(
        any_agent=True, role=pb.ROLE_TENANT_ADMIN, document_categories=["policy", "pricing"]
    )
    maker = server.caller((await server.admin(request)).secret)
    made = admin.CreateKeyRequest(agent_id="alice", role=pb.ROLE_WRITER)
    assert list((await maker(made)).key.document_categories) == ["policy", "pricing"]
    made.document_categories[:] = ["pricing"]
    assert list((await maker(made)).key.document_categories) == ["pricing"]
    for beyond in (["hr"], ["pricing", "hr"]):
        made.document_categories[:] = beyond
        failed = await refused(maker(made))
        assert (failed.code, failed.reason) == FORBIDDEN
    assert list((await server.admin(made)).key.document_categories) == ["hr", "pricing"]


async def test_a_category_that_no_document_has_is_refused(server: Server) -> None:
    for category in ("", "HR", "政策", "a b", "x" * 65):
        failed = await refused(bound(server, document_categories=[category]))
        assert failed.code == grpc.StatusCode.INVALID_ARGUMENT
    failed = await refused(bound(server, document_categories=[f"c{n}" for n in range(17)]))
    assert failed.code == grpc.StatusCode.INVALID_ARGUMENT
    await bound(server, document_categories=["x" * 64])
