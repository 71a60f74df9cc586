"""Pages of lists: what their tokens are bound to (see `tokens`), and how many rows fit in an answer."""

from collections.abc import Callable, Iterable
from typing import Any, Protocol, TypeVar

from google.protobuf.message import Message

from camillo_server.doors.rpc import tokens
from camillo_server.doors.rpc.call import names
from camillo_server.kernel.scope import Scope

# Clients take messages of 4 MiB unless they are told otherwise; an artifact with all that it may have is far shorter.
RESPONSE_BYTES = 3 * 1024 * 1024
Row = TypeVar("Row")
Answer = TypeVar("Answer", bound=Message)
Made = TypeVar("Made", bound=Message, covariant=True)


class Answers(Protocol[Made]):
    """A repeated field of messages."""

    def __len__(self) -> int: ...

    def __delitem__(self, place: int) -> None: ...

    def add(self) -> Made: ...


class PagedRequest(Protocol):
    """A request for one page of a list."""

    DESCRIPTOR: Any

    def SerializeToString(self, *, deterministic: bool = ...) -> bytes: ...  # noqa: N802

    def ClearField(self, field_name: Any) -> None: ...  # noqa: N802

    def CopyFrom(self, other: Any) -> None: ...  # noqa: N802


def list_binding(request: PagedRequest, scope: Scope) -> bytes:
    """All that the token of a list depends on: everything but the size of the page."""
    query = type(request)()
    query.CopyFrom(request)
    # The scope tells the agent, whether or not the request named it. An export has no size. A page may be as fresh as
    # it likes.
    for field in ("agent_id", "page_size", "page_token", "freshness"):
        if field in query.DESCRIPTOR.fields_by_name:
            query.ClearField(field)
    content = query.SerializeToString(deterministic=True)
    return tokens.query_binding(type(request).__name__, *names(scope), content)


def fitting(rows: Iterable[Row], message_of: Callable[[Row], Answer]) -> list[Answer]:
    """The messages of the first rows, as many as fit into an answer; at least one."""
    messages: list[Answer] = []
    room = RESPONSE_BYTES
    for row in rows:
        message = message_of(row)
        room -= message.ByteSize()
        if room < 0 and messages:
            break
        messages.append(message)
    return messages


def add_fitting(
    messages: Answers[Answer],
    rows: Iterable[Row],
    fill: Callable[[Answer, Row], None],
) -> int:
    """Adds what `fitting` would return to the answer itself, which spares copies; returns the number of messages."""
    room = RESPONSE_BYTES
    for row in rows:
        message = messages.add()
        fill(message, row)
        room -= message.ByteSize()
        if room < 0 and len(messages) > 1:
            del messages[-1]
            break
    return len(messages)
