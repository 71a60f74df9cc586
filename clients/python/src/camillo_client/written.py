"""Answers to writes: the message that was written, and whether it is stored or spooled."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeVar

from google.protobuf.message import Message

from camillo.v1.consistency_pb2 import Durability
from camillo.v1.event_service_pb2 import RecordedEvent
from camillo.v1.memory_pb2 import Memory
from camillo.v1.run_pb2 import Run
from camillo.v1.slot_pb2 import Slot
from camillo_client.views import View

M = TypeVar("M", bound=Message)


class WriteAnswer(Protocol):
    """A response that says where the write is."""

    durability: Durability
    spool_id: str


if TYPE_CHECKING:
    # To type checkers a message with two fields more, so that they know all the others.
    class _Written:
        durability: Durability
        spool_id: str | None

        def __init__(self, message: Message, answer: WriteAnswer) -> None: ...

    class WrittenMemory(_Written, Memory):
        message: Memory

    class WrittenEvent(_Written, RecordedEvent):
        message: RecordedEvent

    class WrittenSlot(_Written, Slot):
        message: Slot

    class WrittenRun(_Written, Run):
        message: Run

else:

    class _Written(View[M]):
        __slots__ = ("durability", "spool_id")

        def __init__(self, message: M, answer: WriteAnswer) -> None:
            super().__init__(message)
            # Where the write is; unspecified by a server that does not know of it.
            self.durability = answer.durability
            # Names a write that was spooled; else None.
            self.spool_id = answer.spool_id or None

    class WrittenMemory(_Written[Memory]):
        """A memory as `remember` stored it."""

        __slots__ = ()

    class WrittenEvent(_Written[RecordedEvent]):
        """An event as `events.record` recorded it."""

        __slots__ = ()

    class WrittenSlot(_Written[Slot]):
        """A version of a slot as `slots.set_memory` wrote it."""

        __slots__ = ()

    class WrittenRun(_Written[Run]):
        """A run as `runs.append` left it."""

        __slots__ = ()


def message_of(given: M) -> M:
    """The message itself, for what takes messages alone."""
    return given.message if isinstance(given, View) else given
