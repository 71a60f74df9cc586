"""The folder that `rescue` writes: `TENANT/AGENT/MEMORY.md` and JSON lines beside it, for their owner alone."""

from __future__ import annotations

import base64
import json
import os
import unicodedata
from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from camillo_cli.failures import CliError, ExitCode
from camillo_cli.format import clean, time_text
from camillo_cli.output import message_dict, message_json

from camillo_server.doors.spool.spooled_write import SpooledWrite
from camillo_server.kernel.scope import SHARED

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


PACKAGE = "camillo.v1"


def request_of(write: SpooledWrite) -> Message | None:
    """The request in a body; None where it is none that this version knows, to its last field."""
    from google.protobuf.message import DecodeError
    from google.protobuf.unknown_fields import UnknownFieldSet

    request_type = _request_type(write.method)
    try:
        request: Message | None = request_type.FromString(write.body) if request_type else None
    except DecodeError:
        return None
    return None if request is None or len(UnknownFieldSet(request)) else request


def memory_of(write: SpooledWrite, request: Any) -> Memory | None:
    """The memory that it would have become, under the same id; None where it is of another method."""
    from camillo.v1.memory_pb2 import Memory
    from camillo_cli.output import message_dict
    from google.protobuf.json_format import ParseDict

    if write.method != "MemoryService.Remember":
        return None
    memory: Memory = ParseDict(message_dict(request.memory), Memory(), ignore_unknown_fields=True)
    memory.memory_id = memory.memory_id or str(write.spool_id)
    if not memory.HasField("occurred_at"):
        memory.occurred_at.FromDatetime(write.accepted_at)
    return memory


def _request_type(method: str) -> Any:
    """The class of the method's requests; None for one that this version does not have."""
    # Each makes its services known.
    from camillo.v1 import (  # noqa: F401
        event_service_pb2,
        memory_service_pb2,
        run_service_pb2,
        slot_service_pb2,
    )
    from google.protobuf.descriptor_pool import Default
    from google.protobuf.message_factory import GetMessageClass

    service, _, name = method.partition(".")
    try:
        found = Default().FindServiceByName(f"{PACKAGE}.{service}")
        return GetMessageClass(found.methods_by_name[name].input_type)
    except KeyError:
        return None


MEMORIES_PAGE, RECORDS_PAGE = "MEMORY.md", "RECORDS.md"
MEMORIES, RECORDS, SPOOLED = "memories.jsonl", "records.jsonl", "spooled.jsonl"
SPOOLED_MEMORIES = "spooled-memories.jsonl"
UNFINISHED = ".unfinished"
# A name in a file system has 255 bytes at most.
_MAX_NAME_BYTES = 150
_HASH_CHARACTERS = 12


@dataclass(slots=True)
class ScopeFolder:
    """The files of one rescued scope, written between `begin` and `end`; spooled writes at any time after."""

    tenant_id: str
    agent_id: str
    path: Path
    revision: int | None = None
    memories: int = 0
    records: int = 0
    spooled: int = 0
    # The server was gone before all of it was read.
    is_partial: bool = False
    # State before `begin`: revision, memories, records, whether it is partial.
    _before: tuple[int | None, int, int, bool] = (None, 0, 0, False)
    _suffix: str = ""
    _files: dict[str, TextIO] = field(default_factory=dict)
    _open: ExitStack = field(default_factory=ExitStack)

    def begin(self, revision: int) -> bool:
        """Whether this revision is newer than what is there, which it then replaces."""
        if self.revision is not None and revision <= self.revision and not self.is_partial:
            return False
        self._before = self.revision, self.memories, self.records, self.is_partial
        self.revision, self.memories, self.records, self.is_partial = revision, 0, 0, True
        self._suffix = UNFINISHED
        return True

    def add_memory(self, memory: Memory) -> None:
        self.memories += 1
        self._page(MEMORIES_PAGE, "Memories").write(memory_entry(memory))
        self._file(MEMORIES).write(message_json(memory) + "\n")

    def add_chunk(self, chunk: Chunk) -> None:
        self.records += 1
        self._page(RECORDS_PAGE, "Events, documents, slots and decisions").write(chunk_entry(chunk))
        self._file(RECORDS).write(message_json(chunk) + "\n")

    def end(self, *, is_whole: bool) -> None:
        """Replaces the files by the new ones, unless the new ones are partial and the old ones whole."""
        self._close()
        self._suffix = ""
        revision_before, *_, was_partial = self._before
        is_better = is_whole or revision_before is None or was_partial
        if is_better:
            self.is_partial = not is_whole
        else:
            self.revision, self.memories, self.records, self.is_partial = self._before
        for name in (MEMORIES_PAGE, RECORDS_PAGE, MEMORIES, RECORDS):
            unfinished = self.path / f"{name}{UNFINISHED}"
            if is_better and unfinished.exists():
                unfinished.replace(self.path / name)
            elif is_better:
                (self.path / name).unlink(missing_ok=True)
            else:
                unfinished.unlink(missing_ok=True)

    def add_spooled(self, write: SpooledWrite) -> None:
        self.spooled += 1
        request = request_of(write)
        self._page(MEMORIES_PAGE, "Memories").write(spooled_entry(write, request))
        self._file(SPOOLED).write(json.dumps(_spooled(write, request), ensure_ascii=False) + "\n")
        memory = None if request is None else memory_of(write, request)
        if memory is not None:
            self._file(SPOOLED_MEMORIES).write(message_json(memory) + "\n")
        self._close()

    def _page(self, name: str, what: str) -> TextIO:
        file = self._file(name)
        if not file.tell():
            revision = "not in the memory of any server"
            if self.revision is not None:
                revision = f"as of revision {self.revision}, from the memory of a server"
            file.write(heading(what, self.tenant_id, self.agent_id, f"Rescued, {revision}."))
        return file

    def _file(self, name: str) -> TextIO:
        if name not in self._files:
            path = self.path / f"{name}{self._suffix}"
            opened = open(path, "a", encoding="utf-8", opener=_private)  # noqa: SIM115
            self._files[name] = self._open.enter_context(opened)
        return self._files[name]

    def _close(self) -> None:
        self._open.close()
        self._files.clear()


class RescueFolder:
    """Makes the folders of scopes below `root`, which has to be empty, or not there. Raises CliError, OSError."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._scopes: dict[tuple[str, str], ScopeFolder] = {}
        # Names that are taken in each folder, as a file system compares them that knows no cases.
        self._taken: dict[tuple[Path, str], str] = {}
        if root.exists() and (not root.is_dir() or any(root.iterdir())):
            raise CliError(f"{root} is there and not empty: name a new directory", ExitCode.USAGE)

    @property
    def scopes(self) -> list[ScopeFolder]:
        """Sorted by tenant and agent."""
        return [self._scopes[key] for key in sorted(self._scopes)]

    def scope(self, tenant_id: str, agent_id: str) -> ScopeFolder:
        """The folder of this scope, made when it is first asked for."""
        key = tenant_id, agent_id
        if key not in self._scopes:
            self._root.mkdir(mode=0o700, parents=True, exist_ok=True)
            tenant = self._below(self._root, tenant_id)
            path = self._below(tenant, agent_id)
            self._scopes[key] = ScopeFolder(tenant_id, agent_id, path)
        return self._scopes[key]

    def _below(self, parent: Path, name: str) -> Path:
        component = safe_component(name)
        compared = unicodedata.normalize("NFC", component).casefold()
        if self._taken.setdefault((parent, compared), name) != name:
            component = _hashed(component, name)
        path = parent / component
        path.mkdir(mode=0o700, exist_ok=True)
        return path


def safe_component(name: str) -> str:
    """The name of a file or directory, whatever the id: letters and digits of any script, `-`, `_`, `@`, and dots but
    for the first character; others as `%` and two digits for each byte. The shared scope, which has no id, is
    `@shared`."""
    component = "".join(
        each if _is_plain(each, number) else "".join(f"%{byte:02X}" for byte in each.encode())
        for number, each in enumerate(name)
    )
    if len(component.encode()) > _MAX_NAME_BYTES:
        return _hashed(component, name)
    return component or SHARED


def _is_plain(character: str, number: int) -> bool:
    return character.isalnum() or character in "-_@" or (character == "." and number > 0)


def _hashed(component: str, name: str) -> str:
    beginning = component.encode()[: _MAX_NAME_BYTES - _HASH_CHARACTERS - 1].decode(errors="ignore")
    return f"{beginning}-{sha256(name.encode()).hexdigest()[:_HASH_CHARACTERS]}"


def _private(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NOFOLLOW, 0o600)


def _spooled(write: SpooledWrite, request: Message | None) -> dict[str, object]:
    """All of it: its request as JSON or, where it is none that is known, its bytes."""
    described: dict[str, object] = {
        "spool_id": str(write.spool_id),
        "method": write.method,
        "tenant_id": write.scope.tenant_id,
        "agent_id": write.scope.agent_id,
        "accepted_at": write.accepted_at.isoformat(),
        "request_id": write.request.request_id if write.has_request_id else "",
        "credential": write.caller.principal.credential,
    }
    if request is not None:
        return {**described, "request": message_dict(request)}
    return {**described, "body_base64": base64.b64encode(write.body).decode()}
