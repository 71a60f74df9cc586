"""Promises of the memory service, beside the framework's own, and agents that use both services."""

from __future__ import annotations

import re
import runpy
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from google.adk.events.event import Event
from google.adk.memory import InMemoryMemoryService
from google.adk.memory.memory_entry import MemoryEntry
from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_request import LlmRequest
from google.adk.models.llm_response import LlmResponse
from google.adk.sessions.session import Session
from google.genai import types

from camillo_adk import CamilloMemoryService
from camillo_client import Camillo

HERE = Path(__file__).parents[1]


class Model(BaseLlm):
    """Answers what the script says, and keeps what it was asked."""

    script: list[str]
    asked: list[str]

    async def generate_content_async(
        self, llm_request: LlmRequest, stream: bool = False
    ) -> AsyncGenerator[LlmResponse, None]:
        self.asked.append(llm_request.model_dump_json())
        content = types.Content(role="model", parts=[types.Part(text=self.script[len(self.asked) - 1])])
        yield LlmResponse(content=content)


@pytest.fixture
def service(camillo: Camillo) -> CamilloMemoryService:
    return CamilloMemoryService(camillo)


def an_event(author: str, text: str, *, at: float = 1_700_000_000.5) -> Event:
    content = types.Content(role="user" if author == "user" else "model", parts=[types.Part(text=text)])
    return Event(author=author, content=content, timestamp=at, id=uuid4().hex)


def found(answer: Any) -> list[tuple[str | None, str | None]]:
    return sorted((each.author, each.content.parts[0].text) for each in answer.memories)


async def test_sessions_are_found_as_in_the_frameworks_own_service(
    service: CamilloMemoryService, user: str, camillo: Camillo
) -> None:
    own = InMemoryMemoryService()
    events = [
        an_event("user", "Minka likes tuna 猫"),
        an_event("cook", "Minka gets tuna at noon"),
        an_event("user", "xyzzy"),
    ]
    events.append(Event(author="cook", timestamp=1.0, id="empty"))
    session = Session(id="s", app_name="kitchen", user_id=user, events=events[:2])
    for each in (service, own):
        await each.add_session_to_memory(session)
        session.events = list(events)
        await each.add_session_to_memory(session)
        await each.add_events_to_memory(app_name="kitchen", user_id=user, session_id="s", events=events)
        session.events = events[:2]
    for query in ("Minka tuna", "xyzzy"):
        mine = await service.search_memory(app_name="kitchen", user_id=user, query=query)
        other = await own.search_memory(app_name="kitchen", user_id=user, query=query)
        assert set(found(other)) <= set(found(mine))
        assert len(found(mine)) == len(set(found(mine)))
    [entry] = [each for each in mine.memories if each.content.parts[0].text == "xyzzy"]
    assert entry.timestamp == "2023-11-14T22:13:20.500000+00:00"
    assert entry.content.role == "user"
    assert len(list(camillo.events.list(session_id="s"))) == 3
    for app, who in (("garden", user), ("kitchen", f"{user}-2")):
        assert (await service.search_memory(app_name=app, user_id=who, query="Minka tuna")).memories == []
    assert (await service.search_memory(app_name="kitchen", user_id=user, query=" ")).memories == []


async def test_memories_are_kept_with_their_metadata_and_deleted_for_good(
    service: CamilloMemoryService, user: str
) -> None:
    named = {"app_name": "kitchen", "user_id": user}
    nuts = MemoryEntry(
        content=types.Content(parts=[types.Part(text="Ada is allergic to nuts")]),
        author="doctor",
        timestamp="2026-11-30T12:00:00+00:00",
        custom_metadata={"ward": "B", "n": 2},
    )
    await service.add_memory(**named, memories=[nuts], custom_metadata={"ward": "A", "ttl": 1.5})
    session = Session(id="s", app_name="kitchen", user_id=user, events=[an_event("user", "Nuts are in the cake")])
    await service.add_session_to_memory(session)
    answer = await service.search_memory(**named, query="nuts")
    entries = {each.content.parts[0].text: each for each in answer.memories}
    assert set(entries) == {"Ada is allergic to nuts", "Nuts are in the cake"}
    kept = entries["Ada is allergic to nuts"]
    assert (kept.author, kept.timestamp) == ("doctor", "2026-11-30T12:00:00+00:00")
    assert kept.custom_metadata == {"ward": "B", "n": 2, "ttl": 1.5}
    for entry in entries.values():
        await service.delete_memory(**named, memory_id=entry.id)
    assert (await service.search_memory(**named, query="nuts")).memories == []
    await service.delete_memory(**named, memory_id=None)
    await service.delete_memory(**named, memory_id="of another service")


async def test_entries_that_were_deleted_are_not_kept_again(
    service: CamilloMemoryService, user: str, caplog: pytest.LogCaptureFixture
) -> None:
    named: dict[str, Any] = {"app_name": "kitchen", "user_id": user}
    events = [an_event("user", "The door code is 4711-0815"), an_event("user", "The door is green")]
    session = Session(id="s", **named, events=events)
    await service.add_session_to_memory(session)
    answer = await service.search_memory(**named, query="door code")
    [code] = [each for each in answer.memories if "4711" in str(each.content)]
    await service.delete_memory(**named, memory_id=code.id)
    await service.add_session_to_memory(session)
    left = await service.search_memory(**named, query="door")
    assert found(left) == [("user", "The door is green")]
    fact = MemoryEntry(content=types.Content(parts=[types.Part(text="Ada has a dog")]))
    await service.add_memory(**named, memories=[fact])
    [dog] = (await service.search_memory(**named, query="dog")).memories[:1]
    await service.delete_memory(**named, memory_id=dog.id)
    await service.add_memory(**named, memories=[fact])
    assert "dog" not in str(await service.search_memory(**named, query="dog"))
    assert "1 entries were not kept" in caplog.text


def test_the_lines_of_the_readme_run(user: str, capsys: pytest.CaptureFixture[str]) -> None:
    [lines] = re.findall(r"```python\n(.*?)```", (HERE / "README.md").read_text("utf-8"), re.DOTALL)
    model = Model(model="scripted", script=["Noted.", "You drink tea."], asked=[])
    lines = lines.replace('"42"', repr(user)).replace('"gemini-3-pro"', "MODEL")
    exec(lines, {"__name__": "example", "MODEL": model})  # noqa: S102
    assert capsys.readouterr().out == "Noted.\nYou drink tea.\n"
    assert "I drink tea." in model.asked[1]


def test_the_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(HERE / "example.py"), run_name="__main__")
    printed = capsys.readouterr().out.splitlines()
    assert printed == ["cook: Noted.", "session: 2 events, {'user:drink': 'tea'}", "found: I drink tea.", "deleted: []"]
