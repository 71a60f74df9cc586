"""The recipes that show what happened before: similar tasks, how tools ended, and what was decided."""

from typing import Any

import pytest
from camillo.v1 import actor_pb2 as actors
from camillo.v1 import audit_service_pb2 as audit
from camillo.v1 import memory_pb2
from camillo.v1.audit_pb2 import NewAuditAction
from camillo.v1.channel_pb2 import CHANNEL_PUBLIC
from camillo.v1.context_pb2 import Bundle
from camillo.v1.event_service_pb2 import RecordEventRequest

from tests.rpc.events.test_workflows import step
from tests.rpc.memories.calls import remember
from tests.rpc.records import bundle, decide, shown, tool_event
from tests.server_fixtures import Caller, Server

TASK = "import the 发票 invoices of Müller e\u0301"


async def recorded(caller: Caller, event: Any, **fields: Any) -> None:
    await caller(RecordEventRequest(event=event, **fields))


async def answered(caller: Caller, text: str, tool: str = "psql", **fields: Any) -> None:
    """Records an answer of a tool."""
    agent = {"agent_id": fields.pop("agent_id")} if "agent_id" in fields else {}
    await recorded(caller, tool_event(text, tool=tool, **fields), **agent)


async def approve(caller: Caller, message: str, action: str = "refund.approved", **at: Any) -> None:
    new = NewAuditAction(action=action, message=message)
    await caller(audit.RecordAuditEntryRequest(action=new, **at))


async def built(caller: Caller, recipe: str, query: str, **fields: Any) -> dict[str, list[str]]:
    answer: Bundle = await bundle(caller, query, recipe=recipe, **fields)
    return {name: texts for name, texts in shown(answer).items() if texts}


async def test_an_attempt_that_failed_is_in_the_bundle_and_marked(server: Server) -> None:
    failed = step("parse", "import", f"{TASK}: unknown encoding", status=actors.WORKFLOW_STATUS_FAILED)
    await recorded(server.alice, failed)
    await recorded(server.alice, step("load", "import", f"{TASK}: 40 rows"))
    await recorded(server.alice, step("load", "import", f"{TASK}: begun", status=actors.WORKFLOW_STATUS_STARTED))
    outcome = f"Could not {TASK}"
    await remember(server.alice, outcome, kind=memory_pb2.MEMORY_KIND_ERROR)
    await remember(server.alice, f"A note on: {TASK}")
    await remember(server.admin, f"{outcome}, says bob", kind=memory_pb2.MEMORY_KIND_ERROR, agent_id="bob")
    event = (await server.alice(RecordEventRequest(event=tool_event("ledger")))).recorded
    await decide(server.alice, f"To {TASK} by hand", event.event_id)

    found = await built(server.alice, "similar_past_tasks", TASK)

    assert found["outcomes"] == [outcome]
    assert found["failed_steps"] == [f"import / parse: failed\n{TASK}: unknown encoding"]
    assert found["successful_steps"] == [f"import / load: succeeded\n{TASK}: 40 rows"]
    assert [each.splitlines()[0] for each in found["decisions"]] == [f"To {TASK} by hand"]
    bobs = await built(server.admin, "similar_past_tasks", TASK, agent_id="bob")
    assert bobs == {"outcomes": [f"{outcome}, says bob"]}


@pytest.mark.own_server
async def test_steps_that_the_tenant_shares_are_found_for_each_agent(server: Server) -> None:
    await recorded(server.admin, step("parse", "import", TASK))
    await recorded(server.admin, step("parse", "import", f"bob: {TASK}"), agent_id="bob")
    await recorded(server.rival, step("parse", "import", f"rival: {TASK}"))
    text = f"import / parse: succeeded\n{TASK}"
    assert (await built(server.alice, "similar_past_tasks", TASK)) == {"successful_steps": [text]}
    bobs = await built(server.admin, "similar_past_tasks", TASK, agent_id="bob")
    assert sorted(bobs["successful_steps"]) == sorted([text, text.replace("\n", "\nbob: ")])
    at_home = await built(server.admin, "similar_past_tasks", TASK)
    assert at_home == {"successful_steps": [text]}


async def test_tools_that_failed_are_shown_apart_from_those_that_succeeded(server: Server) -> None:
    await answered(server.alice, "vacuum full: lock timeout 超时", exit_code=1)
    await answered(server.alice, "vacuum analyze: done", exit_code=0)
    await answered(server.alice, "vacuum analyze: refused", is_error=True)
    await answered(server.admin, "vacuum of bob", agent_id="bob", exit_code=1)

    found = await built(server.alice, "tool_outcomes", "psql vacuum")

    assert sorted(found["failed"]) == [
        "psql error\nvacuum analyze: refused",
        "psql exit code 1\nvacuum full: lock timeout 超时",
    ]
    assert found["succeeded"] == ["psql\nvacuum analyze: done"]


async def test_decisions_and_approvals_of_the_whole_tenant_are_shown(server: Server) -> None:
    event = (await server.alice(RecordEventRequest(event=tool_event("ledger")))).recorded
    await decide(server.alice, "A refund above 500 € needs Ida", event.event_id)
    remembered = "The refund of order 7 was decided against"
    await remember(server.alice, remembered, kind=memory_pb2.MEMORY_KIND_DECISION)
    await remember(server.alice, "A refund takes three days")
    await remember(server.admin, "A refund, decides bob", kind=memory_pb2.MEMORY_KIND_DECISION, agent_id="bob")
    await approve(server.alice, "Refund of order 4 批准")
    await approve(server.admin, "Refund of order 5", "refund.rejected", agent_id="bob")
    await approve(server.rival, "Refund of order 6")

    found = await built(server.alice, "past_decisions", "refund")

    assert [each.splitlines()[0] for each in found["decisions"]] == ["A refund above 500 € needs Ida"]
    assert sorted(found["actions"]) == ["refund.approved: Refund of order 4 批准", "refund.rejected: Refund of order 5"]
    assert found["remembered"] == [remembered]
    assert await built(server.alice, "past_decisions", "refund", channel=CHANNEL_PUBLIC) == {}
    at_home = await built(server.admin, "past_decisions", "refund")
    assert sorted(at_home["actions"]) == sorted(found["actions"])


@pytest.mark.parametrize("recipe", ["similar_past_tasks", "tool_outcomes", "past_decisions"])
async def test_who_has_no_past_is_shown_none(server: Server, recipe: str) -> None:
    assert await built(server.alice, recipe, TASK) == {}
