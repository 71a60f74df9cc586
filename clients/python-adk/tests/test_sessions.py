"""Promises of the session service: as the framework's own does, exact events, several writers, deletion."""

from __future__ import annotations

import asyncio
import os
import random
import threading
from typing import Any
from uuid import uuid4

import pytest
from google.adk.errors.already_exists_error import AlreadyExistsError
from google.adk.errors.session_not_found_error import SessionNotFoundError
from google.adk.events.event import Event
from google.adk.events.event_actions import EventActions
from google.adk.sessions import InMemorySessionService
from google.adk.sessions.base_session_service import GetSessionConfig
from google.adk.sessions.session import Session
from google.genai import types

from camillo_adk import CamilloSessionService
from camillo_client import Camillo

SEEDS = int(os.environ.get("CAMILLO_TEST_SESSION_SEEDS", "3"))
BYTES = bytes(range(256))
PARTS = [
    types.Part(text="Кошка, 猫, قطة 🐈\u2028two\x00"),
    types.Part(text="hm", thought=True, thought_signature=BYTES),
    types.Part(inline_data=types.Blob(data=BYTES, mime_type="image/png")),
    types.Part(function_call=types.FunctionCall(id="c1", name="look", args={"n": 1.0, "deep": {"a": [1, None]}})),
    types.Part(function_response=types.FunctionResponse(id="c1", name="look", response={"rows": [1, 2.5, "é"]})),
]


@pytest.fixture
def app() -> str:
    """The name of an app nobody has heard of."""
    return f"app-{uuid4().hex}"


@pytest.fixture
def service(camillo: Camillo) -> CamilloSessionService:
    return CamilloSessionService(camillo)


def event(text: str, *, state: dict[str, Any] | None = None, at: float = 1.0, **named: Any) -> Event:
    content = types.Content(role="user", parts=[types.Part(text=text)])
    actions = EventActions(state_delta=state or {})
    return Event(author="user", content=content, actions=actions, timestamp=at, id=uuid4().hex, **named)


def texts_of(session: Session | None) -> list[str]:
    assert session is not None
    return [each.content.parts[0].text for each in session.events]  # type: ignore[union-attr, index, misc]


async def test_events_and_state_come_back_as_they_were(service: CamilloSessionService, app: str, user: str) -> None:
    state = {"n": 1, "f": 1.0, "deep": {"é": [None, True, "x"]}, "app:a": [1], "user:u": {"k": 2}, "temp:t": 3}
    session = await service.create_session(app_name=app, user_id=user, session_id=" s/1 ", state=state)
    assert session.id == "s/1"
    kept = {key: value for key, value in state.items() if key != "temp:t"}
    assert session.state == kept
    rich = event("first", at=2.5, invocation_id="i1", branch="a.b", custom_metadata={"k": [1]})
    rich.content = types.Content(role="model", parts=PARTS)
    rich.author, rich.long_running_tool_ids = "cook", {"c1"}
    changed = event("second", at=3.5, state={"n": None, "app:a": 2, "user:v": "w", "temp:x": 1})
    await service.append_event(session, rich)
    await service.append_event(session, changed)
    back = await service.get_session(app_name=app, user_id=user, session_id="s/1")
    assert back is not None
    assert back.events == [rich, changed]
    assert back.state == kept | {"n": None, "app:a": 2, "user:v": "w"}
    assert session.state == back.state | {"temp:x": 1}
    assert (back.last_update_time, session.last_update_time) == (3.5, 3.5)
    assert await service.get_user_state(app_name=app, user_id=user) == {"u": {"k": 2}, "v": "w"}


async def test_long_events_and_long_state_are_kept_whole(
    service: CamilloSessionService, camillo: Camillo, app: str, user: str
) -> None:
    noise = random.Random(1).randbytes(300_000)
    session = await service.create_session(app_name=app, user_id=user, state={"b": noise.hex()}, session_id="s")
    long = event("long")
    long.content = types.Content(parts=[types.Part(inline_data=types.Blob(data=noise, mime_type="image/png"))])
    await service.append_event(session, long)
    await service.append_event(session, event("next", state={"b": noise[::-1].hex()}))
    back = await service.get_session(app_name=app, user_id=user, session_id="s")
    assert back is not None
    assert back.events[0] == long
    assert back.state == {"b": noise[::-1].hex()}
    # Two events and the state; the state before is gone.
    assert len(list(camillo.artifacts.list())) == 3
    await service.delete_session(app_name=app, user_id=user, session_id="s")
    assert list(camillo.artifacts.list()) == []


@pytest.mark.parametrize("seed", range(SEEDS))
async def test_random_changes_do_what_they_do_in_the_frameworks_own_service(
    seed: int, service: CamilloSessionService, app: str, user: str
) -> None:
    chance, services = random.Random(seed), (service, InMemorySessionService())
    users, held = [user, f"{user}-2"], dict[tuple[str, str], list[Session]]()
    for number in range(25):
        who, session_id = chance.choice(users), chance.choice("ab")
        named: dict[str, Any] = {"app_name": app, "user_id": who, "session_id": session_id}
        copies = held.get((who, session_id), [])
        delta = {chance.choice(["x", "y", "app:x", "user:x", "temp:x"]): number for _ in range(chance.randint(0, 2))}
        match chance.choice(["create", "append", "append", "append", "again", "load", "delete"]):
            case "create":
                created = await _both(services, "create_session", **named, state=delta)
                held[who, session_id] = created or copies
            case "append" if copies:
                news = event(str(number), state=delta, at=float(number), partial=chance.random() < 0.1)
                for each, copy in zip(services, copies, strict=True):
                    await _append(each, copy, news.model_copy(deep=True))
            case "again" if copies and copies[0].events:
                last = chance.choice(copies[0].events)
                for each, copy in zip(services, copies, strict=True):
                    await _append(each, copy, last.model_copy(deep=True))
            case "load":
                config = GetSessionConfig(
                    num_recent_events=chance.choice([None, 0, 1, 3]), after_timestamp=chance.choice([None, number / 2])
                )
                loaded = await _both(services, "get_session", **named, config=config)
                _same(loaded)
            case "delete":
                await _both(services, "delete_session", **named)
        for who in users:
            for session_id in "ab":
                named = {"app_name": app, "user_id": who, "session_id": session_id}
                found = await _both(services, "get_session", **named)
                _same(found)
                if found and found[0] is not None and chance.random() < 0.5:
                    held[who, session_id] = found
            if hasattr(InMemorySessionService, "get_user_state"):
                _same(await _both(services, "get_user_state", app_name=app, user_id=who))
        for who in (None, *users):
            listed = await _both(services, "list_sessions", app_name=app, user_id=who)
            assert listed is not None
            mine, other = ({(each.user_id, each.id): each for each in answer.sessions} for answer in listed)
            assert mine.keys() == other.keys()
            for key in mine:
                _same([mine[key], other[key]])


async def _append(service: Any, copy: Session, news: Event) -> None:
    try:
        await service.append_event(copy, news)
    except SessionNotFoundError:
        named = {"app_name": copy.app_name, "user_id": copy.user_id, "session_id": copy.id}
        assert await service.get_session(**named) is None


async def _both(services: tuple[Any, Any], method: str, **named: Any) -> list[Any] | None:
    """The answers; None if both refuse."""
    answers = await asyncio.gather(*(getattr(each, method)(**named) for each in services), return_exceptions=True)
    refused = [isinstance(answer, AlreadyExistsError) for answer in answers]
    assert all(refused) or not any(isinstance(answer, BaseException) for answer in answers), answers
    return None if all(refused) else answers


def _same(answers: list[Any] | None) -> None:
    """Whether answers are equal, but for the moment at which a session was made."""
    mine, other = answers or (None, None)
    if isinstance(mine, Session) and isinstance(other, Session):
        assert (mine.events, mine.state, mine.id, mine.user_id) == (other.events, other.state, other.id, other.user_id)
        assert (
            mine.last_update_time == other.last_update_time or min(mine.last_update_time, other.last_update_time) > 100
        )
    else:
        assert mine == other


async def test_of_many_writers_none_loses_an_event_or_state(
    service: CamilloSessionService, camillo: Camillo, app: str, user: str
) -> None:
    session = await service.create_session(app_name=app, user_id=user, session_id="s")
    news = [
        event(str(number), state={f"k{number}": number, f"user:k{number}": 1, f"app:k{number}": 2})
        for number in range(8)
    ]
    copies = [
        await CamilloSessionService(camillo).get_session(app_name=app, user_id=user, session_id="s") for _ in news
    ]
    await asyncio.gather(*(service.append_event(copy, each) for copy, each in zip(copies, news, strict=True) if copy))
    await service.append_event(session, news[0])
    back = await service.get_session(app_name=app, user_id=user, session_id="s")
    assert sorted(texts_of(back)) == [str(number) for number in range(8)]
    assert back is not None
    assert len(back.state) == 24


async def test_of_several_who_make_one_session_one_succeeds(
    service: CamilloSessionService, app: str, user: str
) -> None:
    made = (service.create_session(app_name=app, user_id=user, session_id="s", state={"n": n}) for n in range(4))
    outcomes = await asyncio.gather(*made, return_exceptions=True)
    assert sum(isinstance(outcome, AlreadyExistsError) for outcome in outcomes) == 3, outcomes
    [won] = [outcome for outcome in outcomes if isinstance(outcome, Session)]
    back = await service.get_session(app_name=app, user_id=user, session_id="s")
    assert back is not None
    assert back.state == won.state


async def test_a_cancelled_caller_waits_for_its_event(
    service: CamilloSessionService, app: str, user: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = await service.create_session(app_name=app, user_id=user, session_id="s")
    started, allowed = threading.Event(), threading.Event()
    append = service._camillo_log.append

    def slowly(*arguments: Any) -> bool | None:
        started.set()
        assert allowed.wait(60)
        return append(*arguments)

    monkeypatch.setattr(service._camillo_log, "append", slowly)
    news = event("kept")
    task = asyncio.create_task(service.append_event(session, news))
    assert await asyncio.to_thread(started.wait, 60)
    task.cancel()
    await asyncio.sleep(0)
    assert not task.done()
    allowed.set()
    with pytest.raises(asyncio.CancelledError):
        await task
    await service.append_event(session, news)
    assert texts_of(await service.get_session(app_name=app, user_id=user, session_id="s")) == ["kept"]


async def test_a_deleted_session_is_gone_and_a_new_one_begins_empty(
    service: CamilloSessionService, camillo: Camillo, app: str, user: str
) -> None:
    for session_id in ("s", "t"):
        session = await service.create_session(app_name=app, user_id=user, session_id=session_id, state={"user:k": 1})
        await service.append_event(session, event("same words"))
    await service.delete_session(app_name=app, user_id=user, session_id="s")
    assert await service.get_session(app_name=app, user_id=user, session_id="s") is None
    with pytest.raises(SessionNotFoundError):
        await service.append_event(Session(id="s", app_name=app, user_id=user), event("late"))
    assert texts_of(await service.get_session(app_name=app, user_id=user, session_id="t")) == ["same words"]
    keys = [entry.key for entry in camillo.slots.list(f"/adk/={app}")]
    assert sorted(key.split("/")[3] for key in keys) == ["events", "sessions", "sessions", "user"]
    again = await service.create_session(app_name=app, user_id=user, session_id="s")
    assert (again.events, again.state) == ([], {"user:k": 1})


async def test_a_session_is_in_no_recall_and_with_no_other_user_or_app(
    service: CamilloSessionService, camillo: Camillo, app: str, user: str
) -> None:
    session = await service.create_session(app_name=app, user_id=user, session_id="s", state={"k": 1})
    await service.append_event(session, event("The cat is called Minka"))
    camillo.remember("The dog is called Rex")
    hits = camillo.recall("what are the cat and the dog called?", sources=["memory", "event", "slot"]).hits
    assert [hit.text for hit in hits] == ["The dog is called Rex"]
    assert await service.get_session(app_name=app, user_id=f"{user}-2", session_id="s") is None
    assert await service.get_session(app_name=f"{app}-2", user_id=user, session_id="s") is None
    with pytest.raises(ValueError, match="slash"):
        await service.get_session(app_name=app, user_id="a/b", session_id="s")
