"""Promises of the providers: the framework's own history beside ours, exact messages, several writers, memory."""

from __future__ import annotations

import asyncio
import json
import logging
import random
import re
import runpy
import threading
from pathlib import Path
from typing import Any

import pytest
from agent_framework import Agent, Content, InMemoryHistoryProvider, Message

from camillo_agent_framework import CamilloContextProvider, CamilloHistoryProvider
from camillo_client import Camillo

HERE = Path(__file__).parents[1]
BYTES = bytes(range(256))
MESSAGES = [
    Message("system", ["Be brief."]),
    Message(
        "user", ["Кошка, 猫, قطة 🐈\u2028two\x00", Content.from_data(BYTES, media_type="image/png")], author_name="ada"
    ),
    Message(
        "assistant",
        [
            Content.from_text_reasoning(text="hm", protected_data="c2ln"),
            Content.from_function_call("c1", "look", arguments={"n": 1.0, "deep": {"a": [1, None]}}),
        ],
        message_id="m1",
        additional_properties={"k": [1, 2.5, "é"]},
    ),
    Message("tool", [Content.from_function_result("c1", result="rain")]),
    Message("assistant", [""]),
]


@pytest.fixture
def history(camillo: Camillo) -> CamilloHistoryProvider:
    return CamilloHistoryProvider(camillo)


def dumped(messages: list[Message]) -> list[str]:
    return [json.dumps(message.to_dict(), sort_keys=True) for message in messages]


async def test_messages_come_back_as_they_were(history: CamilloHistoryProvider, camillo: Camillo, user: str) -> None:
    noise = random.Random(1).randbytes(300_000)
    messages = [*MESSAGES, Message("user", [Content.from_data(noise, media_type="image/png")])]
    await history.save_messages("s/1 ü", messages)
    assert dumped(await history.get_messages("s/1 ü")) == dumped(messages)
    assert await history.get_messages("other") == []
    assert await history.get_messages(None) == []
    assert await CamilloHistoryProvider(camillo.for_user(f"{user}-2")).get_messages("s/1 ü") == []
    assert [hit.text for hit in camillo.recall("Be brief").hits] == []
    await history.delete_messages("s/1 ü")
    assert await history.get_messages("s/1 ü") == []
    assert list(camillo.artifacts.list()) == []


@pytest.mark.parametrize("seed", range(3))
async def test_random_saves_leave_what_the_frameworks_own_provider_has(
    seed: int, history: CamilloHistoryProvider
) -> None:
    chance, own, state = random.Random(seed), InMemoryHistoryProvider(), dict[str, Any]()
    for number in range(15):
        there = await own.get_messages("s", state=state)
        news = [Message(chance.choice(["user", "assistant"]), [f"{number}.{chance.randint(0, 1)}"]) for _ in range(3)]
        match chance.choice(["news", "news", "same", "replay", "end"]):
            case "same":
                news = [Message("user", ["again"])]
            case "replay":
                news = [*there, *news[:1]]
            case "end":
                news = [*there[-chance.randint(1, 3) :], *news[:2]]
        await own.save_messages("s", news, state=state)
        await history.save_messages("s", news)
        assert dumped(await history.get_messages("s")) == dumped(await own.get_messages("s", state=state))


async def test_of_many_writers_none_loses_a_message(history: CamilloHistoryProvider, camillo: Camillo) -> None:
    pairs = [[Message("user", [f"{n}a"]), Message("assistant", [f"{n}b"])] for n in range(8)]
    await asyncio.gather(*(CamilloHistoryProvider(camillo).save_messages("s", pair) for pair in pairs))
    texts = [message.text for message in await history.get_messages("s")]
    assert sorted(texts) == sorted(message.text for pair in pairs for message in pair)
    assert all(texts[place + 1] == text[0] + "b" for place, text in enumerate(texts) if text[1] == "a")
    many = [Message("user", [f"many {n}"]) for n in range(90)]
    await history.save_messages("s", many)
    assert dumped((await history.get_messages("s"))[16:]) == dumped(many)


async def test_a_cancelled_caller_waits_for_its_save(
    history: CamilloHistoryProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    started, allowed, save = threading.Event(), threading.Event(), history._camillo_save

    def slowly(*arguments: Any) -> None:
        started.set()
        assert allowed.wait(60)
        save(*arguments)

    monkeypatch.setattr(history, "_camillo_save", slowly)
    task = asyncio.create_task(history.save_messages("s", [Message("user", ["kept"])]))
    assert await asyncio.to_thread(started.wait, 60)
    task.cancel()
    await asyncio.sleep(0)
    assert not task.done()
    allowed.set()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert [message.text for message in await history.get_messages("s")] == ["kept"]


async def test_things_said_and_remembered_are_known_in_another_session(camillo: Camillo) -> None:
    client = runpy.run_path(str(HERE / "example.py"))["ScriptedClient"]()
    memory = CamilloContextProvider(camillo, speaker="ada")
    agent = Agent(client, context_providers=[memory])
    await agent.run("I drink tea.", session=agent.create_session(session_id="one"))
    said = [(event.stated.text, event.stated.actor.id) for event in camillo.events.list(session_id="one")]
    assert said[0] == ("I drink tea.", "ada")
    assert said[1][0] == "Noted."
    assert (
        await agent.run("What do I drink?", session=agent.create_session(session_id="two"))
    ).text == "You drink tea."
    assert await memory.remember("Ada is allergic to nuts") == "Remembered."
    assert "- Ada is allergic to nuts" in await memory.recall("allergic")


async def test_a_run_goes_on_where_memory_fails(caplog: pytest.LogCaptureFixture) -> None:
    client = runpy.run_path(str(HERE / "example.py"))["ScriptedClient"]()
    with Camillo.connect("127.0.0.1:1", timeout_seconds=0.2) as broken, caplog.at_level(logging.WARNING):
        memory = CamilloContextProvider(broken)
        assert (await Agent(client, context_providers=[memory]).run("Hello")).text == "Noted."
        assert "nothing was remembered" in await memory.remember("x")
    told = [record.getMessage().partition(":")[0] for record in caplog.records if "camillo" in record.name]
    assert told == ["nothing was recalled", "nothing was recorded", "nothing was remembered"]


def test_the_lines_of_the_readme_run(user: str, capsys: pytest.CaptureFixture[str]) -> None:
    [lines] = re.findall(r"```python\n(.*?)```", (HERE / "README.md").read_text("utf-8"), re.DOTALL)
    client = runpy.run_path(str(HERE / "example.py"))["ScriptedClient"]
    lines = lines.replace('"42"', repr(user)).replace("from agent_framework.openai import OpenAIChatClient\n", "")
    exec(lines, {"__name__": "example", "OpenAIChatClient": client})  # noqa: S102
    assert capsys.readouterr().out == "Noted.\nYou drink tea.\n"


def test_the_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(HERE / "example.py"), run_name="__main__")
    printed = capsys.readouterr().out.splitlines()
    assert printed == ["Noted.", "You drink tea.", "You drink tea.", "monday: 4 messages", "monday: 0 messages"]
