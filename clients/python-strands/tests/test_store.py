"""Promises of the store: searches, metadata, messages, batches that are sent again, cancellation, agents."""

from __future__ import annotations

import asyncio
import re
import runpy
import threading
from pathlib import Path
from typing import Any

import pytest
from strands.memory import AddMessagesContext
from strands.types.content import Message

from camillo_client import Camillo
from camillo_client.errors import Unavailable
from camillo_strands import CamilloMemoryStore

HERE = Path(__file__).parents[1]
MESSAGES: list[Message] = [
    {"role": "user", "content": [{"text": "My cat is called Minka 猫"}, {"text": "and she eats tuna"}]},
    {"role": "assistant", "content": [{"toolUse": {"toolUseId": "t", "name": "look", "input": {}}}]},
    {"role": "assistant", "content": [{"text": "Noted: Minka, die Katze."}]},
]


@pytest.fixture
def store(camillo: Camillo) -> CamilloMemoryStore:
    return CamilloMemoryStore(camillo, session_id="chat", speaker="ada")


async def test_memories_are_found_with_their_metadata_and_equal_ones_are_one(
    store: CamilloMemoryStore, camillo: Camillo, user: str
) -> None:
    first = await store.add("Ada likes dark mode", {"source": "user", "n": 2, "list": [1]})
    assert await store.add("Ada likes dark mode") == first
    [entry] = await store.search("what theme does Ada like?")
    assert entry.content == "Ada likes dark mode"
    assert entry.metadata is not None
    assert (entry.metadata["source"], entry.metadata["n"], entry.metadata["id"]) == ("user", 2, first)
    assert "list" not in entry.metadata
    assert await CamilloMemoryStore(camillo.for_user(f"{user}-2")).search("theme") == []


async def test_messages_are_kept_as_what_was_said(store: CamilloMemoryStore, camillo: Camillo) -> None:
    await store.add_messages(MESSAGES, AddMessagesContext(sequence_numbers=[0, 1, 2]))
    said = [(event.stated.text, event.stated.actor.id) for event in camillo.events.list(session_id="chat")]
    assert said[0] == ("My cat is called Minka 猫\nand she eats tuna", "ada")
    assert said[1][0] == "Noted: Minka, die Katze."
    found = [entry.content for entry in await store.search("What does the cat eat?")]
    assert any("she eats tuna" in text for text in found)


async def test_a_batch_that_is_sent_again_after_it_failed_is_kept_once(
    store: CamilloMemoryStore, camillo: Camillo, monkeypatch: pytest.MonkeyPatch
) -> None:
    record, calls = camillo.events.record_many, list[Any]()

    def lost(*arguments: Any, **named: Any) -> Any:
        """The answer of the first call does not arrive."""
        outcome = record(*arguments, **named)
        calls.append(named["request_id"])
        if len(calls) == 1:
            raise Unavailable.__new__(Unavailable)
        return outcome

    monkeypatch.setattr(camillo.events, "record_many", lost)
    context = AddMessagesContext(sequence_numbers=[0, 1, 2])
    with pytest.raises(Unavailable):
        await store.add_messages(MESSAGES, context)
    await store.add_messages(MESSAGES, context)
    assert len(list(camillo.events.list(session_id="chat"))) == 2
    # The next run says the same, and counts from the beginning again.
    await store.add_messages(MESSAGES, context)
    assert len(list(camillo.events.list(session_id="chat"))) == 4
    assert calls[0] == calls[1] != calls[2]


async def test_many_writers_and_a_cancelled_one_lose_nothing(
    store: CamilloMemoryStore, camillo: Camillo, monkeypatch: pytest.MonkeyPatch
) -> None:
    await asyncio.gather(*(store.add(f"Guest {number} has a dog") for number in range(10)))
    assert len(list(camillo.memories.list())) == 10
    started, allowed, remember = threading.Event(), threading.Event(), camillo.remember

    def slowly(*arguments: Any, **named: Any) -> Any:
        started.set()
        assert allowed.wait(60)
        return remember(*arguments, **named)

    monkeypatch.setattr(camillo, "remember", slowly)
    task = asyncio.create_task(store.add("kept"))
    assert await asyncio.to_thread(started.wait, 60)
    task.cancel()
    await asyncio.sleep(0)
    assert not task.done()
    allowed.set()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert "kept" in [memory.content for memory in camillo.memories.list()]


def test_the_lines_of_the_readme_run(user: str, capsys: pytest.CaptureFixture[str]) -> None:
    [lines] = re.findall(r"```python\n(.*?)```", (HERE / "README.md").read_text("utf-8"), re.DOTALL)
    model = runpy.run_path(str(HERE / "example.py"))["ScriptedModel"]()
    lines = lines.replace('"42"', repr(user)).replace("Agent(", "Agent(model=MODEL, callback_handler=None, ")
    exec(lines, {"__name__": "example", "MODEL": model})  # noqa: S102
    assert capsys.readouterr().out == "Noted.\n\nYou drink tea.\n\n"


def test_the_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(HERE / "example.py"), run_name="__main__")
    printed = capsys.readouterr().out.splitlines()
    assert printed == ["Noted.", "You drink tea.", "['ada: I drink tea.']"]
