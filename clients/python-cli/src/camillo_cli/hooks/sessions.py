"""How far each session is recorded: a small file for each, below the user's directory for state, which only the user
can read."""

import fcntl
import json
import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from pathlib import Path

from camillo_formats.user_directory import user_directory

# Files of sessions that have not been heard of for the longest time go first.
MAX_SESSIONS = 1000
MAX_KEYS = 2000
FAILURE = "failure"


@dataclass(slots=True)
class TranscriptPosition:
    """How far a transcript is recorded, in bytes (in messages, where it is one JSON document)."""

    offset: int = 0
    # Set before a batch is sent: it ended here. Sent again it has to be the same, so that its request id finds it.
    pending_end: int | None = None
    # Identifies what is before `offset`.
    digest: str = ""
    # Entries that are recorded, of clients that write one several times, and the tools of the last calls by their ids.
    keys: list[str] = field(default_factory=list)
    tools: dict[str, str] = field(default_factory=dict)

    def forget_oldest(self) -> None:
        """Keeps the last entries only, so that a long session does not grow its file."""
        self.keys = self.keys[-MAX_KEYS:]
        self.tools = dict(list(self.tools.items())[-MAX_KEYS:])


class SessionFiles:
    """The files."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        state = user_directory(environ, "XDG_STATE_HOME", ".local/state")
        self._directory = Path(state) / "camillo" / "hooks"

    @contextmanager
    def locked(self, client: str, session_id: str) -> Iterator[Path]:
        """The file of a session, for one process at a time: hooks of one session may run at once."""
        self._directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        # A hash: an id is what a client says, `../..` included.
        name = sha256(f"{client}\0{session_id}".encode()).hexdigest()[:32]
        path = self._directory / f"{name}.json"
        lock = os.open(path.with_suffix(".lock"), os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield path
        finally:
            os.close(lock)

    def prune(self) -> None:
        """Removes the files of the oldest sessions beyond MAX_SESSIONS."""
        files = sorted(self._directory.glob("*.json"), key=_age_key)
        for path in files[:-MAX_SESSIONS]:
            path.unlink(missing_ok=True)
            path.with_suffix(".lock").unlink(missing_ok=True)

    def keep_failure(self, line: str) -> None:
        """Keeps what a detached recording failed with, for the next hook to say."""
        self._directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_file(self._directory / FAILURE, line)

    def take_failure(self) -> str:
        """The failure that was kept, once; empty where there is none."""
        line = self.failure()
        if line:
            (self._directory / FAILURE).unlink(missing_ok=True)
        return line

    def failure(self) -> str:
        """The failure that was kept."""
        try:
            return (self._directory / FAILURE).read_text("utf-8", "replace")
        except OSError:
            return ""


def load(path: Path) -> TranscriptPosition:
    """The position in a session's file; the beginning where there is none, or what is there cannot be read."""
    try:
        fields = json.loads(path.read_bytes())
        position = TranscriptPosition(**fields)
    except (OSError, ValueError, TypeError):
        return TranscriptPosition()
    is_sound = isinstance(position.offset, int) and isinstance(position.pending_end, int | None)
    is_sound = is_sound and isinstance(position.digest, str)
    is_sound = is_sound and isinstance(position.keys, list) and isinstance(position.tools, dict)
    return position if is_sound and position.offset >= 0 else TranscriptPosition()


def save(path: Path, position: TranscriptPosition) -> None:
    """Replaces a session's file at once."""
    position.forget_oldest()
    write_file(path, json.dumps(asdict(position)))


def write_file(path: Path, text: str, mode: int = 0o600) -> None:
    """Writes a file whole or not at all; unless stated otherwise only the user can read it. Raises OSError."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".camillo-")
    try:
        with open(handle, "w", encoding="utf-8", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, mode)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def _age_key(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0
