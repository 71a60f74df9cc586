"""Promises of a session: order, exact items, pops of several callers, cancellation, forgetting, recall."""

from __future__ import annotations

import asyncio
import json
import os
import random
import subprocess
import sys
import threading
from typing import Any

import pytest
from agents import SQLiteSession
from agents.memory import Session

from camillo_client import Camillo
from camillo_openai_agents import CamilloSession, ItemTooLarge

SEEDS = int(os.environ.get("CAMILLO_TEST_SESSION_SEEDS", "8"))
DEEP: Any = {"type": "x"}
for _ in range(60):
    DEEP = {"type": "x", "inner": [DEEP]}
ITEMS: list[dict[str, Any]] = [
    {"role": "user", "content": "I like cats, 猫, кошки, قطط 🐈"},
    {"role": "user", "content": ""},
    {"role": "system", "content": "Be brief."},
    {"type": "message", "role": "developer", "content": "one\r\ntwo\u2028three"},
    {"role": "user", "content": [{"type": "input_text", "text": "a list"}]},
    {
        "id": "msg_0123456789abcdef0123456789abcdef0123456789abcdef",
        "content": [{"annotations": [], "text": "Rome", "type": "output_text"}],
        "role": "assistant",
        "status": "completed",
        "type": "message",
    },
    {
        "id": "msg_1",
        "content": [{"annotations": [], "text": "Rome", "type": "output_text", "logprobs": []}],
        "role": "assistant",
        "status": "completed",
        "type": "message",
    },
    {
        "id": "msg_2",
        "content": [{"annotations": [{"type": "x", "index": 1}], "text": "Rome", "type": "output_text"}],
        "role": "assistant",
        "status": "in_progress",
        "type": "message",
    },
    {"type": "function_call", "call_id": "call_1", "name": "look", "arguments": '{"n": 1.0, "b":  2}', "id": "fc_1"},
    {"type": "function_call_output", "call_id": "call_1", "output": "rain"},
    {"type": "numbers", "whole": 1.0, "int": 1, "big": 2**70, "float": 0.1, "none": None, "yes": True},
    {"type": "nul", "content": "a\x00b"},
    {"role": "user", "content": "a\x00b"},
    {"type": "half", "content": "\ud83d"},
    {"role": "user", "content": "\ud83d"},
    {},
    DEEP,
]


@pytest.fixture
def session(camillo: Camillo) -> CamilloSession:
    return CamilloSession("chat", camillo)


def user_message(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


async def test_items_come_back_as_they_were(session: CamilloSession) -> None:
    assert isinstance(session, Session)
    await session.add_items(ITEMS)
    back = await session.get_items()
    assert [json.dumps(item, sort_keys=True) for item in back] == [json.dumps(item, sort_keys=True) for item in ITEMS]
    assert await session.get_items(limit=2) == ITEMS[-2:]
    for item in reversed(ITEMS):
        assert await session.pop_item() == item
    assert await session.pop_item() is None
    assert await session.get_items() == []


async def test_large_items_are_kept_whole_and_too_large_ones_refused_before_anything_is_stored(
    session: CamilloSession,
) -> None:
    large = [
        user_message("é" * 300_000),
        {"type": "function_call_output", "call_id": "c", "output": "line\n" * 400_000},
        {"role": "user", "content": [{"type": "input_image", "image_url": "data:image/png;base64," + "A" * 3_000_000}]},
    ]
    await session.add_items(large)
    assert await session.get_items() == large
    with pytest.raises(ItemTooLarge):
        await session.add_items([user_message("not stored"), user_message("x" * 9_000_000)])
    assert len(await session.get_items()) == 3


@pytest.mark.parametrize("seed", range(SEEDS))
async def test_random_changes_do_what_they_do_in_the_sdks_own_session(seed: int, session: CamilloSession) -> None:
    chance, own = random.Random(seed), SQLiteSession("chat")
    for number in range(40):
        match chance.choice(["add", "add", "add", "pop", "pop", "get", "clear"]):
            case "add":
                items = [{"role": "user", "content": f"{number}.{index}"} for index in range(chance.randint(0, 4))]
                items += chance.sample([item for item in ITEMS if "type" in item and item["type"] != "half"], 1)
                await session.add_items(items)
                await own.add_items(items)  # type: ignore[arg-type]
            case "pop":
                assert await session.pop_item() == await own.pop_item()
            case "clear" if chance.random() < 0.3:
                await session.clear_session()
                await own.clear_session()
        limit = chance.choice([None, None, 1, 2, 7])
        assert await session.get_items(limit) == await own.get_items(limit)


async def test_a_cancelled_caller_waits_for_its_change(
    session: CamilloSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    started, allowed = threading.Event(), threading.Event()
    add = session._add

    def slowly(items: Any) -> None:
        started.set()
        assert allowed.wait(60)
        add(items)

    monkeypatch.setattr(session, "_add", slowly)
    task = asyncio.create_task(session.add_items([user_message("kept")]))
    assert await asyncio.to_thread(started.wait, 60)
    task.cancel()
    await asyncio.sleep(0)
    assert not task.done()
    task.cancel()
    allowed.set()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await session.get_items() == [user_message("kept")]


PROCESS = """
import asyncio, json, sys
from camillo_client import Camillo
from camillo_openai_agents import CamilloSession

async def main(name, user):
    with Camillo.connect(timeout_seconds=60) as camillo:
        session, popped = CamilloSession("chat", camillo.for_user(user)), []
        for number in range(8):
            await session.add_items([{"role": "user", "content": f"{name}{number}{part}"} for part in "ab"])
            if number % 2:
                popped.append(await session.pop_item())
        print(json.dumps([item["content"] for item in popped if item]))

asyncio.run(main(*sys.argv[1:]))
"""


async def test_two_processes_share_a_session(session: CamilloSession, user: str) -> None:
    words = [sys.executable, "-c", PROCESS]
    running = [subprocess.Popen([*words, name, user], stdout=subprocess.PIPE, text=True) for name in "xy"]  # noqa: S603
    popped = [text for process in running for text in json.loads(process.communicate(timeout=240)[0])]
    left = [item["content"] for item in await session.get_items()]
    assert len(popped) == 8
    added = [f"{name}{number}{part}" for name in "xy" for number in range(8) for part in "ab"]
    assert sorted(popped + left) == sorted(added)
    for name in "xy":
        own = [text for text in left if text[0] == name]
        assert own == sorted(own)
    places = {text: place for place, text in enumerate(left)}
    pairs = [(text, text[:-1] + "b") for text in left if text[-1] == "a" and text[:-1] + "b" in places]
    assert pairs
    assert all(places[second] == places[first] + 1 for first, second in pairs)


async def test_of_many_callers_each_pops_an_item_of_its_own(session: CamilloSession) -> None:
    await session.add_items([user_message(str(number)) for number in range(6)])
    popped = await asyncio.gather(*(session.pop_item() for _ in range(8)))
    assert sorted(item["content"] for item in popped if item) == ["0", "1", "2", "3", "4", "5"]
    assert popped.count(None) == 2
    await session.add_items([user_message("later")])
    assert await session.get_items() == [user_message("later")]


async def test_popped_and_cleared_items_are_still_recalled(session: CamilloSession, camillo: Camillo) -> None:
    await session.add_items([user_message("The cat is called Minka"), user_message("The dog is called Rex")])
    assert await session.pop_item() == user_message("The dog is called Rex")
    await session.clear_session()
    assert await session.get_items() == []
    texts = [hit.text for hit in camillo.recall("what are the cat and the dog called?", sources=["event"]).hits]
    assert {"user: The cat is called Minka", "user: The dog is called Rex"} <= set(texts)


async def test_a_forgotten_item_takes_no_other_with_it(session: CamilloSession, camillo: Camillo) -> None:
    await session.add_items([user_message("stays"), user_message("goes"), user_message("was popped")])
    assert await session.pop_item() == user_message("was popped")
    ids = {event.stated.text: event.event_id for event in camillo.events.list(session_id="chat")}
    camillo.events.forget([ids["was popped"]])
    assert await session.get_items() == [user_message("stays"), user_message("goes")]
    camillo.events.forget([ids["goes"]])
    assert await session.get_items() == [user_message("stays")]
    camillo.events.forget(session_id="chat")
    assert await session.get_items() == []


async def test_an_item_that_repeats_a_forgotten_value_keeps_its_place_without_its_texts(
    session: CamilloSession, camillo: Camillo
) -> None:
    value = "The door code is 4711-0815"
    memory = camillo.remember(value)
    camillo.forget([memory.memory_id])
    call = {"type": "function_call", "call_id": "c1", "name": "note", "arguments": json.dumps({"text": value})}
    output = {"type": "function_call_output", "call_id": "c1", "output": "noted"}
    await session.add_items([user_message("before"), call, output])
    kept = {"type": "function_call", "call_id": "c1", "name": "note", "arguments": "{}"}
    assert await session.get_items() == [user_message("before"), kept, output]
    await session.add_items([user_message(f"Hello. {value}.")])
    [last] = await session.get_items(limit=1)
    assert "4711" not in last["content"]


async def test_other_events_of_the_conversation_and_other_sessions_are_not_its_items(
    session: CamilloSession, camillo: Camillo, user: str
) -> None:
    camillo.events.record("said elsewhere", session_id="chat")
    await CamilloSession("another", camillo).add_items([user_message("in another")])
    await CamilloSession("chat", camillo.for_user(f"{user}-other")).add_items([user_message("of another person")])
    await session.add_items([user_message("here")])
    assert await session.get_items() == [user_message("here")]


async def test_messages_of_the_typescript_package_are_items_in_the_form_of_this_sdk(
    session: CamilloSession, camillo: Camillo
) -> None:
    for text, tags in (("чай", ["as:input-text", "role:user"]), ("はい", ["as:output-annotations", "role:assistant"])):
        camillo.events.record(text, session_id="chat", tags=["openai-agents", "add:1", "id:msg_1", *tags])
    said, answered = await session.get_items()
    assert said == {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "чай"}]}
    assert (answered["id"], answered["content"][0]["text"]) == ("msg_1", "はい")
