"""Methods of a client of OpenAI or Anthropic with memory around them."""

from __future__ import annotations

import asyncio
import functools
import inspect
import logging
from collections.abc import Callable
from typing import Any, TypeVar, cast

from camillo_client import Camillo
from camillo_remembering.memory import Memory
from camillo_remembering.shapes import SHAPES, Shape, texts_of
from camillo_remembering.streams import AsyncRecordedStream, RecordedStream

C = TypeVar("C")
T = TypeVar("T")
COPIES = ("with_options", "copy")
ORIGINAL = "_without_memory"

logger = logging.getLogger(__name__)


def remembering(
    client: C,
    camillo: Camillo,
    *,
    session_id: str,
    speaker: str = "user",
    limit: int = 5,
    recall_seconds: float = 1.0,
) -> C:
    """A copy of a client with memory around its calls: `remembering(OpenAI(), camillo.for_user("42"), session_id="a")`.

    Around `chat.completions.create` and `responses.create` of OpenAI and `messages.create` of Anthropic, also with
    `stream=True` and of asynchronous clients. Before a call, up to `limit` hits for the last message of the user are
    added to the instructions, unless that takes longer than `recall_seconds`. Afterwards the message, as said by
    `speaker`, and the answer are recorded in the background. Errors of memory are logged, and never fail a call. Copies
    made by `with_options` have the memory, too; the client that was given has none. TypeError for another object."""
    memory = Memory(camillo, session_id, speaker, limit, recall_seconds)
    # One that has memory already gets this one in its place.
    original: Any = vars(client).get(ORIGINAL, client) if hasattr(client, "__dict__") else client
    if not hasattr(original, "copy"):
        raise TypeError(f"{type(client).__name__} is no client of OpenAI or Anthropic")
    copied = original.copy()
    for path, shape in SHAPES.items():
        *names, method = path.split(".")
        owner: Any = copied
        for name in names:
            owner = getattr(owner, name, None)
        if callable(getattr(owner, method, None)):
            setattr(owner, method, _with_memory(getattr(owner, method), shape, memory))
    for name in COPIES:
        setattr(copied, name, _copying(getattr(original, name), camillo, memory))
    setattr(copied, ORIGINAL, original)
    return cast(C, copied)


def _copying(method: Callable[..., Any], camillo: Camillo, memory: Memory) -> Callable[..., Any]:
    @functools.wraps(method)
    def copy(*words: Any, **named: Any) -> Any:
        return remembering(
            method(*words, **named),
            camillo,
            session_id=memory.session_id,
            speaker=memory.speaker,
            limit=memory.limit,
            recall_seconds=memory.timeout_seconds,
        )

    return copy


def _with_memory(method: Callable[..., Any], shape: Shape, memory: Memory) -> Callable[..., Any]:
    if inspect.iscoroutinefunction(inspect.unwrap(method)):

        @functools.wraps(method)
        async def awaited(*words: Any, **named: Any) -> Any:
            question, sent = _question(shape, named)
            shown = await asyncio.to_thread(memory.recalled, question, sent) if question else ""
            answer = await method(*words, **_added(shape, named, shown))
            if named.get("stream"):
                return AsyncRecordedStream(answer, shape, functools.partial(_record, memory, question))
            _record_answer(memory, shape, question, answer)
            return answer

        return awaited

    @functools.wraps(method)
    def called(*words: Any, **named: Any) -> Any:
        question, sent = _question(shape, named)
        shown = memory.recalled(question, sent) if question else ""
        answer = method(*words, **_added(shape, named, shown))
        if named.get("stream"):
            return RecordedStream(answer, shape, functools.partial(_record, memory, question))
        _record_answer(memory, shape, question, answer)
        return answer

    return called


def _question(shape: Shape, named: dict[str, Any]) -> tuple[str, str]:
    """The last message of the user, and all texts of the call."""
    return _or(
        ("", ""), "a call has a form that memory does not know", lambda: (shape.question(named), texts_of(named))
    )


def _added(shape: Shape, named: dict[str, Any], shown: str) -> dict[str, Any]:
    """The arguments with what was recalled; the caller's own lists stay as they are."""
    if not shown:
        return named
    return _or(named, "a call has a form that memory does not know", lambda: shape.added(named, shown))


def _record_answer(memory: Memory, shape: Shape, question: str, answer: Any) -> None:
    reply = _or("", "an answer has a form that memory does not know", lambda: shape.reply(answer))
    _record(memory, question, reply)


def _record(memory: Memory, question: str, reply: str) -> None:
    _or(None, "a call was not recorded", lambda: memory.record(question, reply))


def _or(otherwise: T, problem: str, make: Callable[[], T]) -> T:
    """Returns what `make` does; where it fails, for whatever reason, logs the problem: no call fails for its memory."""
    try:
        return make()
    except Exception:
        logger.warning(problem, exc_info=True)
        return otherwise
