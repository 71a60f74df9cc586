"""Skills are forgotten with every version, by name and by what they say; they go with their scope."""

import psycopg
import pytest
from camillo.v1.admin_service_pb2 import CreateAgentRequest, DeleteAgentRequest
from camillo.v1.lifecycle_service_pb2 import GetUsageRequest, ResetRequest

from tests.rpc.forgetting.test_forgetting_holes import forget, invariants_hold
from tests.rpc.knowledge.skill_calls import get, names, put, refusal, skill_text
from tests.rpc.test_secrets import stored_texts
from tests.server_fixtures import Server

VALUE = "Die Winterküche liegt hinter dem Schieferdach 🏠"
CONTROL = "Der Dachdecker kommt am 冬至 wieder"


@pytest.mark.own_server
async def test_a_skill_is_forgotten_by_name_with_every_version(server: Server) -> None:
    await put(server.alice, skill_text(body=VALUE))
    await put(server.alice, skill_text(body=f"{VALUE}, changed"))
    await put(server.alice, skill_text("other", body=CONTROL))
    await put(server.admin, skill_text(body=CONTROL), agent_id="@shared")

    answer, rows = await forget(server.alice, skill_names=["review", "unknown"])

    assert list(answer.receipt.records.skill_names) == ["review"]
    assert rows == {"skills": 1, "skill_versions": 2}
    assert await names(server.alice) == ["other", "review"]
    assert CONTROL in (await get(server.alice)).text
    stored = stored_texts(server.database)
    assert (CONTROL in stored, "Schieferdach" in stored) == (True, False)
    again = put(server.alice, skill_text(body=f"{VALUE}, changed"))
    assert await refusal(again) == ("FAILED_PRECONDITION", "VALUE_REJECTED")
    assert invariants_hold(server.database)


async def test_a_skill_that_repeats_a_value_goes_with_it(server: Server) -> None:
    await put(server.alice, skill_text(body=f"- {VALUE}\n- {CONTROL}"))
    await put(server.alice, skill_text("named", description=f"{CONTROL}. {VALUE}"))
    await put(server.alice, skill_text("other", body=CONTROL))
    _, rows = await forget(server.alice, value=VALUE)
    assert rows == {"skills": 2, "skill_versions": 2}
    assert await names(server.alice) == ["other"]
    for text in (skill_text(body=VALUE), skill_text("later", description=f"{VALUE}")):
        assert (await refusal(put(server.alice, text)))[1] == "VALUE_REJECTED"
    await put(server.alice, skill_text("later"))


@pytest.mark.own_server
async def test_skills_count_and_go_with_their_scope(server: Server) -> None:
    await server.admin(CreateAgentRequest(agent_id="bob"))
    for agent_id in ("alice", "bob", "@shared"):
        await put(server.admin, agent_id=agent_id)
        await put(server.admin, skill_text(body="changed"), agent_id=agent_id)
    usage = (await server.alice(GetUsageRequest())).scopes[0]
    used = {each.store: (each.rows, each.bytes > 0) for each in usage.stores}
    assert (used["skills"], used["skill_versions"]) == ((1, False), (2, True))
    reset = await server.admin(ResetRequest(agent_id="alice", confirm="alice"))
    rows = {each.store: each.rows for each in reset.receipt.stores}
    assert (rows["skills"], rows["skill_versions"]) == (1, 2)
    await server.admin(DeleteAgentRequest(agent_id="bob", confirm_agent_id="bob"))
    with psycopg.connect(server.database.superuser_url) as connection:
        left = connection.execute("select agent_id, version from camillo.skills").fetchall()
    assert left == [("", 2)]
