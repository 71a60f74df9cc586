"""Spaces by HTTP: named in a header or a body, and in a path with their slash encoded."""

from tests.rpc.gateway.conftest import Web


async def test_a_space_is_reached_by_its_path(web: Web) -> None:
    web.alice.headers.update({"authorization": f"Bearer {web.server.keys.admin}", "camillo-default-agent": "users/42"})
    http = web.alice
    stored = await http.post("/v1/memories", json={"memory": {"content": "tea 🍵"}})
    assert stored.json()["memory"]["agentId"] == "users/42"
    found = await http.post("/v1/memories:recall", json={"agentId": "users/42", "text": "tea"})
    assert [hit["memory"]["content"] for hit in found.json()["hits"]] == ["tea 🍵"]
    gone = await http.delete("/v1/agents/users%2F42", params={"confirmAgentId": "users/42"})
    assert (gone.status_code, gone.json()["forgottenMemories"]) == (200, "1")
    found = await http.post("/v1/memories:recall", json={"agentId": "users/42", "text": "tea"})
    assert "hits" not in found.json()
