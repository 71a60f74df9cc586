"""Files as memories: each passage one memory whose id follows from its path and text, so that a second run of the
same files stores nothing twice."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path, PurePath
from uuid import UUID, uuid5

from camillo_server.cli.failures import CliError, ExitCode
from camillo_server.text.passages import Passage, markdown_passages, plain_passages

NAMESPACE = UUID("6ad3a3e4-0f0b-5d0e-9d1c-ca3111000001")
MARKDOWN = frozenset({".md", ".markdown", ".mdx"})
TEXT = MARKDOWN | {".txt", ".rst", ".adoc", ".org"}
SKIPPED_FOLDERS = frozenset(
    {"node_modules", "build", "dist", "venv", "env", "__pycache__", "site-packages", "target"}
)
LONGEST_TAG = 128
SNIFFED_BYTES = 8192
MAX_FILE_BYTES = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Source:
    """A file to be read, and the path that its memories carry."""

    path: Path
    name: str
    size_bytes: int


@dataclass(frozen=True, slots=True)
class FileMemory:
    """One memory of a file."""

    memory_id: str
    content: str
    tag: str
    path: str
    heading: str
    occurred_at: datetime


def find_sources(
    given: Path, suffixes: frozenset[str] = TEXT, largest_bytes: int = MAX_FILE_BYTES
) -> list[Source]:
    """The text files in a folder, in order of their paths; a file that is named itself may have any suffix.

    Hidden files, folders of dependencies and builds, symbolic links to folders and what is too large are
    passed over. Raises CliError.
    """
    if given.is_dir():
        return list(_walk(given, suffixes, largest_bytes))
    try:
        size = given.stat().st_size
    except OSError as error:
        raise CliError(f"cannot read {given}: {error.strerror}", ExitCode.USAGE) from error
    if size > largest_bytes:
        raise CliError(f"{given} is larger than {largest_bytes >> 20} MiB: cut it", ExitCode.USAGE)
    return [Source(given, given.name, size)]


def _walk(root: Path, suffixes: frozenset[str], largest_bytes: int) -> Iterator[Source]:
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(name for name in folders if not _is_skipped(name))
        for name in sorted(files):
            path = Path(folder, name)
            if name.startswith(".") or path.suffix.lower() not in suffixes or not path.is_file():
                continue
            size = path.stat().st_size
            if 0 < size <= largest_bytes:
                yield Source(path, path.relative_to(root).as_posix(), size)


def _is_skipped(folder: str) -> bool:
    return folder.startswith(".") or folder in SKIPPED_FOLDERS or folder.endswith(".egg-info")


def memories_of(source: Source) -> Iterator[FileMemory]:
    """The memories of one file; none if it is binary. Raises OSError."""
    content = source.path.read_bytes()
    if is_binary(content):
        return
    happened = datetime.fromtimestamp(source.path.stat().st_mtime, UTC)
    yield from file_memories(source.name, decoded(content), happened)


def file_memories(name: str, text: str, occurred_at: datetime) -> Iterator[FileMemory]:
    """The memories of a text, without repeats."""
    seen = set()
    for passage in _passages(name, text):
        memory_id = str(uuid5(NAMESPACE, f"{name}\n{passage.text}"))
        if memory_id not in seen:
            seen.add(memory_id)
            yield FileMemory(
                memory_id, passage.text, file_tag(name), name, passage.heading, occurred_at
            )


def _passages(name: str, text: str) -> Iterator[Passage]:
    is_markdown = PurePath(name).suffix.lower() in MARKDOWN
    return markdown_passages(text) if is_markdown else plain_passages(text)


def is_binary(content: bytes) -> bool:
    """Whether it is not text: it has a NUL near its beginning, and is not UTF-16 that says so."""
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return False
    return b"\0" in content[:SNIFFED_BYTES]


def decoded(content: bytes) -> str:
    """The text of a file; bytes that are no text become replacement characters."""
    utf16 = content.startswith((b"\xff\xfe", b"\xfe\xff"))
    text = content.decode("utf-16" if utf16 else "utf-8-sig", errors="replace")
    return text.replace("\0", "\N{REPLACEMENT CHARACTER}")


def file_tag(name: str) -> str:
    """`file:` and the path; of a path too long for a tag, its end."""
    room = LONGEST_TAG - len("file:")
    return "file:" + (name if len(name) <= room else "…" + name[-(room - 1) :])
