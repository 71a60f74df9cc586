"""A value that is forgotten is found inside sentences, in every store and in the forms in which it is written."""

import json

import pytest
from camillo.v1 import admin_service_pb2 as admin
from camillo.v1.audit_pb2 import NewAuditAction
from camillo.v1.audit_service_pb2 import RecordAuditEntryRequest

from tests.rpc.artifacts.calls import put_text
from tests.rpc.context.test_handoffs import hand_off
from tests.rpc.forgetting.test_forgetting_holes import forget, invariants_hold
from tests.rpc.knowledge import skill_calls
from tests.rpc.knowledge.calls import publish
from tests.rpc.memories.calls import listed, recall, remember
from tests.rpc.memories.test_update import update
from tests.rpc.records import decide, open_task, put_view, record, record_all, tool_event
from tests.rpc.runs import calls as runs
from tests.rpc.slots.calls import set_memory
from tests.rpc.test_secrets import stored_texts
from tests.server_fixtures import Server, refused

VALUE = "617-555-0143"
SENTENCE = "Call Ana at (617) 555-0143 after six, 好吗? 📞"
CONTROL = "Call Bea at (617) 555-0144 after six, 好吗? 📞"
LOG = "".join(f"line {number}: nothing\n" for number in range(6_000))


async def state(server: Server, text: str, suffix: str) -> None:
    """States a sentence in every store; nothing of it cites another."""
    alice = server.alice
    await remember(alice, text)
    memory = await remember(alice, f"was {suffix}: {text}")
    await alice(update(memory.memory_id, 1, content=f"is {suffix}"))
    await set_memory(alice, f"/phones/{suffix}", json.dumps({"of": [text]}, ensure_ascii=False))
    await set_memory(alice, f"/moved/{suffix}", json.dumps({"of": text}, ensure_ascii=False))
    await set_memory(alice, f"/moved/{suffix}", json.dumps({"of": "nobody"}))
    await record(alice, text)
    await record_all(alice, [tool_event(text)])
    event = await record(alice, f"let us decide {suffix}")
    await decide(alice, f"we ring {suffix}", event.event_id, rationale=[text])
    await open_task(alice, f"{suffix}: {text}")
    await put_view(alice, f"view-{suffix}", text)
    await put_text(alice, f"{LOG}{text}\n{LOG}")
    await put_text(alice, text, description="a note")
    await skill_calls.put(alice, skill_calls.skill_text(f"ring-{suffix}", text))
    await alice(hand_off(f"go on {suffix}", note=text))
    run_id = await runs.start(alice)
    await runs.append(alice, run_id, runs.answer(text))
    await publish(server.admin, f"{suffix}.md", f"# Phones\n\n{text}\n")
    await alice(RecordAuditEntryRequest(action=NewAuditAction(action="phone.changed", message=text)))


@pytest.mark.own_server
async def test_a_value_inside_a_sentence_is_found_in_every_store(server: Server) -> None:
    await server.admin(admin.CreateAgentRequest(agent_id="bob"))
    await state(server, SENTENCE, "ana")
    await state(server, CONTROL, "bea")
    _, rows = await forget(server.admin, value=VALUE, all_scopes=True, agent_id="alice")
    two, one = (
        ("memories", "slots", "events", "artifacts"),
        ("decisions", "tasks", "views", "skills", "handoffs", "runs"),
    )
    expected = {**dict.fromkeys(two, 2), **dict.fromkeys((*one, "documents", "actions"), 1)}
    assert {store: rows.get(store) for store in expected} == expected
    left = stored_texts(server.database)
    assert "555-0143" not in left
    assert left.count("555-0144") >= len(expected)
    assert sorted(await listed(server.alice)) == sorted([CONTROL, "is bea"])
    answer = await recall(server.alice, "Call Ana at 555", limit=50)
    assert {hit.memory.content for hit in answer.hits} == {CONTROL, "is bea"}
    assert invariants_hold(server.database)


async def test_a_number_and_an_address_are_refused_inside_a_sentence(server: Server) -> None:
    for value, text in ((VALUE, SENTENCE), ("Ana.Lima@example.com", "write to ana.lima@EXAMPLE.com, 好吗")):
        await remember(server.alice, text)
        answer, rows = await forget(server.alice, value=value)
        assert (rows["memories"], answer.receipt.blocked_values) == (1, 1)
        failed = await refused(remember(server.alice, text))
        assert (failed.reason, await listed(server.alice)) == ("VALUE_REJECTED", [])
        assert await remember(server.admin, text, agent_id="bob")
    assert await remember(server.alice, CONTROL)


async def test_words_are_found_as_words(server: Server) -> None:
    kept = ["Anabel likes 茶", "banana bread"]
    for text in (*kept, "I met Ana's dog", "ANA came"):
        await remember(server.alice, text)
    answer, rows = await forget(server.alice, value="Ana")
    assert (rows["memories"], len(answer.receipt.memory_ids)) == (2, 2)
    assert sorted(await listed(server.alice)) == sorted(kept)


async def test_records_that_are_named_take_none_that_only_hold_their_words(server: Server) -> None:
    """A value is looked for inside sentences; what a named record states, as a whole, as a line or as sentences."""
    named = await remember(server.alice, "Ada lives at Hafenweg 12")
    inside = await remember(server.alice, "They say Ada lives at Hafenweg 12 these days")
    answer, _ = await forget(server.alice, memory_ids=[named.memory_id])
    assert list(answer.receipt.memory_ids) == [named.memory_id]
    assert await listed(server.alice) == [inside.content]
