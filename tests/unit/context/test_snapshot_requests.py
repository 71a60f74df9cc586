"""Requests for a bundle; each limit with what is at it and what is beyond."""

from datetime import UTC, datetime
from typing import Any

import pytest
from camillo.v1 import channel_pb2, consistency_pb2
from camillo.v1 import context_pb2 as pb
from camillo.v1 import snapshot_service_pb2 as service
from camillo_server.across.context import messages as requests
from camillo_server.across.context.bundle import BundleRequest
from camillo_server.kernel.channel import Channel
from camillo_server.kernel.errors import InvalidField, RevisionUnknown, ScopeForbidden
from camillo_server.kernel.scope import Principal
from camillo_server.kernel.writes import FULLY_CONSISTENT, AtLeastAsFresh
from google.protobuf.timestamp_pb2 import Timestamp

from tests.cases import each_case
from tests.unit.rpc.records import ADA, BOB, CALLS, REVISIONS, SOME_ID
from tests.unit.rpc.violations import refused_fields

MOMENT = datetime(2026, 3, 1, 12, 30, tzinfo=UTC)
TOO_LATE = Timestamp(seconds=253402300800)


def moment() -> Timestamp:
    message = Timestamp()
    message.FromDatetime(MOMENT)
    return message


def snapshot(**values: Any) -> BundleRequest:
    request = service.BuildSnapshotRequest(**{"trigger_event": "t", **values})
    return requests.snapshot_request(request, CALLS.read_at_once(request))


def bundle(**values: Any) -> BundleRequest:
    request = service.BuildBundleRequest(**values)
    return requests.bundle_request(request, CALLS.read_at_once(request))


def working_memory(**values: Any) -> BundleRequest:
    request = service.BuildWorkingMemoryRequest(**values)
    return requests.working_memory_request(request, CALLS.read_at_once(request))


def turn(**values: Any) -> pb.Turn:
    return pb.Turn(**{"speaker": "user", "text": "hello", **values})


def test_a_bundle_has_all_that_was_asked(ada: Principal) -> None:
    asked = bundle(
        session_id="s",
        channel=channel_pb2.CHANNEL_TEAM,
        intent="план",
        query_text="什么",
        recipe="own_recipe-1",
        max_tokens=4096,
        freshness=consistency_pb2.Freshness(at_least_as_fresh=REVISIONS.revision(ADA, 9)),
        as_of=moment(),
        explain=True,
    )
    assert asked == BundleRequest(
        scope=ADA,
        recipe="own_recipe-1",
        channel=Channel.TEAM,
        session_id="s",
        intent="план",
        query="什么",
        max_tokens=4096,
        freshness=AtLeastAsFresh(9),
        as_of=MOMENT,
        explain=True,
    )


def test_what_is_not_asked_has_its_default(ada: Principal) -> None:
    assert bundle() == BundleRequest(scope=ADA, recipe="active_context", channel=Channel.PRIVATE)
    assert bundle().max_tokens is None


def test_a_snapshot_looks_for_its_trigger_and_its_focus(ada: Principal) -> None:
    assert snapshot(trigger_event="new mail", session_id="s") == BundleRequest(
        scope=ADA, recipe="run_snapshot", channel=Channel.PRIVATE, session_id="s", query="new mail"
    )
    assert snapshot(trigger_event="new mail", focus="deadline").query == "new mail\ndeadline"


def test_working_memory_brings_its_own_conversation(ada: Principal) -> None:
    turns = [turn(speaker="user", text="שלום"), turn(speaker="tool", text="ok", refs=[SOME_ID])]
    asked = working_memory(system_prompt="You are …", turns=turns, query_text="why?")
    assert asked == BundleRequest(
        scope=ADA,
        recipe="working_memory",
        channel=Channel.PRIVATE,
        query="why?",
        given_text="You are …",
        given_turns=(("user", "שלום", ()), ("tool", "ok", (SOME_ID,))),
    )


ASKING = {"bundle": bundle, "snapshot": snapshot, "working_memory": working_memory}


@each_case("name", ASKING)
@each_case(
    ("field", "beyond", "within"),
    [
        ("max_tokens", {"max_tokens": 0}, {"max_tokens": 1}),
        ("max_tokens", {"max_tokens": -1}, {}),
        ("max_tokens", {"max_tokens": 1_000_001}, {"max_tokens": 1_000_000}),
        ("channel", {"channel": 5}, {"channel": 4}),
        ("as_of", {"as_of": TOO_LATE}, {"as_of": Timestamp()}),
        ("agent_id", {"agent_id": "a b"}, {"agent_id": "bob"}),
    ],
)
def test_a_limit_of_every_bundle_holds(
    name: str, field: str, beyond: dict[str, Any], within: dict[str, Any], operator: Principal
) -> None:
    with pytest.raises(InvalidField) as caught:
        ASKING[name](**beyond)
    assert refused_fields(caught) == [field]
    ASKING[name](**within)


@each_case(
    ("name", "field", "beyond", "within"),
    [
        ("snapshot", "trigger_event", {"trigger_event": ""}, {"trigger_event": "x"}),
        ("snapshot", "trigger_event", {"trigger_event": "x" * 100_001}, {"trigger_event": "x" * 100_000}),
        ("snapshot", "focus", {"focus": "x" * 2001}, {"focus": "字" * 2000}),
        ("snapshot", "session_id", {"session_id": "x" * 129}, {"session_id": "x" * 128}),
        ("bundle", "session_id", {"session_id": "x" * 129}, {"session_id": "x" * 128}),
        ("bundle", "intent", {"intent": "x" * 129}, {"intent": "字" * 128}),
        ("bundle", "query_text", {"query_text": "x" * 100_001}, {"query_text": "x" * 100_000}),
        ("bundle", "recipe", {"recipe": "x" * 65}, {"recipe": "x" * 64}),
        ("bundle", "recipe", {"recipe": "No"}, {"recipe": "_-9a"}),
        ("working_memory", "query_text", {"query_text": "x" * 100_001}, {"query_text": "x" * 100_000}),
        ("working_memory", "system_prompt", {"system_prompt": "x" * 262_145}, {"system_prompt": "字" * 262_144}),
        ("working_memory", "turns", {"turns": [turn()] * 2001}, {"turns": [turn()] * 2000}),
        (
            "working_memory",
            "turns[1].speaker",
            {"turns": [turn(), turn(speaker="")]},
            {"turns": [turn(), turn(speaker="字" * 128)]},
        ),
        (
            "working_memory",
            "turns[0].speaker",
            {"turns": [turn(speaker="x" * 129)]},
            {"turns": [turn(speaker="x" * 128)]},
        ),
        ("working_memory", "turns[0].text", {"turns": [turn(text="")]}, {"turns": [turn()]}),
        (
            "working_memory",
            "turns[0].text",
            {"turns": [turn(text="x" * 262_145)]},
            {"turns": [turn(text="字" * 262_144)]},
        ),
        (
            "working_memory",
            "turns[0].refs",
            {"turns": [turn(refs=[*map(str, range(65))])]},
            {"turns": [turn(refs=[*map(str, range(64))])]},
        ),
    ],
)
def test_a_limit_of_one_kind_of_bundle_holds(
    name: str, field: str, beyond: dict[str, Any], within: dict[str, Any], ada: Principal
) -> None:
    with pytest.raises(InvalidField) as caught:
        ASKING[name](**beyond)
    assert refused_fields(caught) == [field]
    ASKING[name](**within)


@pytest.mark.parametrize("name", ASKING)
def test_how_fresh_is_asked_of_the_own_scope(name: str, ada: Principal) -> None:
    consistent = consistency_pb2.Freshness(fully_consistent=True)
    assert ASKING[name](freshness=consistent).freshness == FULLY_CONSISTENT
    of_bob = consistency_pb2.Freshness(at_least_as_fresh=REVISIONS.revision(BOB, 9))
    with pytest.raises(RevisionUnknown):
        ASKING[name](freshness=of_bob)


@pytest.mark.parametrize("name", ASKING)
def test_no_bundle_of_another_agent_is_built(name: str, ada: Principal) -> None:
    assert ASKING[name](agent_id="ada").scope == ADA
    with pytest.raises(ScopeForbidden):
        ASKING[name](agent_id="bob")
