"""What a command prints: JSON, or text for people."""

from __future__ import annotations

import json
import sys
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from google.protobuf.message import Message
    from rich.console import Console


def print_json(value: object) -> None:
    """One value on one line."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False) + "\n")


def print_message(message: Message) -> None:
    """A message of the contract on one line, with all its fields so that readers find the same keys each time."""
    sys.stdout.write(message_json(message, all_fields=True) + "\n")


def message_json(message: Message, *, all_fields: bool = False) -> str:
    """Protobuf JSON on one line, with the contract's names."""
    from google.protobuf.json_format import MessageToDict

    fields = MessageToDict(
        message,
        preserving_proto_field_name=True,
        always_print_fields_with_no_presence=all_fields,
    )
    if "metadata" in fields:
        # A map of the contract has no order of its own; the same memory shall be the same line.
        fields["metadata"] = dict(sorted(fields["metadata"].items()))
    return json.dumps(fields, ensure_ascii=False)


def say(text: str) -> None:
    """A line on standard output."""
    sys.stdout.write(text + "\n")


def note(text: str) -> None:
    """A line on standard error, beside the result."""
    sys.stderr.write(text + "\n")


def counted(memories: int) -> str:
    """A number of memories, in words."""
    return f"{memories:,} {'memory' if memories == 1 else 'memories'}"


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
