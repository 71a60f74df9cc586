"""Sessions as slots: one for each event, one for the state, and a head that counts events."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar
from uuid import uuid4

from google.adk.errors.already_exists_error import AlreadyExistsError
from google.adk.events.event import Event
from google.adk.sessions.session import Session
from google.adk.sessions.state import State
from pydantic_core import from_json, to_json

from camillo.v1.slot_pb2 import NewSlot, Slot
from camillo_client import Camillo
from camillo_client.errors import VersionConflict
from camillo_client.slot_records import Records, digest, name

T = TypeVar("T")
Values = dict[str, Any]
MAX_COUNT = 2**32 - 1
APP, USER = State.APP_PREFIX, State.USER_PREFIX


class SessionLog:
    """The methods of the service without an event loop."""

    def __init__(self, camillo: Camillo) -> None:
        self._camillo = camillo
        # Users of whom the project of an app has a note: lists of all sessions begin with it.
        self._noted = set[tuple[str, str]]()

    def create(self, app: str, user: str, session_id: str, state: Values, now: float) -> Session:
        records, key, parts = self._user(user), _key(app, "sessions", session_id), _parted(state)

        def attempt() -> None:
            if _current(records, key)[0] is not None:
                raise AlreadyExistsError(f"Session with id {session_id} already exists.")
            count = {"run": uuid4().hex, "id": session_id, "count": 0, "time": now}
            replaced, slots = list[Slot](), [records.slot(f"{key}/{count['run']}", _json(parts[""]))]
            slots += _merged(records, _key(app, "user"), parts[USER], replaced)
            slots.append(records.slot(key, _json(count), (), records.version(key)))
            _write(records, slots, replaced)

        if (app, user) not in self._noted:
            self._project(app).write([self._project(app).slot(_key(app, "users", user), _json({"user": user}))])
            self._noted.add((app, user))
        if _current(records, key)[0] is None:
            self._merge_app(app, parts[APP])
        _repeated(attempt)
        session = self.get(app, user, session_id, 0, None)
        return session or Session(id=session_id, app_name=app, user_id=user, state=state, last_update_time=now)

    def get(self, app: str, user: str, session_id: str, most: int | None, after: float | None) -> Session | None:
        records, key = self._user(user), _key(app, "sessions", session_id)
        head, bodies = _current(records, key)
        if head is None:
            return None
        session = _session(records, app, user, head, bodies)
        session.events = _events(records, _events_key(key, records, head), _values(records, head)["count"], most, after)
        session.state.update(self._shared(app, user))
        return session

    def list(self, app: str, user: str | None) -> list[Session]:
        project = self._project(app)
        noted = project.below(_key(app, "users")) if user is None else ()
        users = [user] if user is not None else [_values(project, slot)["user"] for slot in noted]
        sessions = [session for each in users for session in self._of_user(app, each)]
        return sorted(sessions, key=lambda session: (session.last_update_time, session.user_id, session.id))

    def _of_user(self, app: str, user: str) -> list[Session]:
        records, root, heads, bodies = self._user(user), _key(app, "sessions"), list[Slot](), dict[str, Slot]()
        for slot in records.below(root):
            if slot.key.count("/") == root.count("/") + 1:
                heads.append(slot)
            else:
                bodies[slot.key.rpartition("/")[2]] = slot
        shared = self._shared(app, user) if heads else {}
        sessions = [_session(records, app, user, head, bodies) for head in heads]
        for session in sessions:
            session.state.update(shared)
        return sessions

    def append(self, app: str, user: str, session_id: str, event: Event) -> bool | None:
        """Whether an event was not there yet; None if its session is not."""
        records, key, parts = self._user(user), _key(app, "sessions", session_id), _parted(event.actions.state_delta)

        def attempt() -> bool | None:
            head, _ = _current(records, key)
            if head is None:
                return None
            count = _values(records, head)
            place = _events_key(key, records, head)
            for slot in records.below(place, tags=[_tag(event)]):
                if Event.model_validate_json(records.data(slot)) == event:
                    return False
            # Before, so that an event that is there has all of its state.
            self._merge_app(app, parts[APP])
            number, data = MAX_COUNT - count["count"], event.model_dump_json().encode()
            replaced, slots = list[Slot](), [records.slot(f"{place}/{number:08x}", data, [_tag(event)])]
            slots += _merged(records, f"{key}/{count['run']}", parts[""], replaced)
            slots += _merged(records, _key(app, "user"), parts[USER], replaced)
            count |= {"count": count["count"] + 1, "time": event.timestamp}
            slots.append(records.slot(key, _json(count), (), head.version))
            _write(records, slots, replaced)
            return True

        return _repeated(attempt)

    def delete(self, app: str, user: str, session_id: str) -> None:
        records, key = self._user(user), _key(app, "sessions", session_id)

        def attempt() -> None:
            head, _ = _current(records, key)
            if head is not None:
                records.write([records.tombstone(key, head.version)])

        _repeated(attempt)
        head, bodies = _current(records, key)
        for run, body in bodies.items():
            # Another session may have the id by now.
            if head is None or run != _values(records, head)["run"]:
                records.forget(list(records.below(body.key.replace("/sessions/", "/events/", 1))))
                records.forget([body])

    def user_state(self, app: str, user: str) -> Values:
        return _read(self._user(user), _key(app, "user"))[1]

    def _shared(self, app: str, user: str) -> Values:
        """State of the app and of the user, with the prefixes of its keys."""
        of_app = _read(self._project(app), _key(app, "state"))[1]
        own = self.user_state(app, user)
        return {APP + key: value for key, value in of_app.items()} | {USER + key: value for key, value in own.items()}

    def _merge_app(self, app: str, delta: Values) -> None:
        project = self._project(app)

        def attempt() -> None:
            replaced = list[Slot]()
            _write(project, _merged(project, _key(app, "state"), delta, replaced), replaced)

        _repeated(attempt)

    def _user(self, user: str) -> Records:
        return Records(self._camillo.for_user(user), "adk")

    def _project(self, app: str) -> Records:
        return Records(self._camillo.for_project(app), "adk")


def _repeated(attempt: Callable[[], T]) -> T:
    """The result of an attempt that nobody else came before: each conflict is a write of somebody."""
    while True:
        try:
            return attempt()
        except VersionConflict:
            continue


def _current(records: Records, key: str) -> tuple[Slot | None, dict[str, Slot]]:
    """The head of a session, and states by run: one that the head does not name was deleted."""
    slots = {slot.key: slot for slot in records.below(key)}
    return slots.pop(key, None), {key.rpartition("/")[2]: slot for key, slot in slots.items()}


def _session(records: Records, app: str, user: str, head: Slot, bodies: Mapping[str, Slot]) -> Session:
    count = _values(records, head)
    state = _values(records, bodies[count["run"]])
    return Session(id=count["id"], app_name=app, user_id=user, state=state, last_update_time=count["time"])


def _events(records: Records, place: str, count: int, most: int | None, after: float | None) -> list[Event]:
    """The newest events in order: keys sort the newest first."""
    found = list[Event]()
    if most == 0:
        return found
    for slot in records.below(place, page_size=100 if most is None else min(most + 8, 100)):
        if MAX_COUNT - int(slot.key.rpartition("/")[2], 16) >= count:
            # Appended since the head was read.
            continue
        event = Event.model_validate_json(records.data(slot))
        if after is not None and event.timestamp < after:
            break
        found.append(event)
        if len(found) == most:
            break
    return found[::-1]


def _merged(records: Records, key: str, delta: Values, replaced: list[Slot]) -> list[NewSlot]:
    """The write that merges values, if there are any, into those at a key, which are then replaced."""
    if not delta:
        return []
    slot, values = _read(records, key)
    replaced += [] if slot is None else [slot]
    return [records.slot(key, _json(values | delta), (), slot.version if slot else 0)]


def _write(records: Records, slots: list[NewSlot], replaced: list[Slot]) -> None:
    """Writes slots, and removes the artifacts that nothing has behind that."""
    if slots:
        try:
            records.write(slots)
        except VersionConflict:
            records.forget(slots)
            raise
        records.forget_artifacts(replaced)


def _read(records: Records, key: str) -> tuple[Slot | None, Values]:
    slot = next(iter(records.below(key, page_size=1)), None)
    return slot, _values(records, slot) if slot else {}


def _values(records: Records, slot: Slot) -> Values:
    values: Values = from_json(records.data(slot))
    return values


def _json(values: Values) -> bytes:
    return to_json(values, bytes_mode="base64", inf_nan_mode="constants", fallback=str)


def _parted(state: Mapping[str, Any]) -> dict[str, Values]:
    """State by the prefix of its keys, without it; `temp:` is not stored."""
    parts: dict[str, Values] = {APP: {}, USER: {}, "": {}, State.TEMP_PREFIX: {}}
    for key, value in state.items():
        prefix = next((each for each in parts if each and key.startswith(each)), "")
        parts[prefix][key.removeprefix(prefix)] = value
    return parts


def _key(app: str, part: str, *names: str) -> str:
    return "/".join(["/adk", name(app), part, *map(name, names)])


def _events_key(key: str, records: Records, head: Slot) -> str:
    return f"{key}/{_values(records, head)['run']}".replace("/sessions/", "/events/", 1)


def _tag(event: Event) -> str:
    return f"event:{digest(event.id)}"
