"""Prints results to standard output, as JSON or text, and notes to standard error."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Protocol

from camillo_server.cli.format import printable

if TYPE_CHECKING:
    from google.protobuf.message import Message
    from rich.console import Console


class HasFormat(Protocol):
    """The options of a command that can print JSON."""

    @property
    def as_json(self) -> bool: ...


def print_json(value: object) -> None:
    """Prints one value on one line."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False) + "\n")


def print_message(message: Message) -> None:
    """Prints a message on one line, with all its fields so that readers find the same keys each time."""
    sys.stdout.write(message_json(message, all_fields=True) + "\n")


def message_json(message: Message, *, all_fields: bool = False) -> str:
    """Protobuf JSON on one line, with the names of the `.proto` files."""
    fields = message_dict(message, all_fields=all_fields)
    if "metadata" in fields:
        # A protobuf map has no order of its own; the same memory should be the same line.
        fields["metadata"] = dict(sorted(fields["metadata"].items()))
    return json.dumps(fields, ensure_ascii=False)


def message_dict(message: Message, *, all_fields: bool = False) -> dict[str, Any]:
    """The fields of protobuf JSON; `all_fields` includes those that have their default value."""
    from google.protobuf.json_format import MessageToDict

    return MessageToDict(
        message,
        preserving_proto_field_name=True,
        always_print_fields_with_no_presence=all_fields,
    )


def print_result(options: HasFormat, message: Message, text: str) -> None:
    """Prints what a command has done: the message as JSON, or the text."""
    if options.as_json:
        print_message(message)
    else:
        say(text)


def print_value(value: object, text: str, *, as_json: bool) -> None:
    """Prints what a command has done: a value as JSON, or the text."""
    if as_json:
        print_json(value)
    else:
        say(text)


def print_text(text: str) -> None:
    """Prints a text of any length; on a terminal without characters that would control it."""
    if not text.endswith("\n"):
        text += "\n"
    sys.stdout.write(printable(text) if sys.stdout.isatty() else text)


def print_notes(reasons: Sequence[str]) -> None:
    for reason in reasons:
        note(f"note: {reason}")


def say(text: str) -> None:
    """Prints a line to standard output."""
    sys.stdout.write(text + "\n")


def note(text: str) -> None:
    """Prints a line to standard error, beside the result."""
    sys.stderr.write(text + "\n")


@cache
def console() -> Console:
    """Standard output as rich sees it."""
    from rich.console import Console

    return Console(highlight=False, markup=False, emoji=False)


@cache
def error_console() -> Console:
    """Standard error as rich sees it: for progress, which is drawn on terminals only."""
    from rich.console import Console

    return Console(stderr=True, highlight=False, markup=False, emoji=False)
