"""Exports in the forms of others: the Memory Interchange Format, and Letta's blocks and passages."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any
from uuid import UUID

from camillo_cli.format import field_text
from camillo_cli.output import message_dict

if TYPE_CHECKING:
    from camillo.v1.memory_pb2 import Memory

# Fields that stand elsewhere in a memory of the interchange format.
_ELSEWHERE = frozenset({"memory_id", "content", "metadata", "agent_id", "tags", "vector", "vector_model_id"})
# Letta cuts no block below this.
MAX_BLOCK = 5_000
COPY_BYTES = 64 * 1024


def mif(memories: Iterable[Memory]) -> Iterator[bytes]:
    """A document of the interchange format, whose memories have our other fields under `camillo`."""
    about = {"mif_version": "2.0", "generator": {"name": "camillo", "version": "1"}}
    yield _line(about)[:-1].encode() + b', "memories": ['
    yield from _listed(_mif_memory(memory) for memory in memories)
    yield b"]}\n"


def _mif_memory(memory: Memory) -> dict[str, Any]:
    fields = message_dict(memory)
    source = {"source_type": "camillo", "session_id": memory.session_id}
    found: dict[str, Any] = {
        "id": memory.memory_id,
        "content": memory.content,
        "memory_type": field_text(memory, "kind"),
        "created_at": fields.get("created_at") or fields.get("occurred_at") or "1970-01-01T00:00:00Z",
        "updated_at": fields.get("updated_at"),
        "tags": [*memory.tags],
        "metadata": fields.get("metadata", {}),
        "source": {name: value for name, value in source.items() if value},
        "related_memory_ids": [each for each in memory.source_refs if _is_uuid(each)],
        "agent_id": memory.agent_id or None,
        "version": max(1, memory.version),
        "camillo": {name: value for name, value in fields.items() if name not in _ELSEWHERE},
    }
    return {name: value for name, value in found.items() if value is not None}


def letta(memories: Iterable[Memory]) -> Iterator[bytes]:
    """An agent file without an agent: pinned memories are blocks, all others passages."""
    yield b'{"agents": [], "groups": [], "files": [], "sources": [], "tools": [], "mcp_servers": [], "passages": ['
    with tempfile.TemporaryFile() as blocks:
        yield from _listed(_passages(memories, blocks))
        yield b'], "blocks": ['
        blocks.seek(0)
        while data := blocks.read(COPY_BYTES):
            yield data
    yield b"]}\n"


def _passages(memories: Iterable[Memory], blocks: Any) -> Iterator[dict[str, Any]]:
    """The passages; blocks are written beside them, since they come after all of them."""
    for memory in memories:
        if not memory.pinned:
            yield _passage(memory)
            continue
        number = memory.memory_id
        block = {
            "id": f"block-{number}",
            "label": memory.tags[0] if memory.tags else f"memory-{number}",
            "value": memory.content,
            "limit": MAX_BLOCK,
            "metadata": message_dict(memory).get("metadata", {}),
        }
        blocks.write((b",\n" if blocks.tell() else b"\n") + _line(block).encode())


def _passage(memory: Memory) -> dict[str, Any]:
    fields = message_dict(memory)
    return {
        "id": f"passage-{memory.memory_id}",
        "text": memory.content,
        "tags": [*memory.tags],
        "metadata": fields.get("metadata", {}),
        "created_at": fields.get("occurred_at") or fields.get("created_at"),
        "updated_at": fields.get("updated_at"),
    }


def _listed(values: Iterable[dict[str, Any]]) -> Iterator[bytes]:
    """Elements of a list, a line each."""
    for number, value in enumerate(values):
        yield (b",\n" if number else b"\n") + _line(value).encode()


def _line(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False)


def _is_uuid(text: str) -> bool:
    try:
        return str(UUID(text)) == text.lower()
    except ValueError:
        return False
