"""Errors of wrong arguments name the argument and what it takes, in every method of both clients."""

from __future__ import annotations

import datetime
import inspect
import re
import typing
from collections.abc import AsyncGenerator, Generator, Iterator
from pathlib import Path
from typing import Any

import grpc
import pytest
from clients.python.tests.fake_server import FakeServer
from google.protobuf.internal.enum_type_wrapper import EnumTypeWrapper
from google.protobuf.message import Message

import camillo_client
from camillo.v1.memory_pb2 import NewMemory
from camillo_client import AsyncCamillo, Camillo, errors
from camillo_client.argument_errors import _choices, _enum_names, _is_several, hints_of
from camillo_client.errors import Failure, FieldViolation

NAIVE = datetime.datetime(2027, 1, 1)  # noqa: DTZ001 (what is refused)
MESSAGES = [
    (lambda c: c.remember(5), TypeError, "content takes text, not int"),
    (lambda c: c.remember(b"\xff"), TypeError, "content takes text, not bytes"),
    (lambda c: c.remember("a", tags="x"), TypeError, "tags takes a list of texts, not a single text"),
    (lambda c: c.remember("a", tags={"x": 1}), TypeError, "tags takes a list of texts, not dict"),
    (lambda c: c.remember("a", tags=["x", 1]), TypeError, "tags[1] takes text, not int"),
    (lambda c: c.remember("a", importance="high"), TypeError, "importance takes a number, not str 'high'"),
    (lambda c: c.remember("a", kind=3.0), TypeError, "kind takes one of fact, preference, "),
    (lambda c: c.remember("a", kind="prefernce"), ValueError, "kind: 'prefernce' is none of fact, "),
    (lambda c: c.remember("a", kind="prefernce"), ValueError, ": did you mean preference?"),
    (lambda c: c.remember("a", kind="MEMORY_KIND_FACT"), ValueError, ": did you mean fact?"),
    (lambda c: c.remember("a", expires_at=NAIVE), ValueError, "expires_at has no timezone: use "),
    (
        lambda c: c.remember("a", expires_at="2027-01-01"),
        TypeError,
        "expires_at takes a datetime with a time zone, not str '2027-01-01'",
    ),
    (lambda c: c.remember("a", tagz=["x"]), TypeError, "takes no keyword tagz: did you mean tags?"),
    (lambda c: c.remember(text="a"), TypeError, "takes no keyword text: it takes content, "),
    (lambda c: c.get(memory="m"), TypeError, "takes no keyword memory: did you mean memory_id?"),
    (lambda c: c.get(), TypeError, "memory_id"),
    (lambda c: c.remember("a", metadata={1: "a"}), TypeError, "a key of metadata takes text, not int"),
    (lambda c: c.remember("a", metadata={"k": object()}), TypeError, "metadata['k'] takes "),
    (lambda c: c.remember("茶\ud83d"), UnicodeEncodeError, "content: surrogates not allowed"),
    (lambda c: c.remember("a", tags=iter([1])), TypeError, "tags takes a list of texts, of which one is "),
    (
        lambda c: c.call("camillo.v1.MemoryService/Recall", {"text": "a"}),
        TypeError,
        "request takes a Message, not dict",
    ),
    (lambda c: c.restore(None), TypeError, "ids takes a list of texts, not None"),
    (lambda c: c.remember_many([5]), TypeError, "memories[0] takes text or a NewMemory, not int"),
    (lambda c: c.recall("a", limit=2**40), ValueError, "limit takes a whole number up to 2147483647, "),
    (lambda c: c.recall("a", limit="3"), TypeError, "limit takes a whole number, not str '3'"),
    (lambda c: c.recall("a", timeout="5"), TypeError, "timeout takes a number, not str '5'"),
    (lambda c: c.recall("a", agent_id=5), TypeError, "agent_id takes text, not int"),
    (lambda c: c.recall("a", sources=["memry"]), ValueError, "sources[0]: 'memry' is none of memory, "),
    (lambda c: c.recall("a", filter={"tags_an": ["x"]}), TypeError, "filter takes no field tags_an: did you"),
    (lambda c: c.recall("a", filter={"tags_any": [1]}), TypeError, "filter.tags_any of MemoryFilter takes "),
    (lambda c: c.recall("a", filter=NewMemory()), TypeError, "filter takes a MemoryFilter, not NewMemory"),
    (lambda c: c.slots.set_memory("/a", float("nan"), "x"), ValueError, "content is no JSON: "),
    (lambda c: c.slots.set_memory("/a", [object()], "x"), TypeError, "content is no JSON: "),
    (lambda c: c.slots.mirror("d", prefix=5), TypeError, "prefix takes text, not int"),
    (lambda c: c.artifacts.open_writer(tags="x"), TypeError, "tags takes a list of texts"),
    (lambda _: camillo_client.new_memory(5), TypeError, "content takes text, not int"),
    (lambda _: camillo_client.memory_filter(kinds=["fct"]), ValueError, "kinds[0]: 'fct' is none of fact, "),
    (lambda _: Camillo.connect("a:1", timeout_seconds="5"), TypeError, "timeout_seconds takes a number, "),
    (lambda _: Camillo.connect("a:1", agent_id=5), TypeError, "agent_id takes text, not int"),
    (lambda _: Camillo.connect("a:1", adress="b:1"), TypeError, "did you mean address?"),
]
"""Calls with the class and a part of the message of their errors."""
PARTS = (
    *("memories", "admin", "events", "workflows", "artifacts", "documents", "decisions", "tasks", "context"),
    *("context.views", "context.recipes", "slots", "skills", "runs", "links", "lifecycle", "audit", "spool"),
)
# Used only where a connection breaks, or after bytes were sent.
LATE = {"max_reconnects", "on_progress", "progress"}


def test_an_error_says_what_an_argument_takes(sync_client: Camillo) -> None:
    for call, kind, told in MESSAGES:
        with pytest.raises(kind) as raised:
            call(sync_client)
        assert (type(raised.value), told in str(raised.value)) == (kind, True), str(raised.value)


def test_what_was_given_is_not_repeated_where_it_may_be_private(sync_client: Camillo) -> None:
    for call in (
        lambda: sync_client.remember("a", tags="s3cret"),
        lambda: sync_client.remember_many("s3cret"),
        lambda: sync_client.remember(["s3cret"]),  # type: ignore[arg-type]
        lambda: Camillo.connect("a:1", key=["s3cret"]),  # type: ignore[arg-type]
    ):
        with pytest.raises(TypeError) as raised:
            call()
        assert "s3cret" not in str(raised.value)


def test_errors_of_a_callback_stay_its_own(sync_client: Camillo) -> None:
    failure = TypeError("of the callback")

    def pieces() -> Iterator[NewMemory]:
        yield NewMemory(content="tea")
        raise failure

    with pytest.raises(TypeError) as raised:
        sync_client.remember_many(pieces())
    assert raised.value is failure


def test_refusals_of_a_server_name_field_and_reason() -> None:
    violations = (FieldViolation("memory.tags", "must have at most 32 values"),)
    failure = Failure(
        grpc.StatusCode.INVALID_ARGUMENT, "the request is invalid", reason="INVALID_FIELD", field_violations=violations
    )
    assert str(errors.InvalidField(failure)) == (
        "INVALID_FIELD: the request is invalid; memory.tags: must have at most 32 values"
    )


@pytest.mark.parametrize("part", PARTS)
def test_every_argument_of_every_method_is_named(sync_client: Camillo, tmp_path: Path, part: str) -> None:
    unnamed, count = [], 0
    for method, keywords, name in _cases(_part(sync_client, part), tmp_path):
        count += 1
        try:
            answer = method(**keywords)
            told = repr(next(answer) if isinstance(answer, Generator) else answer)
        except Exception as error:  # noqa: BLE001 (whatever it is, it has to be the right one)
            told = f"{type(error).__name__} {error}"
        if not _names(told, name):
            unnamed.append(f"{method.__name__}({name}={keywords[name]!r}): {told:.150}")
    assert (unnamed, count > 5) == ([], True)


@pytest.mark.parametrize("part", PARTS)
async def test_so_does_the_client_for_asyncio(
    client: AsyncCamillo, server: FakeServer, tmp_path: Path, part: str
) -> None:
    unnamed, count = [], 0
    for method, keywords, name in _cases(_part(client, part), tmp_path):
        count += 1
        try:
            answer = method(**keywords)
            if isinstance(answer, AsyncGenerator):
                answer = anext(answer)
            told = repr(await answer if inspect.isawaitable(answer) else answer)
        except Exception as error:  # noqa: BLE001 (whatever it is, it has to be the right one)
            told = f"{type(error).__name__} {error}"
        if not _names(told, name):
            unnamed.append(f"{method.__name__}({name}={keywords[name]!r}): {told:.150}")
    assert (unnamed, count > 5) == ([], True)


def _part(client: Any, path: str) -> Any:
    for name in path.split("."):
        client = getattr(client, name)
    return client


def _names(told: str, name: str) -> bool:
    return re.match(rf"(TypeError|ValueError) (a key of )?{name}\b", told) is not None


def _cases(part: Any, directory: Path) -> Iterator[tuple[Any, dict[str, Any], str]]:
    """Calls with one wrong argument each, from the signatures of the public methods."""
    for method_name, method in inspect.getmembers(part, inspect.ismethod):
        if method_name.startswith("_"):
            continue
        hints, _ = hints_of(method.__func__)
        parameters = inspect.signature(method).parameters.values()
        required = {
            each.name: directory / "d" if each.name == "directory" else _sample(hints[each.name])
            for each in parameters
            if each.default is each.empty and each.kind is not each.VAR_KEYWORD
        }
        for name, hint in hints.items():
            for wrong in () if name in LATE | {"self"} else _wrong(hint):
                yield method, required | {name: wrong}, name


def _wrong(hint: Any) -> list[Any]:
    """Values that a parameter does not take; none where it takes about anything."""
    choices = [part for part in _choices(hint) if part is not type(None)]
    if Any in choices:
        return []
    if _enum_names(hint):
        return ["nonsense", 2.5]
    if any(_is_several(part) for part in choices):
        others = {str, bytes} & {*choices}
        return [object(), *([] if others else ["x", {"a": 1}, [object()]])]
    if str in choices:
        return [object()] if {int, float} & {*choices} else [5, ["x"]]
    if datetime.datetime in choices:
        return ["2027-01-01", NAIVE]
    if int in choices:
        return ["x", 2.5]
    return ["x"] if {float, bool} & {*choices} else [object()]


def _sample(hint: Any) -> Any:
    """A value that a parameter takes."""
    for part in _choices(hint):
        if part in (str, int, float, bool, bytes):
            return part("1") if part is not bytes else b"1"
        if part is datetime.datetime:
            return datetime.datetime.now(datetime.UTC)
        if names := _enum_names(part):
            return names[0]
        if _is_several(part):
            return [_sample(typing.get_args(part)[0])]
        if typing.get_origin(part) is tuple:
            return tuple(map(_sample, typing.get_args(part)))
        if not isinstance(part, EnumTypeWrapper) and isinstance(part, type):
            return part() if issubclass(part, Message) else None
    return None
