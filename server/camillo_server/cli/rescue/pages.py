"""Markdown pages of what is rescued. Contents are quoted, so that none of their lines passes for one of the page."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING

from camillo_cli.format import clean, time_text
from camillo_cli.output import message_dict

from camillo_server.doors.spool.spooled_write import SpooledWrite

if TYPE_CHECKING:
    from camillo.v1.memory_pb2 import Chunk, Memory
    from google.protobuf.message import Message


def heading(what: str, tenant_id: str, agent_id: str, about: str) -> str:
    """The beginning of a page."""
    whose = f"agent {clean(agent_id)}, " if agent_id else "shared by all agents, "
    return f"# {what}: {whose}tenant {clean(tenant_id)}\n\n{about}\n\n"


def memory_entry(memory: Memory) -> str:
    from camillo.v1.memory_pb2 import MemoryKind, Sensitivity

    marks = [
        time_text(memory.occurred_at),
        _word(MemoryKind.Name(memory.kind), "MEMORY_KIND_"),
        _word(Sensitivity.Name(memory.sensitivity), "SENSITIVITY_"),
    ]
    marks += [name for name in ("pinned", "archived") if getattr(memory, name)]
    if memory.HasField("expires_at"):
        marks.append(f"expires {time_text(memory.expires_at)}")
    if memory.HasField("valid_from"):
        marks.append(f"true from {time_text(memory.valid_from)}")
    if memory.HasField("valid_until"):
        marks.append(f"true until {time_text(memory.valid_until)}")
    if memory.superseded_by:
        marks.append(f"superseded by {memory.superseded_by}")
    if memory.session_id:
        marks.append(f"session {clean(memory.session_id)}")
    return _entry([*marks, *_tags(memory.tags)], memory.content)


def chunk_entry(chunk: Chunk) -> str:
    from camillo.v1.memory_pb2 import Sensitivity, Source

    marks = [
        time_text(chunk.occurred_at),
        _word(Source.Name(chunk.source), "SOURCE_"),
        _word(Sensitivity.Name(chunk.sensitivity), "SENSITIVITY_"),
        clean(chunk.origin_id),
    ]
    if chunk.session_id:
        marks.append(f"session {clean(chunk.session_id)}")
    return _entry([*marks, *_tags(chunk.tags)], chunk.text)


def spooled_entry(write: SpooledWrite, request: Message | None) -> str:
    """A write as its request says it, or as much of its body as is text."""
    at = write.accepted_at.strftime("%Y-%m-%d %H:%M:%S") + "Z"
    marks = [at, "SPOOLED, never stored in Postgres", clean(write.method), str(write.spool_id)]
    if request is None:
        return _entry(marks, readable(write.body))
    fields = message_dict(request)
    memory = fields.get("memory")
    if isinstance(memory, dict) and set(fields) <= {"memory", "agent_id", "request_id"}:
        marks += _tags(memory.get("tags", []))
        return _entry(marks, str(memory.get("content", "")))
    return _entry(marks, json.dumps(fields, ensure_ascii=False, indent=2))


def readable(body: bytes) -> str:
    """A text, or how many bytes it has that are none."""
    try:
        return body.decode()
    except UnicodeDecodeError:
        return f"({len(body):,} bytes that are no text: see spooled.jsonl)"


def _entry(marks: Iterable[str], content: str) -> str:
    quoted = "\n".join(f"> {line}".rstrip() for line in content.splitlines()) or ">"
    return f"## {' · '.join(mark for mark in marks if mark)}\n\n{quoted}\n\n"


def _tags(tags: Iterable[str]) -> list[str]:
    return [f"#{clean(tag)}" for tag in tags]


def _word(name: str, prefix: str) -> str:
    return name.removeprefix(prefix).lower().replace("_", " ")
