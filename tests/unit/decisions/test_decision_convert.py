"""Decisions as the contract has them."""

from datetime import UTC
from typing import Any
from uuid import UUID

from camillo.v1 import channel_pb2, memory_pb2
from camillo.v1 import decision_pb2 as pb
from camillo_server.doors.rpc import tokens
from camillo_server.features.decisions.decision import (
    Decision,
    DecisionDraft,
    DecisionId,
    DecisionReach,
    DecisionStatus,
)
from camillo_server.features.decisions.decisions import DecisionPage
from camillo_server.features.decisions.servicer import decision_draft, decision_message, query_response
from camillo_server.kernel.channel import Channel
from camillo_server.kernel.ids import PageCursor
from camillo_server.kernel.kinds import Sensitivity

from tests.unit.rpc.records import HAPPENED, RECORDED, SOME_ID, decision
from tests.unit.rpc.violations import broken

BINDING = tokens.query_binding("x")
STATED = DecisionDraft(
    decision="إلى Postgres 🎉",
    refs=(SOME_ID, "tool_1"),
    reach=DecisionReach.USER,
    rationale=("a", "a"),
    constraints=("b",),
    alternatives=("c",),
    consequences=("d", "e"),
    session_id="s",
    channel=Channel.AGENT,
    sensitivity=Sensitivity.RESTRICTED,
    tags=("t",),
    decided_at=HAPPENED,
)


def test_a_decision_is_told_whole() -> None:
    told = decision_message(decision(stated=STATED))
    assert (decision_draft(told.stated), broken(told.stated)) == (STATED, [])
    assert (told.stated.channel, told.stated.sensitivity) == (
        channel_pb2.CHANNEL_AGENT,
        memory_pb2.SENSITIVITY_RESTRICTED,
    )
    assert (told.decision_id, told.agent_id, told.version) == (str(UUID(int=6)), "ada", 1)
    assert told.status == pb.DECISION_STATUS_ACTIVE
    assert told.created_at.ToDatetime(tzinfo=UTC) == RECORDED
    assert (told.superseded_by, list(told.supersedes)) == ("", [])
    assert not told.HasField("superseded_at")


def test_a_decision_that_lost_its_place_says_to_which_one_and_when() -> None:
    told = decision_message(
        decision(
            status=DecisionStatus.SUPERSEDED,
            supersedes=(DecisionId(UUID(int=1)), DecisionId(UUID(int=2))),
            superseded_by=DecisionId(UUID(int=3)),
            superseded_at=HAPPENED,
            version=2,
        )
    )
    assert told.status == pb.DECISION_STATUS_SUPERSEDED
    assert list(told.supersedes) == [str(UUID(int=1)), str(UUID(int=2))]
    assert told.superseded_by == str(UUID(int=3))
    assert told.superseded_at.ToDatetime(tzinfo=UTC) == HAPPENED


def found(*decisions: Decision, **told: Any) -> DecisionPage:
    values = {"next_cursor": None, "embedding_failed": False, "vectors_pending": False, "encrypted_not_searched": False}
    scored = [(each, 0.5) for each in decisions]
    return DecisionPage(decisions=scored, **{**values, **told})


def large(count: int) -> list[Decision]:
    """Decisions of about 0.8 MiB each."""
    long = ("字" * 2000,) * 32
    stated = DecisionDraft(
        "x", (SOME_ID,), rationale=long, constraints=long, alternatives=long, consequences=long, decided_at=HAPPENED
    )
    return [decision(stated=stated, decision_id=DecisionId(UUID(int=i))) for i in range(count)]


def test_an_answer_tells_scores_and_where_it_goes_on() -> None:
    cursor = PageCursor(HAPPENED, UUID(int=6))
    answer = query_response(found(decision(), next_cursor=cursor), BINDING, is_ranked=False)
    assert [(each.decision.stated.decision, each.score) for each in answer.decisions] == [("Wir nehmen Postgres", 0.5)]
    place = tokens.read_page_token(BINDING, answer.next_page_token)
    assert place == (HAPPENED, UUID(int=6))
    assert list(answer.degraded) == []
    assert query_response(found(), BINDING, is_ranked=True).next_page_token == ""


def test_a_page_ends_before_it_becomes_too_large_and_goes_on_there() -> None:
    answer = query_response(found(*large(6)), BINDING, is_ranked=False)
    assert 0 < len(answer.decisions) < 6
    assert answer.ByteSize() < 3 * 2**20 + 1000
    place = tokens.read_page_token(BINDING, answer.next_page_token)
    assert place == (RECORDED, UUID(int=len(answer.decisions) - 1))


def test_the_one_page_of_a_text_has_none_behind_it() -> None:
    answer = query_response(found(*large(6)), BINDING, is_ranked=True)
    assert 0 < len(answer.decisions) < 6
    assert answer.next_page_token == ""


def test_an_answer_says_why_it_is_less_good() -> None:
    worst = found(embedding_failed=True, vectors_pending=True, encrypted_not_searched=True)
    assert list(query_response(worst, BINDING, is_ranked=True).degraded) == [
        memory_pb2.DEGRADED_REASON_EMBEDDING_UNAVAILABLE,
        memory_pb2.DEGRADED_REASON_VECTORS_PENDING,
        memory_pb2.DEGRADED_REASON_SEALED_NOT_SEARCHED,
    ]
