"""Findings of an export that is read: memories on a file of their own, counts, and what could not be kept."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, TypeAlias
from uuid import UUID, uuid5

from camillo_cli.imports.json_stream import Part
from camillo_cli.imports.records import memory_of
from camillo_cli.options import MemoryKind
from camillo_cli.text_files import NAMESPACE
from camillo_formats.characters import VISIBLE
from camillo_formats.markdown import MAX_MEMORY, plain_passages
from camillo_formats.rendering import one_line

if TYPE_CHECKING:
    from camillo.v1.memory_pb2 import Memory

# Fields of a memory by the names of the contract; `agent` is the space.
Fields: TypeAlias = dict[str, Any]
SHOWN_BAD = 100
# Spaces of one file that are counted by name.
MAX_NAMED_SPACES = 1_000


# In the order of the contract, whose first has the number 1.
KINDS = tuple(kind.value for kind in MemoryKind)


class Skip(Exception):
    """A record is nothing to store; the message names its kind."""


@dataclass(slots=True)
class Reading:
    """The memories of one export and what became of its other records. Memories wait on a temporary file, so that
    nothing is stored before all was understood, and no more than one is held."""

    form: str
    # One space for all: users and agents that the export names are kept in metadata alone.
    is_one_space: bool = False
    # The scalar members of the document, as far as they were read.
    about: dict[str, Any] = field(default_factory=dict)
    count: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    spaces: Counter[str] = field(default_factory=Counter)
    # Counts of what has no place in a memory, by kind.
    lost: Counter[str] = field(default_factory=Counter)
    split: int = 0
    bad_count: int = 0
    bad: list[str] = field(default_factory=list)
    size_bytes: int = 0
    _file: Any = field(default_factory=tempfile.TemporaryFile)

    def id_of(self, *names: str) -> str:
        """An id that follows from names in this form."""
        return str(uuid5(NAMESPACE, "\n".join([self.form, *names]).encode("utf-8", "replace").decode()))

    def space_of(self, names: Fields) -> str:
        """The space of the user that a record names, else that of its agent; empty where it names none, or where all go
        into one. Raises ValueError for an id that can be no part of a space's path."""
        from camillo_client.spaces import checked_space, user_space

        user, agent = (str(names.get(name) or "") for name in ("user_id", "agent_id"))
        if self.is_one_space or not (user or agent):
            return ""
        try:
            if not user and ("/" in agent or "@" in agent):
                raise ValueError(agent)
            return user_space(user) if user else checked_space(agent)
        except ValueError:
            which = f"user_id {user[:60]!r}" if user else f"agent_id {agent[:60]!r}"
            raise ValueError(f"has the {which}, which names no space (--user, --space or --agent take all)") from None

    def lose(self, part: Part) -> None:
        """Counts a part of the document that holds no memory."""
        value = part.value
        if isinstance(value, list | dict) and value:
            self.lost[f"entries of {part.name[:60]}"] += len(value) if part.where == part.name else 1

    def refuse(self, where: str, reason: str) -> None:
        """Counts a record that was not understood; the first are named."""
        self.bad_count += 1
        if len(self.bad) < SHOWN_BAD:
            self.bad.append(one_line(f"{where} {reason}"))

    def keep(self, record: Fields) -> None:
        """Adds a memory; a text that is too long becomes several. Raises ValueError, Skip."""
        memory, agent = memory_of(record)
        if memory.HasField("expires_at") and memory.expires_at.ToDatetime(UTC) <= datetime.now(UTC):
            raise Skip("memories that have expired")
        if not VISIBLE.search(memory.content):
            raise Skip("records without a text")
        memory.agent_id = "" if self.is_one_space else agent
        pieces = list(_pieces(memory))
        self.split += len(pieces) > 1
        for piece in pieces:
            self._add(piece)

    def _add(self, memory: Memory) -> None:
        data = memory.SerializeToString()
        self._file.write(len(data).to_bytes(4, "big") + data)
        self.count += 1
        self.size_bytes += len(data)
        self.kinds[KINDS[max(memory.kind, 1) - 1]] += 1
        space = memory.agent_id
        known = space in self.spaces or len(self.spaces) < MAX_NAMED_SPACES
        self.spaces[space if known else "other spaces"] += 1

    @property
    def has_spaces(self) -> bool:
        """Whether a memory names the space that it belongs to."""
        return any(self.spaces)

    def memories(self) -> Iterator[tuple[Memory, int]]:
        """The memories in their order, each with its bytes; they can be read once more."""
        from camillo.v1.memory_pb2 import Memory

        self._file.seek(0)
        while head := self._file.read(4):
            data = self._file.read(int.from_bytes(head, "big"))
            yield Memory.FromString(data), len(data)


def _pieces(memory: Memory) -> Iterator[Memory]:
    from camillo.v1.memory_pb2 import Memory

    if len(memory.content) <= MAX_MEMORY:
        yield memory
        return
    passages = [each.text for each in plain_passages(memory.content) if VISIBLE.search(each.text)]
    for number, passage in enumerate(passages, 1):
        piece = Memory()
        piece.CopyFrom(memory)
        piece.content = passage
        piece.metadata["part"] = f"{number}/{len(passages)}"
        if number > 1:
            piece.memory_id = str(uuid5(UUID(memory.memory_id), str(number)))
        yield piece


def text(value: object) -> str:
    """A name or a text; empty for any other value."""
    return value if isinstance(value, str) else ""


def named(value: object) -> dict[str, Any]:
    """The members of an object; none of any other value."""
    return dict(value) if isinstance(value, dict) else {}
