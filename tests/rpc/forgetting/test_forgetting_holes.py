"""Forgetting leaves no hole: neither records of requests nor other stores and agents keep what was forgotten."""

from typing import Any

import psycopg
import pytest
from camillo.v1 import admin_service_pb2 as admin
from camillo.v1 import memory_pb2
from camillo.v1.decision_pb2 import NewDecision
from camillo.v1.decision_service_pb2 import SupersedeDecisionRequest
from camillo.v1.event_service_pb2 import EventIds, ForgetEventsRequest
from camillo.v1.forgetting_pb2 import RecordIds
from camillo.v1.lifecycle_service_pb2 import (
    ForgetRequest,
    ForgetResponse,
    LiftValueBlocksRequest,
    ListReceiptsRequest,
    ResetRequest,
)
from camillo.v1.run_pb2 import RunStep, Trigger
from camillo.v1.run_service_pb2 import AppendRunRequest, RenderRunRequest, StartRunRequest
from camillo_server.across.admin.store.invariants import violations
from camillo_server.kernel.scope import Role

from tests.postgres_fixtures import TestDatabase
from tests.rpc.context.test_handoffs import hand_off, handoffs
from tests.rpc.memories.calls import UNKNOWN_ID, listed, remember
from tests.rpc.records import bundle, decide, decisions, open_task, put_view, record, shown, tasks
from tests.rpc.records import texts as event_texts
from tests.rpc.test_secrets import stored_texts
from tests.server_fixtures import Caller, Server, refused

VALUE = "Die Winterküche liegt hinter dem Schieferdach 🏠"
WORD = "schieferdach"
CONTROL = "Der Dachdecker kommt am 冬至 wieder"


@pytest.fixture
async def server(server: Server) -> Server:
    """A server with the agent that is handed over to."""
    await server.admin(admin.CreateAgentRequest(agent_id="bob"))
    return server


@pytest.mark.own_server
async def test_a_repeated_handoff_returns_its_row_and_nothing_once_that_is_gone(server: Server) -> None:
    event = await record(server.alice, "let us decide")
    decision = await decide(server.alice, VALUE, event.event_id)
    request = hand_off("finish", decision_ids=[decision.decision_id], request_id="once")
    first = await server.alice(request)
    assert VALUE in first.handoff.text
    assert await server.alice(request) == first
    # Its only copies are the row of the decision, its chunk, and the row of the handoff.
    await server.admin(ResetRequest(agent_id="bob", confirm="bob"))
    with_decision = stored_texts(server.database)
    assert VALUE in with_decision
    assert f"Decisions:\\\\n- {VALUE}" not in with_decision
    again = (await server.alice(request)).handoff
    assert (again.handoff_id, again.created_at) == (first.handoff.handoff_id, first.handoff.created_at)
    assert (again.text, again.tokens) == ("", 0)
    assert again.packet == first.handoff.packet


async def forget(caller: Caller, *, value: str | None = None, **fields: Any) -> tuple[ForgetResponse, dict[str, int]]:
    """The answer, which a dry run has told before, and its rows by store."""
    names = RecordIds.DESCRIPTOR.fields_by_name
    records = {name: fields.pop(name) for name in [*fields] if name in names}
    request = ForgetRequest(records=RecordIds(**records) if records else None, value=value, **fields)
    dry = await caller(ForgetRequest(dry_run=True, **_fields(request)))
    answer: ForgetResponse = await caller(request)
    assert (dry.receipt.receipt_id, dry.receipt.blocked_values, dry.receipt.scopes) == (
        "",
        answer.receipt.blocked_values,
        answer.receipt.scopes,
    )
    assert dry.receipt.records == answer.receipt.records
    return answer, {each.store: each.rows for each in answer.receipt.stores if each.rows}


def _fields(request: ForgetRequest) -> dict[str, Any]:
    return {descriptor.name: value for descriptor, value in request.ListFields()}


def invariants_hold(database: TestDatabase) -> bool:
    with psycopg.connect(database.server_url, autocommit=True) as connection:
        return not list(violations(connection))


@pytest.mark.own_server
async def test_single_records_are_forgotten_with_what_cites_and_what_repeats_them(server: Server) -> None:
    event = await record(server.alice, "let us decide")
    decision = await decide(server.alice, VALUE, event.event_id, rationale=["it is warm"])
    cites = await open_task(server.alice, "cites it", refs=[decision.decision_id])
    repeats = await open_task(server.alice, f"Also: {VALUE.upper()}!")
    further = await decide(server.alice, "second order", cites.task_id)
    noted = await remember(server.alice, "rests on it", source_refs=[decision.decision_id.upper()])
    for text in (CONTROL, "other"):
        await open_task(server.alice, text)
    await put_view(server.alice, "rules", f"- {VALUE}\n- {CONTROL}")
    await put_view(server.alice, "style", CONTROL)
    await server.alice(hand_off("finish", decision_ids=[decision.decision_id]))
    await server.alice(hand_off(CONTROL))
    assert WORD in stored_texts(server.database).lower()

    answer, rows = await forget(server.alice, decision_ids=[decision.decision_id, UNKNOWN_ID])

    gone = answer.receipt.records
    assert sorted(gone.decision_ids) == sorted([decision.decision_id, further.decision_id])
    assert sorted(gone.task_ids) == sorted([cites.task_id, repeats.task_id])
    assert (list(gone.memory_ids), list(gone.view_names)) == ([noted.memory_id], ["rules"])
    assert len(gone.handoff_ids) == 1
    assert rows.items() >= {"decisions": 2, "chunks": 2, "tasks": 2, "views": 1}.items()
    assert await decisions(server.alice) == []
    assert sorted(await tasks(server.alice)) == sorted([CONTROL, "other"])
    assert [each.packet.goal for each in await handoffs(server, "bob")] == [CONTROL]
    bobs = shown(await bundle(server.admin, agent_id="bob"))
    assert (CONTROL in str(bobs), WORD in str(bobs).lower()) == (True, False)
    stored = stored_texts(server.database).lower()
    assert (CONTROL.lower() in stored, WORD in stored) == (True, False)
    assert (await refused(open_task(server.alice, VALUE.lower()))).reason == "VALUE_REJECTED"
    assert await event_texts(server.alice) == ["let us decide"]
    assert invariants_hold(server.database)
    [receipt] = (await server.alice(ListReceiptsRequest())).receipts
    assert (receipt.receipt_id, receipt.cause) == (answer.receipt.receipt_id, "forget")


async def test_what_is_retracted_may_be_stated_again(server: Server) -> None:
    task = await open_task(server.alice, VALUE)
    await put_view(server.alice, "rules", CONTROL)
    answer, rows = await forget(server.alice, task_ids=[task.task_id], view_names=["rules"], allow_restating=True)
    assert (rows, answer.receipt.blocked_values) == ({"tasks": 1, "views": 1}, 0)
    assert await open_task(server.alice, VALUE)
    handed = (await server.alice(hand_off(CONTROL))).handoff
    await forget(server.alice, handoff_ids=[handed.handoff_id], allow_restating=True)
    assert await handoffs(server, "bob") == []


@pytest.mark.own_server
@pytest.mark.parametrize("place", ["first", "middle", "last", "last two"])
async def test_what_a_forgotten_decision_superseded_is_linked_to_the_next_or_in_force_again(
    server: Server, place: str
) -> None:
    event = await record(server.alice, "let us decide")
    chain = [await decide(server.alice, "Wir nehmen Schiefer", event.event_id)]
    for text in ("Wir nehmen Ziegel", "Wir nehmen 茅草"):
        stated = NewDecision(decision=text, refs=[event.event_id])
        old = chain[-1].decision_id
        answer = await server.alice(SupersedeDecisionRequest(decision_id=old, expected_version=1, decision=stated))
        chain.append(answer.decision)
    slices = {"first": slice(0, 1), "middle": slice(1, 2), "last": slice(2, 3)}
    gone = chain[slices.get(place, slice(1, 3))]
    await forget(server.alice, decision_ids=[each.decision_id for each in gone])
    left = [each for each in chain if each not in gone]
    in_force = left[-1].stated.decision
    assert await decisions(server.alice) == [in_force]
    assert await decisions(server.alice, in_force) == [in_force]
    assert invariants_hold(server.database)


@pytest.mark.own_server
async def test_an_event_takes_what_was_derived_over_every_step(server: Server) -> None:
    event = await record(server.alice, VALUE)
    kept = await record(server.alice, CONTROL)
    first = await remember(server.alice, "first order", source_refs=[event.chunk_ids[0]])
    second = await remember(server.alice, "second order", source_refs=[first.memory_id])
    decision = await decide(server.alice, "because of it", second.memory_id)
    task = await open_task(server.alice, "do it", refs=[decision.decision_id])
    of_kept = await decide(server.alice, "because of the other", kept.event_id)
    request = ForgetEventsRequest(event_ids=EventIds(ids=[event.event_id]))
    answer = await server.alice(request)
    assert sorted(answer.receipt.invalidated_memory_ids) == sorted([first.memory_id, second.memory_id])
    rows = {each.store: each.rows for each in answer.receipt.stores}
    assert rows.items() >= {"events": 1, "memories": 2, "decisions": 1, "tasks": 1}.items()
    assert await listed(server.alice) == []
    assert await decisions(server.alice) == [of_kept.stated.decision]
    assert (await tasks(server.alice), bool(task)) == ([], True)
    assert invariants_hold(server.database)


@pytest.mark.own_server
async def test_a_value_goes_from_every_store_of_the_scope(server: Server) -> None:
    sensitive: dict[str, Any] = {"sensitivity": memory_pb2.SENSITIVITY_CONFIDENTIAL}
    for text in (VALUE, CONTROL):
        await remember(server.alice, f"Was ich weiß: {text}. Und mehr.")
        await remember(server.alice, f"Im Vertrauen. {text}!", **sensitive)
        await record(server.alice, f"ida: Guten Tag\n{text}", **sensitive)
        event = await record(server.alice, json={"a": {"b": [text.upper()]}})
        await decide(server.alice, "decided", event.event_id, rationale=[text])
        await put_view(server.alice, "a" if text is VALUE else "b", text, **sensitive)
        await server.alice(hand_off("finish", note=text))
        run = await server.alice(StartRunRequest(trigger=Trigger(type="t")))
        steps = [RunStep(llm_response=text)]
        await server.alice(AppendRunRequest(run_id=run.run.run_id, steps=steps))
        await remember(server.alice, f"Mit Anhang {text[:3]}", metadata={"where": text})
    other = await remember(server.admin, VALUE, agent_id="bob")
    answer, rows = await forget(server.alice, value=VALUE.lower())
    assert rows.items() >= {
        "memories": 3, "events": 2, "decisions": 1, "views": 1, "handoffs": 1, "runs": 1,
    }.items()  # fmt: skip
    assert answer.receipt.blocked_values == 1
    assert len(await listed(server.alice)) == 3
    assert len(await event_texts(server.alice)) == 2
    assert (await server.alice(RenderRunRequest(run_id=run.run.run_id))).prompt
    # Nobody asked for what others know; the receipt says so.
    assert await listed(server.admin, agent_id="bob") == [other.content]
    assert "other_scopes" in {each.place for each in answer.receipt.remains}
    _, rows = await forget(server.admin, value=VALUE, all_scopes=True)
    assert rows["memories"] == 1
    stored = stored_texts(server.database).lower()
    assert (CONTROL.lower() in stored, WORD in stored) == (True, False)
    assert invariants_hold(server.database)


@pytest.mark.own_server
async def test_a_whole_tenant_forgets_and_its_receipt_says_where(server: Server) -> None:
    event = await record(server.alice, "let us decide")
    decision = await decide(server.alice, VALUE, event.event_id)
    await server.alice(hand_off("finish", decision_ids=[decision.decision_id]))
    by_bob = await remember(server.admin, "heard of it", agent_id="bob", source_refs=[decision.decision_id])
    await remember(server.admin, f"Bob says: {VALUE}.", agent_id="bob")
    shared = await open_task(server.admin, VALUE, agent_id="@shared")
    await open_task(server.admin, CONTROL, agent_id="@shared")
    rival = await remember(server.rival, VALUE)
    answer, rows = await forget(
        server.admin, agent_id="alice", decision_ids=[decision.decision_id],
        all_scopes=True, request_id="once",
    )  # fmt: skip
    assert (answer.receipt.scopes, answer.receipt.blocked_values) == (3, 1)
    assert rows.items() >= {"decisions": 1, "memories": 2, "tasks": 1, "handoffs": 1}.items()
    assert by_bob.memory_id in answer.receipt.records.memory_ids
    assert list(answer.receipt.records.task_ids) == [shared.task_id]
    assert await listed(server.admin, agent_id="bob") == []
    assert await handoffs(server, "bob") == []
    assert await tasks(server.alice) == [CONTROL]
    # Blocked for every agent of the tenant, and lifted in the shared scope.
    for agent_id in ("bob", "alice", "@shared"):
        call = open_task(server.admin, VALUE, agent_id=agent_id)
        assert (await refused(call)).reason == "VALUE_REJECTED"
    assert await listed(server.rival) == [rival.content]
    assert invariants_hold(server.database)
    lift = LiftValueBlocksRequest(agent_id="@shared", receipt_id=answer.receipt.receipt_id)
    assert (await server.admin(lift)).lifted == 1
    assert await open_task(server.admin, VALUE, agent_id="bob")
    again = ForgetRequest(
        agent_id="alice", records=RecordIds(decision_ids=[decision.decision_id]), all_scopes=True, request_id="once"
    )
    assert await server.admin(again) == answer
    assert sorted(await tasks(server.admin, agent_id="bob")) == sorted([VALUE, CONTROL])


@pytest.mark.own_server
async def test_only_an_administrator_of_every_agent_forgets_for_all(server: Server) -> None:
    bound = server.new_key("alice", Role.TENANT_ADMIN)
    writer = server.new_key(None, Role.WRITER)
    for key in (bound, writer):
        request = ForgetRequest(value=VALUE, all_scopes=True)
        assert (await refused(server.caller(key)(request))).reason == "SCOPE_FORBIDDEN"
        request.all_scopes = False
        assert await server.caller(key)(request)


async def test_a_request_names_something(server: Server) -> None:
    for request in (
        ForgetRequest(),
        ForgetRequest(records=RecordIds()),
        ForgetRequest(value=" "),
        ForgetRequest(records=RecordIds(task_ids=["x"])),
    ):
        assert (await refused(server.alice(request))).reason == "INVALID_FIELD"


async def test_what_stays_is_listed(server: Server) -> None:
    event = await record(server.alice, "the ground of it")
    memory = await remember(server.alice, VALUE, source_refs=[event.event_id])
    answer, _ = await forget(server.alice, memory_ids=[memory.memory_id])
    left = {each.place: list(each.ids) for each in answer.receipt.remains}
    assert left["events"] == [event.event_id]
    assert {"dead_rows", "indexes", "write_ahead_log", "process_memory", "backups"} <= left.keys()
    assert all(each.until for each in answer.receipt.remains)
