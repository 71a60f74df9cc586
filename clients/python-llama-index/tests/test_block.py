"""Promises of the block: what is shown and kept, truncation, cancellation, memory that fails, a `Memory` around it."""

from __future__ import annotations

import asyncio
import logging
import re
import runpy
import threading
from pathlib import Path
from typing import Any

import pytest
from llama_index.core.base.llms.types import ChatMessage, MessageRole
from llama_index.core.memory import Memory

from camillo_client import Camillo
from camillo_client.errors import CamilloError
from camillo_llama_index import CamilloMemoryBlock

HERE = Path(__file__).parents[1]


@pytest.fixture
def block(camillo: Camillo) -> CamilloMemoryBlock:
    return CamilloMemoryBlock(camillo=camillo, speaker="ada")


def message_of(text: str, role: MessageRole = MessageRole.USER) -> ChatMessage:
    return ChatMessage(content=text, role=role)


async def test_messages_are_kept_and_shown_in_another_session(block: CamilloMemoryBlock, camillo: Camillo) -> None:
    answer = message_of("Noted: Minka, die Katze.", MessageRole.ASSISTANT)
    await block.aput([message_of("My cat is called <Minka> 猫"), answer, message_of("")], session_id="one")
    kept = [(event.stated.text, event.stated.actor.id) for event in camillo.events.list(session_id="one")]
    assert kept[0] == ("My cat is called <Minka> 猫", "ada")
    assert kept[1][0] == "Noted: Minka, die Katze."
    assert len(kept) == 2
    shown = await block.aget([message_of("What is my cat called?")])
    assert "- ada: My cat is called &lt;Minka&gt; 猫" in shown
    again = await block.aget([message_of("My cat is called <Minka> 猫"), message_of("What is my cat called?")])
    assert "ada:" not in again
    assert "Noted: Minka" in again
    assert await block.aget([message_of("Hello", MessageRole.ASSISTANT)]) == ""
    assert await block.aget() == ""


async def test_a_memory_hands_over_the_messages_that_it_has_no_place_for(
    block: CamilloMemoryBlock, camillo: Camillo
) -> None:
    memory = Memory.from_defaults(session_id="s", memory_blocks=[block], token_limit=60, token_flush_size=10)
    for number in range(6):
        await memory.aput(message_of(f"Guest {number} likes dish number {number} of the long menu"))
        await memory.aput(message_of(f"Noted dish {number}", MessageRole.ASSISTANT))
    texts = [event.stated.text for event in camillo.events.list(session_id="s")]
    left = [message.content for message in await memory.aget_all()]
    assert texts
    assert len({*texts, *map(str, left)}) == 12


async def test_the_worst_lines_are_left_out_first(block: CamilloMemoryBlock) -> None:
    content = "\n".join(f"- line {number} of ten" for number in range(10))
    cut = await block.atruncate(content, 12)
    assert cut == "\n".join(content.split("\n")[:7])
    assert await block.atruncate(content, 1_000) is None


async def test_messages_that_cannot_be_kept_are_an_error_and_what_cannot_be_recalled_is_not(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with Camillo.connect("127.0.0.1:1", timeout_seconds=0.2) as broken, caplog.at_level(logging.WARNING):
        block = CamilloMemoryBlock(camillo=broken)
        with pytest.raises(CamilloError):
            await block.aput([message_of("lost?")])
        assert await block.aget([message_of("Hello")]) == ""
    assert "nothing was recalled" in caplog.text


async def test_a_cancelled_caller_waits_for_its_messages(
    block: CamilloMemoryBlock, camillo: Camillo, monkeypatch: pytest.MonkeyPatch
) -> None:
    started, allowed, record = threading.Event(), threading.Event(), camillo.events.record_many

    def slowly(*arguments: Any, **named: Any) -> Any:
        started.set()
        assert allowed.wait(60)
        return record(*arguments, **named)

    monkeypatch.setattr(camillo.events, "record_many", slowly)
    task = asyncio.create_task(block.aput([message_of("kept")], session_id="s"))
    assert await asyncio.to_thread(started.wait, 60)
    task.cancel()
    await asyncio.sleep(0)
    assert not task.done()
    allowed.set()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert [event.stated.text for event in camillo.events.list(session_id="s")] == ["kept"]


async def test_the_connection_is_not_written_as_json(block: CamilloMemoryBlock) -> None:
    assert "camillo" not in block.model_dump()
    assert block.model_dump()["name"] == "camillo"


def test_the_lines_of_the_readme_run(user: str, capsys: pytest.CaptureFixture[str]) -> None:
    [lines] = re.findall(r"```python\n(.*?)```", (HERE / "README.md").read_text("utf-8"), re.DOTALL)
    model = runpy.run_path(str(HERE / "example.py"))["ScriptedModel"]
    lines = lines.replace('"42"', repr(user)).replace("from llama_index.llms.openai import OpenAI\n", "")
    exec(lines, {"__name__": "example", "OpenAI": model})  # noqa: S102
    assert capsys.readouterr().out == "Noted.\nYou drink tea.\n"


def test_the_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(HERE / "example.py"), run_name="__main__")
    printed = capsys.readouterr().out.splitlines()
    assert printed[:2] == ["Noted.", "You drink tea."]
    assert "- ada: I drink tea." in printed
