"""Text files and folders of them as memories: which files, split into which passages, under which ids."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path, PurePath
from typing import TYPE_CHECKING
from uuid import UUID, uuid5

from camillo_cli.arguments import WIDE_ENCODINGS, cannot_read, encoding
from camillo_cli.failures import CliError, ExitCode
from camillo_cli.format import counted
from camillo_cli.imports.note_forms import NoteForm, Statement, form_of_note, plain
from camillo_cli.imports.notes import Note, read_note
from camillo_formats.markdown import MAX_MEMORY, plain_passages, split_at_length
from camillo_formats.rendering import one_line

if TYPE_CHECKING:
    from camillo.v1.memory_pb2 import Memory

NAMESPACE = UUID("6ad3a3e4-0f0b-5d0e-9d1c-ca3111000001")
MARKDOWN = frozenset({".md", ".markdown", ".mdx"})
TEXT = MARKDOWN | {".txt", ".rst", ".adoc", ".org"}
SKIPPED_FOLDERS = frozenset({"node_modules", "build", "dist", "venv", "env", "__pycache__", "site-packages", "target"})
MAX_TAG_LENGTH, MAX_TAGS = 128, 64
MAX_FILE_BYTES = 64 * 1024 * 1024
NOT_UTF8 = "it is not UTF-8 text (convert it, such as with 'iconv -f latin1 -t utf-8')"


@dataclass(frozen=True, slots=True)
class IngestFile:
    """A file to be read, and the path that its memories and events carry; one found in a folder is not named."""

    path: Path
    name: str
    size_bytes: int
    is_named: bool = False

    @property
    def session_name(self) -> str:
        """The session of messages that name none: the name of the file, with its folder if it is only a number."""
        name = str(PurePath(self.name).with_suffix(""))
        if name.isdecimal() and (folder := self.path.absolute().parent.name):
            return f"{folder}/{name}"
        return name


def find_sources(
    path: Path,
    suffixes: frozenset[str] = TEXT,
    max_bytes: int = MAX_FILE_BYTES,
    notes: list[str] | None = None,
    *,
    counts_others: bool = False,
) -> list[IngestFile]:
    """The text files in a folder, in order of their paths; a file that is named itself may have any suffix.

    Leaves out hidden files, folders of dependencies and builds, symbolic links to folders, and, with a note for each,
    links to files outside and files that are too large; with `counts_others` a note counts those of other kinds. Raises
    CliError."""
    if path.is_dir():
        problems, others = [] if notes is None else notes, Counter[str]()
        files = list(_walk(path, suffixes, max_bytes, problems, others))
        if others and counts_others:
            kinds = ", ".join(f"{kind} {count:,}" for kind, count in others.most_common(8))
            problems.append(f"left out {counted(others.total(), 'file')} of other kinds: {kinds}")
        return files
    try:
        size = path.stat().st_size
    except OSError as error:
        raise cannot_read(path, error) from error
    if size > max_bytes:
        raise CliError(f"{path} is larger than {max_bytes >> 20} MiB: split it", ExitCode.USAGE)
    return [IngestFile(path, path.name, size, is_named=True)]


def _walk(
    root: Path,
    suffixes: frozenset[str],
    max_bytes: int,
    notes: list[str],
    others: Counter[str],
) -> Iterator[IngestFile]:
    inside = root.resolve()
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(name for name in folders if not _is_skipped(name))
        for name in sorted(files):
            path = Path(folder, name)
            if name.startswith(".") or not path.is_file():
                continue
            if path.suffix.lower() not in suffixes:
                others[path.suffix.lower() or "no ending"] += 1
                continue
            size = path.stat().st_size
            # Who writes into a folder must not be able to have any other file of this user read.
            if path.is_symlink() and not path.resolve().is_relative_to(inside):
                notes.append(f"skipped {path}: it is a link to a file outside of {root}")
            elif size > max_bytes:
                notes.append(f"skipped {path}: it is larger than {max_bytes >> 20} MiB")
            elif size:
                yield IngestFile(path, path.relative_to(root).as_posix(), size)


def _is_skipped(folder: str) -> bool:
    return folder.startswith(".") or folder in SKIPPED_FOLDERS or folder.endswith(".egg-info")


def text_memories(
    files: list[IngestFile],
    notes: list[str],
    unread: list[str] | None = None,
    agent_from: str = "",
    form: NoteForm | None = None,
) -> Iterator[tuple[Memory, int]]:
    """The memories of files, each with its share of the bytes of its file; notes name the files without any, and
    `unread` those that could not be read. With `agent_from` each has the agent that its file or its folder names.
    Raises CliError for a file that is named itself."""
    for file in files:
        try:
            memories = list(memories_of(file, notes, form))
        except OSError as error:
            notes.append(f"cannot read {file.path}: {error.strerror}")
            if unread is not None:
                unread.append(file.name)
        except UnicodeDecodeError as error:
            if file.is_named:
                raise CliError(f"{file.path}: {NOT_UTF8}", ExitCode.USAGE) from error
            notes.append(f"skipped {file.path}: {NOT_UTF8}")
            if unread is not None:
                unread.append(file.name)
        else:
            if not memories:
                notes.append(f"skipped {file.path}: it contains no text")
            for index, memory in enumerate(memories):
                memory.agent_id = _agent_of(file, agent_from)
                before, after = (file.size_bytes * at // len(memories) for at in (index, index + 1))
                yield memory, after - before


def _agent_of(file: IngestFile, agent_from: str) -> str:
    """The agent whose memory a file is: by its name without the ending, or by the first folder of its path."""
    if agent_from == "file":
        return file.path.stem
    if agent_from == "folder":
        return PurePath(file.name).parts[0] if "/" in file.name else file.path.absolute().parent.name
    return ""


def memories_of(file: IngestFile, notes: list[str] | None = None, form: NoteForm | None = None) -> Iterator[Memory]:
    """The memories of one file, in a form of notes or in that which it has; none if it is binary. Raises OSError,
    UnicodeDecodeError."""
    content = file.path.read_bytes()
    if is_binary(content):
        return
    text = content.decode(encoding(content))
    modified = datetime.fromtimestamp(file.path.stat().st_mtime, UTC)
    note = read_note(text) if is_markdown(file.name) else Note(text)
    if notes is not None and (note.images or note.problem):
        problems = [note.problem, note.images and f"left out {counted(note.images, 'image')}"]
        notes.append(f"{file.path}: {'; '.join(str(each) for each in problems if each)}")
    form = form or (form_of_note(file.name, text) if is_markdown(file.name) else None)
    yield from file_memories(file.name, note, modified, source_of(file), form)


def source_of(file: IngestFile) -> dict[str, str]:
    """Metadata by which a later import finds what came from this file, and from the folder that was imported."""
    whole = file.path.absolute()
    # Without the name that the file has in the folder, however deep it lies there.
    folder = Path(*whole.parts[: len(whole.parts) - len(PurePath(file.name).parts)])
    return {"source": _digest(whole), "root": _digest(folder)}


def _digest(path: Path) -> str:
    return sha256(os.fsencode(path)).hexdigest()[:16]


def file_memories(
    name: str,
    text: Note | str,
    occurred_at: datetime,
    source: dict[str, str] | None = None,
    form: NoteForm | None = None,
) -> Iterator[Memory]:
    """The memories of a text, without repeats. Their ids follow from the path and the passage, so that a second import
    of the same file stores nothing twice."""
    from camillo.v1.actor_pb2 import TRUST_LEVEL_TOOL
    from camillo.v1.memory_pb2 import Memory
    from camillo_client.convert import to_struct, to_timestamp
    from camillo_formats.characters import VISIBLE

    note = Note(text) if isinstance(text, str) else text
    seen = set()
    for passage in _statements(name, note, form):
        memory_id = str(uuid5(NAMESPACE, f"{name}\n{passage.text}"))
        # The server refuses a memory without a visible character: such a passage says nothing.
        if memory_id in seen or not VISIBLE.search(passage.text):
            continue
        seen.add(memory_id)
        metadata = {**note.metadata, **passage.metadata, "path": name, "heading": passage.heading, **(source or {})}
        tags = dict.fromkeys([file_tag(name), *note.tags, *passage.tags])
        yield Memory(
            memory_id=memory_id,
            content=passage.text,
            kind=f"MEMORY_KIND_{passage.kind.name}",
            tags=list(tags)[:MAX_TAGS],
            occurred_at=to_timestamp(note.created or occurred_at),
            trust_level=TRUST_LEVEL_TOOL,
            metadata=to_struct({key: value for key, value in metadata.items() if value != ""}),
        )


def _statements(name: str, note: Note, form: NoteForm | None) -> Iterator[Statement]:
    if not is_markdown(name):
        yield from (Statement(each.text) for each in plain_passages(note.text))
        return
    for each in (form.read if form else plain)(name, note):
        # A point or an observation may be longer than a memory.
        pieces = [each.text] if len(each.text) <= MAX_MEMORY else split_at_length(each.text, MAX_MEMORY)
        yield from (replace(each, text=piece) for piece in pieces)


def is_markdown(name: str) -> bool:
    """Whether headings and front matter are read."""
    return PurePath(name).suffix.lower() in MARKDOWN


def is_binary(content: bytes) -> bool:
    """Whether contents are not text: they have a NUL, and no byte order mark of an encoding with NULs."""
    return encoding(content) not in WIDE_ENCODINGS and b"\0" in content


def file_tag(name: str) -> str:
    """`file:` and the path in one line; of a path too long for a tag, its end."""
    name = one_line(name)
    room = MAX_TAG_LENGTH - len("file:")
    return "file:" + (name if len(name) <= room else "…" + name[-(room - 1) :])
