"""Texts of groups are made within the time of the call, whatever the model does."""

import asyncio
from collections.abc import Iterator, Sequence

import pytest
from camillo_server.features.compaction.compaction import CompactionReason, CompactionState, Refusal
from camillo_server.features.compaction.groups import Group
from camillo_server.features.compaction.merge import MAX_MODEL_CALLS, MergeGroups
from camillo_server.kernel.clock import set_deadline
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.scope import Scope
from camillo_server.lib.redaction.redaction import Redactor

from tests.unit.compaction.memories import NOW, memories

SPACE = Scope(TenantId("acme"), AgentId("alice"))


class Hesitant:
    """`Summariser` that answers but for what it was told not to, which it never does."""

    model_id = "hesitant"

    def __init__(self) -> None:
        self.asked = 0

    async def summarise(self, texts: Sequence[str], scope: Scope) -> str:
        self.asked += 1
        if "never" in texts[0]:
            await asyncio.Event().wait()
        return " ".join(texts)


@pytest.fixture
def short_deadline() -> Iterator[None]:
    set_deadline(0.2)
    yield
    set_deadline(None)


def group(*contents: str) -> Group:
    return Group(CompactionReason.NEAR_DUPLICATE, "", memories(contents))


@pytest.mark.usefixtures("short_deadline")
async def test_what_a_model_does_not_answer_in_time_is_refused_alone() -> None:
    groups = [group("it will never come", "never"), group("it comes", "it does")]
    made = await MergeGroups(Hesitant(), Redactor())(groups, SPACE, NOW)
    assert [(each.state, each.refusal) for each in made] == [
        (CompactionState.REFUSED, Refusal.BAD_SUMMARY),
        (CompactionState.PROPOSED, None),
    ]


async def test_a_model_is_asked_so_often_and_rules_as_often_as_need_be() -> None:
    groups = [group(f"tea {number}", f"tea, {number}") for number in range(2 * MAX_MODEL_CALLS)]
    model = Hesitant()
    made = await MergeGroups(model, Redactor())(groups, SPACE, NOW)
    assert len(made) == model.asked == MAX_MODEL_CALLS
    assert len(await MergeGroups(None, Redactor())(groups, SPACE, NOW)) == 2 * MAX_MODEL_CALLS
