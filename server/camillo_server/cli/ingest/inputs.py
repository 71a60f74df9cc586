"""The inputs of an ingest or import: files that may hold conversations, and text files as memories.

Each passage of a text is one memory whose id follows from its path and text, so that a second run of the same files
stores nothing twice.
"""

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path, PurePath
from uuid import UUID, uuid5

from camillo_server.cli.arguments import cannot_read
from camillo_server.cli.failures import CliError, ExitCode
from camillo_server.text.passages import Passage, markdown_passages, plain_passages

NAMESPACE = UUID("6ad3a3e4-0f0b-5d0e-9d1c-ca3111000001")
MARKDOWN = frozenset({".md", ".markdown", ".mdx"})
TEXT = MARKDOWN | {".txt", ".rst", ".adoc", ".org"}
# Of a folder, only these files are inspected for conversations.
CONVERSATIONS = frozenset({".json", ".jsonl", ".ndjson", ".traj"})
SKIPPED_FOLDERS = frozenset(
    {"node_modules", "build", "dist", "venv", "env", "__pycache__", "site-packages", "target"}
)
MAX_TAG_LENGTH = 128
INSPECTED_BYTES = 8192
MAX_FILE_BYTES = 64 * 1024 * 1024
# JSON lines are read one by one, and their file may have any size.
ANY_SIZE = 1 << 62


@dataclass(frozen=True, slots=True)
class IngestSource:
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
    given: Path, suffixes: frozenset[str] = TEXT, max_bytes: int = MAX_FILE_BYTES
) -> list[IngestSource]:
    """The text files in a folder, in order of their paths; a file that is named itself may have any suffix.

    Leaves out hidden files, folders of dependencies and builds, symbolic links to folders and files that are too
    large. Raises CliError.
    """
    if given.is_dir():
        return list(_walk(given, suffixes, max_bytes))
    try:
        size = given.stat().st_size
    except OSError as error:
        raise cannot_read(given, error) from error
    if size > max_bytes:
        raise CliError(f"{given} is larger than {max_bytes >> 20} MiB: split it", ExitCode.USAGE)
    return [IngestSource(given, given.name, size)]


def _walk(root: Path, suffixes: frozenset[str], max_bytes: int) -> Iterator[IngestSource]:
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(name for name in folders if not _is_skipped(name))
        for name in sorted(files):
            path = Path(folder, name)
            if name.startswith(".") or path.suffix.lower() not in suffixes or not path.is_file():
                continue
            size = path.stat().st_size
            if 0 < size <= max_bytes:
                yield IngestSource(path, path.relative_to(root).as_posix(), size)


def _is_skipped(folder: str) -> bool:
    return folder.startswith(".") or folder in SKIPPED_FOLDERS or folder.endswith(".egg-info")


def memories_of(source: IngestSource) -> Iterator[FileMemory]:
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
    """Whether it is not text: it has a NUL near its beginning, and no byte order mark of UTF-16."""
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return False
    return b"\0" in content[:INSPECTED_BYTES]


def decoded(content: bytes) -> str:
    """The text of a file; bytes that are no text become replacement characters."""
    utf16 = content.startswith((b"\xff\xfe", b"\xfe\xff"))
    text = content.decode("utf-16" if utf16 else "utf-8-sig", errors="replace")
    return text.replace("\0", "\N{REPLACEMENT CHARACTER}")


def file_tag(name: str) -> str:
    """`file:` and the path; of a path too long for a tag, its end."""
    room = MAX_TAG_LENGTH - len("file:")
    return "file:" + (name if len(name) <= room else "…" + name[-(room - 1) :])


@dataclass(frozen=True, slots=True)
class ConversationFile:
    """A file that may hold conversations; one that was found in a folder may hold something else."""

    path: Path
    name: str
    size_bytes: int
    is_named: bool

    @property
    def session_name(self) -> str:
        """The session of messages that name none: the name of the file, with its folder if it is only a number."""
        name = str(PurePath(self.name).with_suffix(""))
        if name.isdecimal() and (folder := self.path.absolute().parent.name):
            return f"{folder}/{name}"
        return name

    @property
    def tag(self) -> str:
        return file_tag(self.name)


@dataclass(frozen=True, slots=True)
class Documents:
    """A text file, or a folder with text files, in the form that `import` takes."""

    path: str


Input = ConversationFile | Documents


def find_inputs(paths: Iterable[Path], *, all_conversations: bool) -> list[Input]:
    """The inputs at the paths, in the order given; `all_conversations` takes files of any suffix as conversations.

    Raises CliError.
    """
    found: list[Input] = []
    for path in paths:
        if path.is_dir():
            inside = _folder(path, all_conversations=all_conversations)
            if not inside:
                raise CliError(f"there is nothing to ingest in {path}", ExitCode.USAGE)
            found += inside
        elif path.suffix.lower() in TEXT and not all_conversations:
            found.append(Documents(str(path)))
        else:
            found.append(_named(path))
    return list(dict.fromkeys(found))


def _folder(path: Path, *, all_conversations: bool) -> list[Input]:
    found: list[Input] = [
        ConversationFile(source.path, source.name, source.size_bytes, is_named=False)
        for source in find_sources(path, CONVERSATIONS, ANY_SIZE)
    ]
    if not all_conversations and find_sources(path):
        found.append(Documents(str(path)))
    return found


def _named(path: Path) -> ConversationFile:
    [source] = find_sources(path, max_bytes=ANY_SIZE)
    return ConversationFile(source.path, source.name, source.size_bytes, is_named=True)
