"""Scenarios, read from YAML: what is stored, and questions with what their answers have to show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import Any, NoReturn

from camillo_cli.arguments import time_ago
from camillo_cli.failures import CliError, ExitCode, one_line
from camillo_formats.plain_yaml import FieldRefused, load_yaml

MAX_CHARACTERS = 8_000_000
MAX_TEXT = 100_000
MAX_WITHIN = 200
DEFAULT_WITHIN = 5
SCENARIO_KEYS = ("name", "remember", "record", "ingest", "defaults", "questions")
MEMORY_KEYS = ("id", "text")
SESSION_KEYS = ("session", "at", "turns")
TURN_KEYS = ("id", "at", "tags", "importance")
DEFAULT_KEYS = ("within", "tokens", "recall")
QUESTION_KEYS = ("name", "ask", "find", "find_any", "avoid", "no_match", *DEFAULT_KEYS, "bundle")
# The actor of an event by who speaks, as chats name them.
SPEAKERS = {"user": "human:user", "assistant": "agent:assistant", "tool": "tool:tool", "system": "system:system"}
# Options of a recall, by keys of a question that say them.
SAID_BY = {"limit": "within", "max_tokens": "tokens"}
MOMENTS = frozenset({"occurred_at", "valid_from", "valid_until", "expires_at", "as_of", "known_at", "query_time"})


@dataclass(frozen=True, slots=True)
class Entry:
    """A memory to remember or a message to record: the id that the file gives it, which may be empty, its text, and
    the fields of that call."""

    id: str
    text: str
    fields: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Question:
    """A question, and what holds of its answer: what it shows within so many hits or tokens, and what it does not.

    The name, by default the text, is that of no other question of the scenario. `recall` and `bundle` are options of
    these calls; a question without `bundle` is a recall."""

    name: str
    ask: str
    find: Sequence[str] = ()
    find_any: Sequence[str] = ()
    avoid: Sequence[str] = ()
    no_match: bool | None = None
    within: int = DEFAULT_WITHIN
    tokens: int = 0
    recall: Mapping[str, Any] = field(default_factory=dict)
    bundle: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Scenario:
    """Memories, messages and files that are stored in a scope of their own, and the questions that are then asked."""

    name: str
    remembered: Sequence[Entry]
    recorded: Sequence[Entry]
    files: Sequence[Path]
    questions: Sequence[Question]

    @property
    def sources(self) -> list[str]:
        """The sources that a recall searches by default: what the scenario stores."""
        stores_both = bool(self.files)
        memories, events = bool(self.remembered) or stores_both, bool(self.recorded) or stores_both
        return [name for name, is_stored in (("memory", memories), ("event", events)) if is_stored]


def read_scenarios(path: Path) -> list[Scenario]:
    """The scenarios of a file: of its list `scenarios`, or the one that the file is. Raises CliError."""
    try:
        text = path.read_text("utf-8")
    except UnicodeDecodeError as error:
        raise CliError(f"{path}: is not UTF-8 text", ExitCode.USAGE) from error
    try:
        loaded = load_yaml(text, str(path), max_characters=MAX_CHARACTERS, max_scalar=MAX_TEXT)
    except FieldRefused as refused:
        raise CliError(str(refused), ExitCode.USAGE) from refused
    part = _Part(loaded, str(path))
    if isinstance(loaded, dict) and "scenarios" in loaded:
        part.only(("scenarios",))
        scenarios = [_scenario(each, path, f"{path.stem} {number}") for number, each in part.numbered("scenarios")]
    else:
        scenarios = [_scenario(part, path, path.stem)]
    if twice := repeated(each.name for each in scenarios):
        part.refuse(f"two scenarios have the name {twice!r}")
    return scenarios


def repeated(names: Iterable[str]) -> str:
    """A name that comes twice; empty if none does."""
    return next((name for name, count in Counter(names).items() if count > 1), "")


class _Part:
    """A part of the file, which names itself where it is refused."""

    def __init__(self, value: object, where: str) -> None:
        self.value = value
        self.where = where

    def refuse(self, why: str) -> NoReturn:
        """Raises CliError."""
        raise CliError(one_line(f"{self.where}: {why}"), ExitCode.USAGE)

    def only(self, keys: Sequence[str]) -> None:
        """Refuses what is no mapping, or has other keys."""
        if not isinstance(self.value, dict):
            self.refuse(f"must have keys and values ({', '.join(keys)})")
        if unknown := [key for key in self.value if key not in keys]:
            self.refuse(f"knows no key {str(unknown[0])[:80]!r}; there are {', '.join(keys)}")

    def get(self, key: str) -> _Part:
        """The value of a key, which may be absent."""
        return _Part(self._mapping().get(key), f"{self.where}: {key}")

    def text(self, *, may_be_absent: bool = False) -> str:
        """A text; numbers and days are texts as they are written."""
        if self.value is None and may_be_absent:
            return ""
        if isinstance(self.value, bool) or not isinstance(self.value, str | int | float | date) or self.value == "":
            self.refuse("must be a text")
        return str(self.value)

    def texts(self) -> list[str]:
        """A text, or a list of texts."""
        if self.value is None:
            return []
        values = self.value if isinstance(self.value, list) else [self.value]
        return [_Part(value, self.where).text() for value in values]

    def integer(self, least: int, most: int, default: int) -> int:
        """A number within these bounds."""
        if self.value is None:
            return default
        if isinstance(self.value, bool) or not isinstance(self.value, int) or not least <= self.value <= most:
            self.refuse(f"must be a whole number from {least:,} to {most:,}")
        return self.value

    def truth(self) -> bool | None:
        """Yes, no, or not said."""
        if self.value is not None and not isinstance(self.value, bool):
            self.refuse("must be true or false")
        return self.value

    def numbered(self, key: str) -> Iterator[tuple[int, _Part]]:
        """The items of a list, from 1 on."""
        listed = self.get(key)
        if listed.value is not None and not isinstance(listed.value, list):
            listed.refuse("must be a list")
        for number, value in enumerate(listed.value or (), 1):
            yield number, _Part(value, f"{self.where}: {key} {number}")

    def options(self) -> dict[str, Any]:
        """Keyword arguments of a call of the client, with moments as the client takes them."""
        if self.value is None or self.value is True:
            return {}
        return {key: self._option(key) for key in self._mapping()}

    def moment(self) -> datetime | None:
        """A day, a moment, or how long ago; without a time zone it is UTC."""
        value = self.value
        if isinstance(value, str):
            try:
                return time_ago(value)
            except CliError as error:
                self.refuse(str(error))
        if isinstance(value, datetime):
            return value if value.tzinfo else value.replace(tzinfo=UTC)
        if isinstance(value, date):
            return datetime.combine(value, time(tzinfo=UTC))
        return None if value is None else self.refuse("must be a time such as 2026-01-31 or 7d")

    def _option(self, key: str) -> Any:
        value = self.get(key)
        if key in MOMENTS:
            return value.moment()
        if isinstance(value.value, list):
            return tuple(value.value)
        return value.value

    def _mapping(self) -> dict[str, Any]:
        if not isinstance(self.value, dict):
            self.refuse("must have keys and values")
        if other := next((key for key in self.value if not isinstance(key, str)), None):
            self.refuse(f"has a key that is no text: {other}")
        return self.value


def _scenario(part: _Part, path: Path, default_name: str) -> Scenario:
    part.only(SCENARIO_KEYS)
    defaults = part.get("defaults")
    if defaults.value is not None:
        defaults.only(DEFAULT_KEYS)
    scenario = Scenario(
        name=part.get("name").text(may_be_absent=True) or default_name,
        remembered=[_remembered(each) for _, each in part.numbered("remember")],
        recorded=[entry for _, each in part.numbered("record") for entry in _session(each)],
        files=[_file(name, path, part) for name in part.get("ingest").texts()],
        questions=[_question(each, defaults) for _, each in part.numbered("questions")],
    )
    if not scenario.sources:
        part.refuse("stores nothing: it needs remember, record or ingest")
    if not scenario.questions:
        part.refuse("has no questions")
    ids = [each.id for each in (*scenario.remembered, *scenario.recorded) if each.id]
    if twice := repeated(ids):
        part.refuse(f"two records have the id {twice!r}")
    if twice := repeated(each.name for each in scenario.questions):
        part.refuse(f"two questions are called {twice[:80]!r}: give one another name")
    return scenario


def _file(name: str, path: Path, part: _Part) -> Path:
    found = path.parent / Path(name).expanduser()
    if not found.exists():
        part.get("ingest").refuse(f"there is no {found}")
    return found


def _remembered(part: _Part) -> Entry:
    if not isinstance(part.value, dict):
        return Entry("", part.text(), {})
    fields = {key: value for key, value in part.options().items() if key not in MEMORY_KEYS}
    for key in ("supersedes", "source_refs", "tags"):
        if key in fields:
            fields[key] = part.get(key).texts()
    return Entry(part.get("id").text(may_be_absent=True), part.get("text").text(), fields)


def _session(part: _Part) -> Iterator[Entry]:
    part.only(SESSION_KEYS)
    session, at = part.get("session").text(may_be_absent=True), part.get("at").moment()
    for number, turn in part.numbered("turns"):
        turn.only((*SPEAKERS, *TURN_KEYS))
        speakers = [name for name in SPEAKERS if turn.get(name).value is not None]
        if len(speakers) != 1:
            turn.refuse(f"must have one of {', '.join(SPEAKERS)}")
        fields = {
            "session_id": session,
            "actor": SPEAKERS[speakers[0]],
            # Turns of one session stand in their order, a second apart.
            "occurred_at": turn.get("at").moment() or (at and at + timedelta(seconds=number - 1)),
            "tags": turn.get("tags").texts(),
            "importance": turn.get("importance").value,
        }
        yield Entry(turn.get("id").text(may_be_absent=True), turn.get(speakers[0]).text(), fields)


def _question(part: _Part, defaults: _Part) -> Question:
    part.only(QUESTION_KEYS)
    by_default = defaults if defaults.value is not None else _Part({}, defaults.where)
    within = by_default.get("within").integer(1, MAX_WITHIN, DEFAULT_WITHIN)
    tokens = by_default.get("tokens").integer(0, 1_000_000, 0)
    bundle = part.get("bundle")
    question = Question(
        name=part.get("name").text(may_be_absent=True) or part.get("ask").text(),
        ask=part.get("ask").text(),
        find=part.get("find").texts(),
        find_any=part.get("find_any").texts(),
        avoid=part.get("avoid").texts(),
        no_match=part.get("no_match").truth(),
        within=part.get("within").integer(1, MAX_WITHIN, within),
        tokens=part.get("tokens").integer(0, 1_000_000, tokens),
        recall={**by_default.get("recall").options(), **part.get("recall").options()},
        bundle=bundle.options() if bundle.value else None,
    )
    if not (question.find or question.find_any or question.avoid) and question.no_match is None:
        part.refuse("nothing has to hold: it needs find, find_any, avoid or no_match")
    for option, key in SAID_BY.items():
        if option in question.recall:
            part.get("recall").refuse(f"{option} is said by {key}")
    if question.bundle is not None and question.no_match is not None:
        part.refuse("no_match is of recalls: a bundle tells none")
    return question
