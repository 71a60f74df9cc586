"""Values of enumerations by HTTP: by either name; anything else is refused with the field and the values it takes."""

from typing import Any

import pytest

from tests.rpc.gateway.conftest import Web

KINDS = "fact, preference, conversation, task_outcome, decision, error, instruction, summary"
ACTOR = {"type": "human", "id": "ana"}


async def test_either_name_is_taken(web: Web) -> None:
    for kind in ("MEMORY_KIND_PREFERENCE", "preference", "Preference", 2, "2"):
        sent = {"memory": {"content": f"{kind!r}", "kind": kind}}
        answer = await web.alice.post("/v1/memories", json=sent)
        assert answer.json()["memory"]["kind"] == "MEMORY_KIND_PREFERENCE"
    listed = await web.alice.get("/v1/memories", params={"filter.kinds": "preference"})
    assert len(listed.json()["memories"]) == 5


@pytest.mark.parametrize(
    ("path", "sent", "field", "values"),
    [
        ("/v1/memories", {"memory": {"content": "x", "kind": "idea"}}, "memory.kind", KINDS),
        ("/v1/memories", {"memory": {"content": "x", "kind": 99}}, "memory.kind", KINDS),
        ("/v1/memories", {"memory": {"content": "x", "kind": "99"}}, "memory.kind", KINDS),
        ("/v1/memories", {"memory": {"content": "x", "kind": "事实 🌙"}}, "memory.kind", KINDS),
        ("/v1/memories", {"memory": {"content": "x", "kind": True}}, "memory.kind", KINDS),
        ("/v1/memories", {"memory": {"content": "x", "kind": {}}}, "memory.kind", KINDS),
        ("/v1/memories", {"memory": {"content": "x", "kind": 10**30}}, "memory.kind", KINDS),
        ("/v1/memories:recall", {"text": "x", "sources": ["memory", "mail"]}, "sources[1]", "memory, event"),
        ("/v1/memories:recall", {"text": "x", "sources": [77]}, "sources", "memory, event"),
        ("/v1/memories:recall", {"text": "x", "filter": {"kinds": ["idea"]}}, "filter.kinds[0]", KINDS),
        ("/v1/memories:recall", {"text": "x", "profile": {"name": "best"}}, "profile.name", "relevance, "),
        (
            "/v1/events",
            {"event": {"sessionId": "s", "text": "x", "actor": {**ACTOR, "type": "robot"}}},
            "event.actor.type",
            "human, agent, tool, system",
        ),
        (
            "/v1/events",
            {"event": {"sessionId": "s", "text": "x", "actor": {"id": "a"}}},
            "event.actor.type",
            "human, agent, tool, system",
        ),
    ],
)
async def test_another_value_is_refused_with_those_it_takes(
    web: Web, path: str, sent: dict[str, Any], field: str, values: str
) -> None:
    answer = await web.alice.post(path, json=sent)
    assert answer.status_code == 400
    message = answer.json()["message"]
    assert message.startswith(f"{field}: must be one of "), message
    assert values in message


async def test_a_query_names_the_values_too(web: Web) -> None:
    for value in ("idea", "9" * 5_000):
        answer = await web.alice.get("/v1/memories", params={"filter.kinds": value})
        assert (answer.status_code, KINDS in answer.json()["message"]) == (400, True)
