"""Pages of a list that end where a message would become too large."""

from collections.abc import Callable, Iterable
from typing import TypeVar

from google.protobuf.message import Message

from camillo_server.rpc.artifact_list import RESPONSE_BYTES

Row = TypeVar("Row")
Told = TypeVar("Told", bound=Message)


def fitting(rows: Iterable[Row], message_of: Callable[[Row], Told]) -> list[Told]:
    """The messages of the first rows, as many as fit into an answer; at least one."""
    messages: list[Told] = []
    room = RESPONSE_BYTES
    for row in rows:
        message = message_of(row)
        room -= message.ByteSize()
        if room < 0 and messages:
            break
        messages.append(message)
    return messages
