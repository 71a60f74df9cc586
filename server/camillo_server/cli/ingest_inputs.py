"""What was named to be ingested: files that may hold conversations, and documents that become memories."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path, PurePath

from camillo_server.cli import ingest
from camillo_server.cli.failures import CliError, ExitCode

# Files with these suffixes are looked into; in folders only these.
CONVERSATIONS = frozenset({".json", ".jsonl", ".ndjson", ".traj"})
# A file of JSON lines is read line by line, and may have any size.
ANY_SIZE = 1 << 62


@dataclass(frozen=True, slots=True)
class ConversationFile:
    """A file that may hold conversations. One that was found in a folder may as well hold something else."""

    path: Path
    name: str
    size_bytes: int
    is_named: bool

    @property
    def session_name(self) -> str:
        """The session of what names none: the file's name, which a number alone would not be."""
        name = str(PurePath(self.name).with_suffix(""))
        if name.isdecimal() and (folder := self.path.absolute().parent.name):
            return f"{folder}/{name}"
        return name

    @property
    def tag(self) -> str:
        return ingest.file_tag(self.name)


@dataclass(frozen=True, slots=True)
class Documents:
    """A text file, or a folder with text files, in the form that `import` takes."""

    path: str


Input = ConversationFile | Documents


def find_inputs(paths: Iterable[Path], *, all_conversations: bool) -> list[Input]:
    """What the paths hold, in the order given; `all_conversations` is for named files of any suffix. Raises CliError."""
    found: list[Input] = []
    for path in paths:
        if path.is_dir():
            inside = _folder(path, all_conversations=all_conversations)
            if not inside:
                raise CliError(f"there is nothing to ingest in {path}", ExitCode.USAGE)
            found += inside
        elif path.suffix.lower() in ingest.TEXT and not all_conversations:
            found.append(Documents(str(path)))
        else:
            found.append(_named(path))
    return list(dict.fromkeys(found))


def _folder(path: Path, *, all_conversations: bool) -> list[Input]:
    found: list[Input] = [
        ConversationFile(source.path, source.name, source.size_bytes, is_named=False)
        for source in ingest.find_sources(path, CONVERSATIONS, ANY_SIZE)
    ]
    if not all_conversations and ingest.find_sources(path):
        found.append(Documents(str(path)))
    return found


def _named(path: Path) -> ConversationFile:
    [source] = ingest.find_sources(path, largest_bytes=ANY_SIZE)
    return ConversationFile(source.path, source.name, source.size_bytes, is_named=True)
