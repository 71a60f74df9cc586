"""Objects that read a message, with properties of their own beside its fields."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar

from google.protobuf.message import Message

M = TypeVar("M", bound=Message)


class View(Generic[M]):
    """Reads a message; fields and methods that have no property here are those of the message."""

    __slots__ = ("message",)

    # As the server sent it: for what takes messages alone, such as `CopyFrom` or a list of another message.
    message: M

    def __init__(self, message: M) -> None:
        self.message = message

    def HasField(self, name: str) -> bool:  # noqa: N802
        return self.message.HasField(name)

    # Hidden from type checkers, which would take every misspelt name for a field.
    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            # Copying and pickling ask for special methods before there is a message.
            if name.startswith("__") or name == "message":
                raise AttributeError(name)
            return getattr(self.message, name)

    def __eq__(self, other: object) -> bool:
        return bool(self.message == (other.message if isinstance(other, View) else other))

    # Like a message.
    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(self.message)

    def __str__(self) -> str:
        return str(self.message)
