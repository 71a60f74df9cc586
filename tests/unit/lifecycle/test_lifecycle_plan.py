"""Differences that tell one plan from another, and how long a plan is good for."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from camillo_server.across.lifecycle.plan import (
    Action,
    LifecyclePolicy,
    MemorySelector,
    Plan,
    PlannedItem,
    Reason,
    Selected,
)
from camillo_server.kernel.errors import InvalidField
from camillo_server.kernel.ids import AgentId, MemoryId, TenantId
from camillo_server.kernel.kinds import MemoryKind
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import PlanRef
from camillo_server.rows.row_filter import Archived

from tests.cases import each_case

NOW = datetime(2030, 1, 1, tzinfo=UTC)
ALICE = Scope(TenantId("acme"), AgentId("alice"))
SELECTED = Selected(Action.ARCHIVE, MemorySelector(tags_any=("会议", "🦓")))


def item(number: int, **changed: Any) -> PlannedItem:
    planned = PlannedItem(
        memory_id=MemoryId(UUID(int=number)),
        version=1,
        action=Action.ARCHIVE,
        reason=Reason.DECAYED,
        decayed_importance=0.05,
        last_used_at=NOW,
        kind=MemoryKind.FACT,
    )
    return planned._replace(**changed)


PLAN = Plan(ALICE, SELECTED, NOW, (item(1), item(2)))
OTHERS = {
    "another scope": replace(PLAN, scope=Scope(TenantId("acme"), AgentId("bob"))),
    "another tenant": replace(PLAN, scope=Scope(TenantId("rival"), AgentId("alice"))),
    "another moment": replace(PLAN, at=NOW + timedelta(microseconds=1)),
    "the policy": replace(PLAN, work=LifecyclePolicy()),
    "another selector": replace(PLAN, work=Selected(Action.ARCHIVE, MemorySelector(tags_all=("会议", "🦓")))),
    "something else to do": replace(PLAN, work=replace(SELECTED, action=Action.REMOVE)),
    "one less": replace(PLAN, items=(item(1),)),
    "one more": replace(PLAN, items=(item(1), item(2), item(3))),
    "another one": replace(PLAN, items=(item(1), item(3))),
    "another version": replace(PLAN, items=(item(1), item(2, version=2))),
    "another action": replace(PLAN, items=(item(1), item(2, action=Action.REMOVE))),
    "another reason": replace(PLAN, items=(item(1), item(2, reason=Reason.UNIMPORTANT))),
}


@each_case("other", OTHERS.values(), ids=list(OTHERS))
def test_another_plan_has_another_digest(other: Plan) -> None:
    assert other.digest() != PLAN.digest()


def test_the_same_plan_has_the_same_digest_however_much_has_faded() -> None:
    same = replace(PLAN, items=(item(1, decayed_importance=0.04), item(2)))
    assert same.digest() == PLAN.digest()


def test_a_plan_is_good_for_an_hour() -> None:
    ref = PlanRef(NOW, PLAN.digest())
    assert ref.holds(PLAN.digest(), NOW)
    assert ref.holds(PLAN.digest(), NOW + timedelta(hours=1))
    assert not ref.holds(PLAN.digest(), NOW + timedelta(hours=1, microseconds=1))
    assert not ref.holds(PLAN.digest(), NOW - timedelta(microseconds=1))
    assert not ref.holds(b"", NOW)


def test_counts_go_by_action_and_reason_in_order() -> None:
    removed = item(3, action=Action.REMOVE, reason=Reason.RETENTION)
    plan = replace(PLAN, items=(removed, item(1, reason=Reason.OVER_QUOTA), item(2), item(4)))
    assert list(plan.counts.items()) == [
        ((Action.ARCHIVE, Reason.DECAYED), 2),
        ((Action.ARCHIVE, Reason.OVER_QUOTA), 1),
        ((Action.REMOVE, Reason.RETENTION), 1),
    ]
    assert plan.taken_by(Action.REMOVE) == [removed.memory_id]


@pytest.mark.parametrize("empty", [MemorySelector(), MemorySelector(archived=Archived.INCLUDE)])
def test_a_selector_that_would_take_everything_is_refused(empty: MemorySelector) -> None:
    assert empty.is_empty
    with pytest.raises(InvalidField):
        empty.checked()


@pytest.mark.parametrize("stated", [{"archived": Archived.ONLY}, {"max_access_count": 0}, {"importance_below": 0.0}])
def test_one_condition_is_enough_also_one_that_is_zero(stated: dict[str, Any]) -> None:
    selector = MemorySelector(**stated)
    assert not selector.is_empty
    assert selector.checked() is selector


def test_a_span_said_again_is_the_same_plan() -> None:
    first, again = (
        replace(PLAN, work=Selected(Action.ARCHIVE, MemorySelector(unused_since=at, created_before=at)))
        for at in (NOW, NOW + timedelta(seconds=5))
    )
    assert first.digest() == again.digest()
    assert first.digest() != PLAN.digest()
