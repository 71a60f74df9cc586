"""ForgetSpace: a person goes from every store of their space, and from other spaces what the caller chose."""

import re
from typing import Any

import grpc
import psycopg
import pytest
from camillo.v1 import forgetting_pb2
from camillo.v1 import lifecycle_service_pb2 as lifecycle
from camillo.v1 import space_service_pb2 as service
from camillo_client import AsyncCamillo

from tests.rpc.memories.calls import remember
from tests.rpc.spaces.test_grants import granted
from tests.server_fixtures import Server, refused

NAME, CANARY = "Ana Díaz", "Kanarienvogel7319"
FORBIDDEN = (grpc.StatusCode.PERMISSION_DENIED, "SCOPE_FORBIDDEN")
INVALID = grpc.StatusCode.INVALID_ARGUMENT


async def told(camillo: AsyncCamillo) -> dict[str, str]:
    """A person with records in every store, and what others say about them; ids by name."""
    ana, team, bot = camillo.for_user("42"), camillo.for_team("eu"), camillo.for_space("support")
    event = await ana.events.record(f"I keep a {CANARY}", session_id="s1", actor="human:42")
    await ana.remember(f"Owns a {CANARY}", tags=[CANARY])
    await ana.slots.set_memory("/pet", {"name": CANARY}, "chat")
    await ana.decisions.record(f"Feed the {CANARY}", refs=[event.event_id])
    await ana.tasks.open(f"Feed the {CANARY}")
    await ana.artifacts.put(f"{CANARY}\n" * 500, description=CANARY)
    await ana.context.views.put("rules", f"Mind the {CANARY}")
    sentence = await team.remember(f"The offer for {NAME} ends in May. The office stays open.")
    whole = await bot.remember(f"Calls from {NAME} go to Ben")
    said = await bot.events.record(f"安娜 {NAME} hat angerufen", session_id="s2")
    by_path = await team.remember("Complaints of users/42 are urgent")
    kept = await team.remember(f"{NAME} wrote the song of 1973")
    await camillo.for_user("43").remember("Ben drinks coffee")
    return {
        "sentence": sentence.memory_id,
        "whole": whole.memory_id,
        "said": said.event_id,
        "by_path": by_path.memory_id,
        "kept": kept.memory_id,
    }


def excerpts(answer: service.ForgetSpaceResponse) -> dict[str, tuple[str, str]]:
    """The space and the first text of each record that was found."""
    stores = answer.other_spaces.excerpts
    return {each.id: (each.agent_id, each.texts[0]) for of in stores for each in of.excerpts}


async def test_a_plan_lists_what_other_spaces_say_and_a_call_with_it_does_what_was_chosen(server: Server) -> None:
    async with server.client(server.keys.admin) as camillo:
        ids = await told(camillo)
        planned = await camillo.spaces.forget("users/42", also_named=[NAME], dry_run=True)
        found = excerpts(planned)
        assert found.keys() == set(ids.values())
        assert found[ids["whole"]] == ("support", f"Calls from {NAME} go to Ben")
        assert found[ids["by_path"]][0] == "teams/eu"
        assert (planned.other_spaces.scopes, [each.records for each in planned.other_spaces.matches]) == (0, [4, 1])
        rows = {each.store: each.rows for each in planned.receipt.stores}
        assert {"memories", "events", "slots", "decisions", "tasks", "artifacts", "views"} <= rows.keys()
        assert (rows["memories"], rows["events"], planned.receipt.receipt_id) == (1, 1, "")
        done = await camillo.spaces.forget(
            "users/42",
            confirm="users/42",
            also_named=[NAME],
            other_spaces="redact_spans",
            keep={"memory_ids": [ids["kept"]]},
            plan_token=planned.plan_token,
        )
        rows = {each.store: each.rows for each in done.receipt.stores}
        assert rows["redacted_memories"] == 3
        assert rows["events"] + rows["redacted_events"] == 2
        team, bot = camillo.for_team("eu"), camillo.for_space("support")
        for space, name, content in (
            (team, "sentence", "The offer for [forgotten] ends in May. The office stays open."),
            (bot, "whole", "Calls from [forgotten] go to Ben"),
            (team, "by_path", "Complaints of [forgotten] are urgent"),
            (team, "kept", f"{NAME} wrote the song of 1973"),
        ):
            assert (await space.get(ids[name])).content == content
        assert [each.space async for each in camillo.spaces.list("users/")] == ["users/43"]
        receipts = await server.admin(lifecycle.ListReceiptsRequest(agent_id="users/42"))
        assert receipts.receipts[0] == done.receipt
        of_team = await server.admin(lifecycle.ListReceiptsRequest(agent_id="teams/eu"))
        assert of_team.receipts[0].receipt_id == done.receipt.receipt_id


async def test_records_of_others_are_deleted_or_stay(server: Server) -> None:
    async with server.client(server.keys.admin) as camillo:
        ids = await told(camillo)
        planned = await camillo.spaces.forget(
            "users/42", also_named=[NAME], other_spaces="delete_records", dry_run=True
        )
        assert planned.other_spaces.scopes == 2
        done = await camillo.spaces.forget(
            "users/42",
            confirm="users/42",
            also_named=[NAME],
            other_spaces="delete_records",
            plan_token=planned.plan_token,
            request_id="r1",
        )
        gone = done.other_spaces.records
        assert {*gone.memory_ids, *gone.event_ids} >= set(ids.values())
        again = await camillo.spaces.forget(
            "users/42",
            confirm="users/42",
            also_named=[NAME],
            other_spaces="delete_records",
            plan_token=planned.plan_token,
            request_id="r1",
        )
        assert again.receipt == done.receipt
        await camillo.for_user("42").remember("came back")
        await camillo.for_team("eu").remember(f"Greet {NAME}")
        last = await camillo.spaces.forget("users/42", confirm="users/42", also_named=[NAME])
        assert [each.store for each in last.receipt.stores if each.store == "memories"] == ["memories"]
        (hit,) = (await camillo.for_team("eu").recall("greet")).hits
        assert hit.text == f"Greet {NAME}"


async def test_what_others_say_goes_only_by_a_plan_that_still_holds(server: Server) -> None:
    async with server.client(server.keys.admin) as camillo:
        await told(camillo)
        fields: dict[str, Any] = {"also_named": [NAME], "other_spaces": service.OTHER_SPACES_DELETE_RECORDS}
        asked = service.ForgetSpaceRequest(agent_id="users/42", confirm_agent_id="users/42", **fields)
        assert (await refused(server.admin(asked))).reason == "PLAN_REQUIRED"
        planned = await camillo.spaces.forget("users/42", also_named=[NAME], dry_run=True)
        asked.plan_token = planned.plan_token
        await camillo.for_team("eu").remember(f"{NAME} called again")
        assert (await refused(server.admin(asked))).reason == "PLAN_CHANGED"
        asked.also_named.append("Anita")
        assert (await refused(server.admin(asked))).fields == ("plan_token",)
        assert [each.space async for each in camillo.spaces.list("users/")] == ["users/42", "users/43"]


async def test_without_names_no_other_space_is_searched_and_the_answer_says_so(server: Server) -> None:
    async with server.client(server.keys.admin) as camillo:
        await told(camillo)
        done = await camillo.spaces.forget("users/42", confirm="users/42")
        assert [each.place for each in done.other_spaces.remains] == ["other_scopes"]
        assert (await camillo.for_space("support").recall("calls")).hits


@pytest.mark.own_server
async def test_nothing_of_a_person_is_left_in_any_table(server: Server) -> None:
    async with server.client(server.keys.admin) as camillo:
        await told(camillo)
        await camillo.for_user("43").remember(f"Another {CANARY}2")
        before = tables_with(server, CANARY)
        assert {"memories", "events", "slot_versions", "decisions", "tasks", "artifacts", "views"} <= before
        await camillo.spaces.forget("users/42", confirm="users/42")
        assert tables_with(server, f"{CANARY}2")
        assert tables_with(server, rf"{CANARY}(?!2)") == set()
        for part in (camillo.for_user("42"), camillo.for_user("43")):
            prompt = (await part.context.bundle(CANARY, session_id="s1")).prompt
            assert not re.search(rf"{CANARY}(?!2)", prompt.replace(f'"{CANARY}"', ""))


def tables_with(server: Server, pattern: str) -> set[str]:
    """The tables of the tenant with a row that has the pattern in any column."""
    with psycopg.connect(server.database.superuser_url) as superuser:
        names = superuser.execute(
            "select table_name from information_schema.columns where table_schema = 'camillo'"
            " and column_name = 'tenant_id' group by 1"
        ).fetchall()
        found = set()
        for (name,) in names:
            query = f"select true from camillo.{name} t where tenant_id = %s and t::text ~ %s limit 1"
            if superuser.execute(query.encode(), (server.keys.tenant_id, pattern)).fetchone():
                found.add(name)
        return found


async def test_who_may_not_delete_an_agent_may_not_forget_a_space(server: Server) -> None:
    await remember(server.admin, "Ana drinks tea", agent_id="users/42")
    request = service.ForgetSpaceRequest(agent_id="users/42", confirm_agent_id="users/42")
    writer = await granted(server, "users/42:write")
    refusal = await refused(writer(request))
    assert (refusal.code, refusal.reason) == FORBIDDEN
    refusal = await refused(server.rival(request))
    assert (refusal.code, refusal.reason) == FORBIDDEN
    # Who may forget this space may look for names in no other.
    forgets = await granted(server, "users/42:forget")
    named = service.ForgetSpaceRequest(
        agent_id="users/42", confirm_agent_id="users/42", also_named=[NAME], dry_run=True
    )
    refusal = await refused(forgets(named))
    assert (refusal.code, refusal.reason) == FORBIDDEN
    # An agent's own space goes by an administrator alone.
    own = service.ForgetSpaceRequest(agent_id="alice", confirm_agent_id="alice")
    refusal = await refused(forgets(own))
    assert (refusal.code, refusal.reason) == FORBIDDEN
    plan = await forgets(service.ForgetSpaceRequest(agent_id="users/42", confirm_agent_id="users/42", dry_run=True))
    assert plan.receipt.stores
    answer = await forgets(request)
    assert {each.store: each.rows for each in answer.receipt.stores}["memories"] == 1
    assert (await refused(server.admin(request))).reason == "AGENT_NOT_FOUND"


@pytest.mark.parametrize(
    ("fields", "broken"),
    [
        ({"confirm_agent_id": "users/43"}, "confirm_agent_id"),
        ({"other_spaces": 3}, "other_spaces"),
        ({"plan_token": "x"}, "plan_token"),
        ({"also_named": [" "]}, "also_named[0]"),
        ({"also_named": ["a"] * 33}, "also_named"),
        ({"also_named": ["a" * 201]}, "also_named[0]"),
        ({"also_named": [NAME], "keep": forgetting_pb2.RecordIds(action_ids=["x"])}, "keep.action_ids[0]"),
        ({"also_named": [NAME], "keep": forgetting_pb2.RecordIds()}, "keep"),
        ({"also_named": [NAME], "excerpts": forgetting_pb2.ExcerptOptions()}, "excerpts"),
    ],
)
async def test_what_would_do_nothing_is_refused(server: Server, fields: dict[str, Any], broken: str) -> None:
    request = service.ForgetSpaceRequest(**{"agent_id": "users/42", "confirm_agent_id": "users/42", **fields})
    refusal = await refused(server.admin(request))
    assert (refusal.code, broken in refusal.fields) == (INVALID, True)
