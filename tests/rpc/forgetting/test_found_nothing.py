"""A forgetting that finds nothing says so by every door, and no request keeps how somebody has called a record."""

from typing import Any

import psycopg
import pytest
from camillo.v1 import event_service_pb2 as events
from camillo.v1 import lifecycle_service_pb2 as lifecycle
from camillo.v1 import memory_service_pb2 as memories
from camillo.v1.audit_pb2 import NewAuditAction
from camillo.v1.audit_service_pb2 import RecordAuditEntryRequest
from camillo.v1.forgetting_pb2 import RecordIds
from camillo.v1.memory_pb2 import MemoryFilter
from camillo.v1.snapshot_service_pb2 import PutRecipeRequest

from tests.rpc.forgetting.test_every_string import RECIPE
from tests.rpc.gateway.conftest import Web, server_settings, web
from tests.rpc.knowledge.skill_calls import put, skill_text
from tests.rpc.memories.calls import UNKNOWN_ID, remember
from tests.rpc.records import put_view, record
from tests.server_fixtures import Server

__all__ = ["server_settings", "web"]

VALUE = "Der Schlüssel liegt unter dem Ficus 🪴"
NAMED = {
    "memory_ids": UNKNOWN_ID,
    "event_ids": UNKNOWN_ID,
    "decision_ids": UNKNOWN_ID,
    "task_ids": UNKNOWN_ID,
    "slot_ids": UNKNOWN_ID,
    "document_ids": UNKNOWN_ID,
    "action_ids": UNKNOWN_ID,
    "handoff_ids": UNKNOWN_ID,
    "run_ids": UNKNOWN_ID,
    "artifact_ids": "art_unknown",
    "view_names": "unknown",
    "skill_names": "unknown",
}


def requests(found: dict[str, str]) -> dict[str, Any]:
    """Forgettings by every selector: of what is there, or of what is not."""
    records = {name: RecordIds(**{name: [each]}) for name, each in found.items()}
    memory, event = found["memory_ids"], found["event_ids"]
    is_there = memory != UNKNOWN_ID
    text = VALUE if is_there else f"{VALUE} أبدا"
    return {
        **{name: lifecycle.ForgetRequest(records=each) for name, each in records.items()},
        "value": lifecycle.ForgetRequest(value=text),
        "ForgetMemories": memories.ForgetMemoriesRequest(memory_ids=memories.MemoryIds(ids=[memory])),
        "filter": memories.ForgetMemoriesRequest(filter=MemoryFilter(tags_any=[text])),
        "ForgetEvents": events.ForgetEventsRequest(event_ids=events.EventIds(ids=[event])),
        "session": events.ForgetEventsRequest(session_id=text),
    }


async def test_what_finds_nothing_says_so(server: Server) -> None:
    memory = await remember(server.alice, VALUE, tags=[VALUE])
    event = await record(server.alice, "said", session_id=VALUE)
    action = NewAuditAction(action="key.moved", message="a key was moved")
    stored = await server.alice(RecordAuditEntryRequest(action=action))
    await put_view(server.alice, "house-rules", "Water the plants.")
    there = {
        "memory_ids": memory.memory_id,
        "event_ids": event.event_id,
        "action_ids": stored.action_id,
        "view_names": "house-rules",
    }
    missing, found = requests(NAMED), requests(there)
    for dry_run in (True, False):
        for name, request in missing.items():
            request.dry_run = dry_run
            receipt = (await server.alice(request)).receipt
            assert receipt.found_nothing, name
            assert not any(each.rows for each in receipt.stores), name
    for name, request in found.items():
        request.dry_run = True
        assert not (await server.alice(request)).receipt.found_nothing, name
    for wide in (VALUE, f"{VALUE} nowhere"):
        request = lifecycle.ForgetRequest(value=wide, all_scopes=True, agent_id="@shared")
        receipt = (await server.admin(request)).receipt
        assert receipt.found_nothing is (wide != VALUE)
        assert receipt.blocked_values == 1


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/v1/records:forget", {"records": {"actionIds": [UNKNOWN_ID]}}),
        ("/v1/records:forget", {"value": VALUE}),
        ("/v1/memories:forget", {"memoryIds": {"ids": [UNKNOWN_ID]}}),
        ("/v1/events:forget", {"eventIds": {"ids": [UNKNOWN_ID]}}),
    ],
)
async def test_http_says_so(web: Web, path: str, body: dict[str, Any]) -> None:
    answer = await web.alice.post(path, json=body)
    assert answer.status_code == 200, answer.text
    assert answer.json()["receipt"]["foundNothing"] is True


@pytest.mark.own_server
async def test_no_request_keeps_a_name(server: Server) -> None:
    """A repeated request is answered by the counts."""
    memory = await remember(server.alice, VALUE)
    names = ("ficus-view", "ficus-skill", "ficus-recipe")
    await put_view(server.alice, names[0], VALUE)
    await put(server.alice, skill_text(names[1], body=VALUE))
    await server.admin(PutRecipeRequest(yaml=RECIPE.format(names[2], VALUE)))
    request = lifecycle.ForgetRequest(value=VALUE, request_id="once")
    first = (await server.alice(request)).receipt
    assert (list(first.records.view_names), list(first.records.skill_names)) == ([names[0]], [names[1]])
    assert any(list(each.ids) == [names[2]] for each in first.remains)
    again = (await server.alice(request)).receipt
    assert (again.receipt_id, again.stores) == (first.receipt_id, first.stores)
    assert list(again.memory_ids) == [memory.memory_id]
    assert not any(name in str(again) for name in names)
    with psycopg.connect(server.database.superuser_url) as connection:
        kept = [text for (text,) in connection.execute("select r::text from camillo.requests r")]
        trail = [text for (text,) in connection.execute("select a::text from camillo.audit_entries a")]
    assert memory.memory_id in "".join(kept)
    assert first.receipt_id in "".join(trail)
    assert not any(name in text for name in names for text in (*kept, *trail))
