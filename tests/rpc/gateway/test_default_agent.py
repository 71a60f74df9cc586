"""A key for any agent that names none acts by HTTP for the agent `default`, as with the clients; the shared scope has
to be named."""

import httpx

from tests.rpc.gateway.conftest import Web

KEY = "camillo-default-agent"


async def test_the_shared_scope_is_used_only_if_it_is_named(web: Web) -> None:
    root = web.with_key(web.server.keys.admin)
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{web.port}", headers=root) as client:

        async def remember(content: str, **headers: str) -> str:
            named = {name.replace("_", "-"): value for name, value in headers.items()}
            sent = {"memory": {"content": content}}
            answer = await client.post("/v1/memories", json=sent, headers=named)
            assert answer.status_code == 200, answer.text
            return str(answer.json()["memory"].get("agentId", ""))

        async def contents(agent: str) -> set[str]:
            found = await client.get("/v1/memories", params={"agent_id": agent})
            return {each["content"] for each in found.json().get("memories", [])}

        await remember("mine 🍵")
        await remember("nobody's", camillo_default_agent="")
        await remember("bob's", camillo_default_agent="bob")
        await remember("everybody's", camillo_default_agent="@shared")
        sent = {"agentId": "@shared", "memory": {"content": "everybody's, too"}}
        assert (await client.post("/v1/memories", json=sent)).status_code == 200
        assert await contents("default") == {"mine 🍵", "nobody's"}
        assert await contents("") == {"mine 🍵", "nobody's"}
        assert await contents("bob") == {"bob's"}
        assert await contents("@shared") == {"everybody's", "everybody's, too"}
    bound = await web.alice.post("/v1/memories", json={"memory": {"content": "alice's"}})
    assert bound.status_code == 200
    found = await web.alice.get("/v1/memories")
    assert [each["content"] for each in found.json()["memories"]] == ["alice's"]
