"""Decisions as callers state them and ask for them; each limit with what is at it and what is beyond."""

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest
from camillo.v1 import channel_pb2
from camillo.v1 import decision_pb2 as pb
from camillo.v1 import decision_service_pb2 as service
from camillo.v1.memory_pb2 import SENSITIVITY_CONFIDENTIAL
from camillo_server.features.decisions import servicer as requests
from camillo_server.features.decisions.decision import DecisionDraft, DecisionFilter, DecisionReach, DecisionStatus
from camillo_server.kernel.channel import Channel
from camillo_server.kernel.kinds import Sensitivity
from google.protobuf.timestamp_pb2 import Timestamp

from tests.cases import each_case
from tests.unit.rpc.records import ADA, SOME_ID
from tests.unit.rpc.violations import broken

MOMENT = datetime(2026, 3, 1, 12, 30, tzinfo=UTC)
TOO_LATE = Timestamp(seconds=253402300800)


def test_a_draft_has_all_that_was_stated() -> None:
    decided = Timestamp()
    decided.FromDatetime(MOMENT)
    message = pb.NewDecision(
        decision="採用 Postgres",
        reach=pb.DECISION_REACH_GLOBAL,
        rationale=["ναι", "ναι"],
        constraints=["c"],
        alternatives=["d", "e"],
        consequences=["f"],
        refs=[SOME_ID, SOME_ID],
        session_id="s",
        channel=channel_pb2.CHANNEL_PUBLIC,
        sensitivity=SENSITIVITY_CONFIDENTIAL,
        tags=["t", "t"],
        decided_at=decided,
    )
    assert requests.decision_draft(message) == DecisionDraft(
        decision="採用 Postgres",
        refs=(SOME_ID,),
        reach=DecisionReach.GLOBAL,
        rationale=("ναι", "ναι"),
        constraints=("c",),
        alternatives=("d", "e"),
        consequences=("f",),
        session_id="s",
        channel=Channel.PUBLIC,
        sensitivity=Sensitivity.CONFIDENTIAL,
        tags=("t",),
        decided_at=MOMENT,
    )
    assert broken(message) == []


def test_a_decision_without_refs_is_left_to_the_use_case() -> None:
    """The message has no bad field, but states a decision that rests on nothing."""
    message = pb.NewDecision(decision="x")
    assert (requests.decision_draft(message), broken(message)) == (DecisionDraft("x", ()), [])


LISTS = ("rationale", "constraints", "alternatives", "consequences")


@each_case(
    ("field", "beyond", "within"),
    [
        ("decision", {"decision": ""}, {"decision": " "}),
        ("decision", {"decision": "x" * 2001}, {"decision": "😀" * 2000}),
        ("decision", {"decision": "a\0"}, {"decision": "a\x01"}),
        ("reach", {"reach": 4}, {"reach": 3}),
        *((name, {name: ["x"] * 33}, {name: ["x"] * 32}) for name in LISTS),
        *((f"{name}[1]", {name: ["x", ""]}, {name: ["x", "y"]}) for name in LISTS),
        *((f"{name}[0]", {name: ["x" * 2001]}, {name: ["字" * 2000]}) for name in LISTS),
        ("refs", {"refs": [*map(str, range(65))]}, {"refs": [*map(str, range(64))]}),
        ("refs[0]", {"refs": ["x" * 257]}, {"refs": ["x" * 256]}),
        ("session_id", {"session_id": "x" * 129}, {"session_id": "x" * 128}),
        ("channel", {"channel": 5}, {"channel": 4}),
        ("sensitivity", {"sensitivity": 5}, {"sensitivity": 4}),
        ("tags", {"tags": [*map(str, range(65))]}, {"tags": [*map(str, range(64))]}),
        ("decided_at", {"decided_at": TOO_LATE}, {"decided_at": Timestamp()}),
    ],
)
def test_a_limit_of_a_decision_holds(field: str, beyond: dict[str, Any], within: dict[str, Any]) -> None:
    stated = {"decision": "x", "refs": [SOME_ID]}
    refused = broken(pb.NewDecision(**{**stated, **beyond}), "decision.")
    taken = broken(pb.NewDecision(**{**stated, **within}), "decision.")
    assert (refused, taken) == ([f"decision.{field}"], [])


def superseding(**values: Any) -> service.SupersedeDecisionRequest:
    return service.SupersedeDecisionRequest(decision_id=SOME_ID, expected_version=1, **values)


def successor(**values: Any) -> tuple[Any, list[str]]:
    request = superseding(**values)
    return requests.successor_of(request), broken(request)


def test_a_successor_is_new_or_there_already() -> None:
    assert successor(successor_id=SOME_ID) == (UUID(SOME_ID), [])
    new = pb.NewDecision(decision="x", refs=[SOME_ID])
    assert successor(decision=new) == (DecisionDraft("x", (SOME_ID,)), [])


@pytest.mark.parametrize(
    ("values", "field"),
    [
        ({}, "successor"),
        ({"successor_id": ""}, "successor_id"),
        ({"successor_id": "x"}, "successor_id"),
        ({"decision": pb.NewDecision()}, "decision.decision"),
    ],
)
def test_a_supersession_has_to_say_what_takes_the_place(values: dict[str, Any], field: str) -> None:
    assert broken(superseding(**values)) == [field]


def test_a_query_has_all_that_was_asked() -> None:
    request = service.QueryDecisionsRequest(
        text="どのデータベース",
        filter=service.DecisionFilter(
            statuses=[pb.DECISION_STATUS_SUPERSEDED, pb.DECISION_STATUS_ACTIVE],
            reaches=[pb.DECISION_REACH_USER],
            session_id="s",
            tags_any=["t"],
            ref=SOME_ID,
        ),
        channel=channel_pb2.CHANNEL_TEAM,
    )
    asked = requests.query_of(request, ADA)
    assert broken(request) == []
    assert (asked.scope, asked.text, asked.channel) == (ADA, "どのデータベース", Channel.TEAM)
    assert asked.filter == DecisionFilter(
        statuses=(DecisionStatus.SUPERSEDED, DecisionStatus.ACTIVE),
        reaches=(DecisionReach.USER,),
        session_id="s",
        tags_any=("t",),
        ref=SOME_ID,
    )


@pytest.mark.parametrize("statuses", [[], [pb.DECISION_STATUS_UNSPECIFIED]])
def test_a_query_finds_what_is_in_force_unless_told_otherwise(statuses: list[Any]) -> None:
    request = service.QueryDecisionsRequest(filter=service.DecisionFilter(statuses=statuses))
    asked = requests.query_of(request, ADA)
    assert asked.filter == DecisionFilter(statuses=(DecisionStatus.ACTIVE,))
    assert asked.channel is Channel.PRIVATE


@each_case(
    ("field", "beyond", "within"),
    [
        ("text", {"text": "x" * 100_001}, {"text": "字" * 100_000}),
        ("channel", {"channel": 5}, {"channel": 0}),
        ("filter.statuses", {"filter": {"statuses": [3]}}, {"filter": {"statuses": [2]}}),
        ("filter.reaches", {"filter": {"reaches": [4]}}, {"filter": {"reaches": [3]}}),
        ("filter.session_id", {"filter": {"session_id": "x" * 129}}, {"filter": {"session_id": "x" * 128}}),
        ("filter.tags_any[0]", {"filter": {"tags_any": [""]}}, {"filter": {"tags_any": ["x"]}}),
        ("filter.ref", {"filter": {"ref": "x" * 257}}, {"filter": {"ref": "x" * 256}}),
    ],
)
def test_a_limit_of_a_query_holds(field: str, beyond: dict[str, Any], within: dict[str, Any]) -> None:
    refused = broken(service.QueryDecisionsRequest(**beyond))
    taken = broken(service.QueryDecisionsRequest(**within))
    assert (refused, taken) == ([field], [])


@pytest.mark.parametrize(
    ("kinds", "prefix", "contract"),
    [(DecisionStatus, "DECISION_STATUS", pb.DecisionStatus), (DecisionReach, "DECISION_REACH", pb.DecisionReach)],
)
def test_the_numbers_are_those_of_the_contract(kinds: Any, prefix: str, contract: Any) -> None:
    named = {f"{prefix}_{kind.name}": kind.value for kind in kinds}
    assert {**named, f"{prefix}_UNSPECIFIED": 0} == dict(contract.items())
