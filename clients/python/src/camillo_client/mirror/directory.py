"""A directory that holds a scope's slots as files: a log of every version, and a tree of the newest ones.

The log decides. A step appends lines, brings the files of their keys up to date, and then says in `mirror.json` how
many bytes of the log count, and as of which message. Killed at any point, the next start takes away what the log has
beyond that; and as the process did not end in order, it compares every file with the log."""

import fcntl
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Self

from camillo_client.mirror.envelope import Envelope, read_line
from camillo_client.mirror.paths import path_of
from camillo_client.mirror.position import Position, Subject
from camillo_client.mirror.tree import TEMPORARY, Tree, write_all

LOG, STATE, ARCHIVE, INDEX = "log.jsonl", "state.jsonl", "archive", "index"
POSITION, LOCK, NEW = "mirror.json", ".lock", ".new"
ROTATED_LINES = 100_000


class MirrorError(Exception):
    """The directory cannot be used; the text says why."""


@dataclass(frozen=True, slots=True)
class Forgotten:
    """A slot is gone, with every version."""

    slot_id: str


@dataclass(frozen=True, slots=True)
class Hidden:
    """The newest version of a slot may not be loaded; those before stay in the log."""

    slot_id: str


Change = Envelope | Forgotten | Hidden


@dataclass(slots=True)
class Repairs:
    """Repairs made at a start: log lines that did not count yet, files of the tree, and steps that were finished."""

    lines_dropped: int = 0
    files_written: int = 0
    files_removed: int = 0
    steps_finished: int = 0
    # Why everything is read from the server again; empty if it is not.
    started_anew: str = ""


@dataclass(frozen=True, slots=True)
class _Newest:
    """Where the newest line of a key stands."""

    slot_id: str
    valid: bool
    file: str
    offset: int
    length: int

    def line_in(self, contents: Mapping[str, bytes]) -> bytes:
        return contents[self.file][self.offset : self.offset + self.length]


class MirrorDirectory:
    """One process has it at a time. Not for use by several threads at once."""

    def __init__(
        self,
        directory: str | os.PathLike[str],
        subject: Subject,
        *,
        flush: bool = False,
        rotated_lines: int = 0,
    ) -> None:
        """Opens and repairs it; makes it where it does not exist.

        `flush`: lines are on disk before they count, which survives a power cut. `rotated_lines`: a log of so many
        lines goes to `archive/`, and the newest versions are in `state.jsonl` then; 0: the log keeps every version for
        ever.

        Raises MirrorError where another process has it, or it is of another subject or format; OSError.
        """
        self._root = Path(directory)
        self._flush = flush
        self._rotated_lines = rotated_lines
        self._root.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._lock = os.open(self._root / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(self._lock)
            raise MirrorError(f"{self._root}: another process has this mirror") from None
        self._tree = Tree(self._root)
        self._log = -1
        self._lines = 0
        # By key, and of each slot its key.
        self._newest: dict[str, _Newest] = {}
        self._keys: dict[str, str] = {}
        # A step that fails may leave files that the log does not tell of.
        self._has_failed = False
        self.repairs = Repairs()
        try:
            self._position = self._read_position(subject)
            self._start()
        except BaseException:
            self._close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, exception: type[BaseException] | None, *rest: object) -> None:
        self.close()

    def close(self) -> None:
        """Says that every file is as the log says, unless a step has failed, and lets the next process in."""
        try:
            if not self._has_failed:
                self._save(replace(self._position, is_closed=True))
        finally:
            self._close()

    @property
    def resume_token(self) -> str:
        """Resume token of the last message that was applied; empty before the first."""
        return self._position.resume_token

    @property
    def slots(self) -> int:
        """How many have content."""
        hidden = set(self._position.hidden)
        return sum(each.valid and each.slot_id not in hidden for each in self._newest.values())

    def apply(self, changes: Sequence[Change], resume_token: str) -> None:
        """Puts changes in, in their order; as far as a later start is concerned, all of them or none.

        `resume_token` is of the last message. Without changes, it notes that the server was heard from. Raises OSError.
        """
        self._has_failed = True
        self._apply(changes, resume_token)
        self._rotate_where_due()
        self._has_failed = False

    def _apply(self, changes: Sequence[Change], resume_token: str) -> None:
        written: list[Envelope] = []
        hidden, forgotten = set(self._position.hidden), set[str]()
        for change in changes:
            match change:
                case Envelope():
                    written.append(change)
                    hidden.discard(change.slot_id)
                case Hidden():
                    hidden.add(change.slot_id)
                case Forgotten():
                    forgotten.add(change.slot_id)
        kept = [each for each in written if each.slot_id not in forgotten]
        stale = [self._keys[slot_id] for slot_id in hidden | forgotten if slot_id in self._keys]
        after = replace(
            self._position,
            resume_token=resume_token,
            away_since="",
            hidden=tuple(sorted(hidden - forgotten)),
            heard_at=_now(),
        )
        # A slot without content may stand in an archive alone.
        if not forgotten or (forgotten.isdisjoint(self._keys) and not self._archives()):
            after = replace(after, log_bytes=self._append(kept))
        else:
            after = self._rewrite(kept, forgotten, after)
        files: dict[str, Envelope | None] = dict.fromkeys(stale)
        for envelope in kept:
            is_shown = envelope.valid and envelope.slot_id not in hidden
            files[envelope.key] = envelope if is_shown else None
        for key, newest in files.items():
            if newest is None:
                self._tree.remove((INDEX, *path_of(key)))
            else:
                self._tree.write((INDEX, *path_of(key)), newest.file)
        self._save(after)

    def note_away(self) -> None:
        """Says in `mirror.json` since when the server has been away. Raises OSError."""
        if not self._position.away_since:
            self._save(replace(self._position, away_since=_now()))

    def start_anew(self, cause: str) -> None:
        """Empties it, for a server that cannot tell what has changed since. Raises OSError."""
        self.repairs.started_anew = cause
        self._tree.write((LOG + NEW,), b"")
        for path in ((STATE,), (ARCHIVE,)):
            self._tree.remove_all(path)
        self._save(Position(self._position.subject, replacing=(LOG,)))
        self._finish_replacing()
        self._read_lines()
        self._compare_files()

    def compact(self) -> int:
        """Writes the newest version of each slot that has content to `state.jsonl`, in the order of writing; how many.

        Raises OSError.
        """
        lines = self._state_lines()
        self._tree.write((STATE,), b"".join(lines), flush=self._flush)
        self._read_lines()
        return len(lines)

    # -- steps -----------------------------------------------------------------------------------------------------

    def _append(self, written: Sequence[Envelope]) -> int:
        """Appends to the log; its bytes afterwards."""
        end = before = self._position.log_bytes
        lines = [each.line for each in written]
        try:
            write_all(self._log, b"".join(lines))
        except OSError:
            # A full disk takes part of a line.
            os.ftruncate(self._log, before)
            raise
        if lines and self._flush:
            os.fsync(self._log)
        for envelope, line in zip(written, lines, strict=True):
            self._note(envelope, LOG, end, len(line))
            end += len(line)
        self._lines += len(lines)
        return end

    def _rewrite(self, written: Sequence[Envelope], forgotten: set[str], after: Position) -> Position:
        """Writes log, archives and state without some slots; they take their names together."""
        appended = b"".join(each.line for each in written)
        replaced = []
        for path in ((LOG,), (STATE,), *self._archives()):
            content = self._tree.read(path)
            if content is None:
                continue
            is_log = path == (LOG,)
            lines = content.splitlines(keepends=True)
            left = b"".join(each for each in lines if read_line(each).slot_id not in forgotten)
            if is_log or left != content:
                # Where a start finds it, what is forgotten stands in no file under this name either.
                self._tree.write(_new(path), left + (appended if is_log else b""), flush=True)
                replaced.append("/".join(path))
            if is_log:
                after = replace(after, log_bytes=len(left) + len(appended))
        self._save(replace(after, replacing=tuple(replaced)))
        self._finish_replacing()
        self._read_lines()
        return after

    def _rotate_where_due(self) -> None:
        """Puts a log that is long enough into the archive, and what it leaves into the state."""
        if not self._rotated_lines or self._lines < self._rotated_lines:
            return
        lines = self._contents()[LOG].splitlines()
        day = read_line(lines[-1] + b"\n").ts[:10].replace("-", "")
        taken = {path[-1] for path in self._archives()}
        names = (f"log_{day}{f'_{n}' if n > 1 else ''}.jsonl" for n in range(1, len(taken) + 2))
        path = (ARCHIVE, next(name for name in names if name not in taken))
        self._tree.write((STATE + NEW,), b"".join(self._state_lines()), flush=self._flush)
        self._tree.write((LOG + NEW,), b"", flush=self._flush)
        self._tree.link((LOG,), path)
        self._save(replace(self._position, log_bytes=0, replacing=(STATE, LOG)))
        self._finish_replacing()
        # A start must not put in place what the next step only begins to write.
        self._save(self._position)
        self._read_lines()

    # -- opening -----------------------------------------------------------------------------------------------------

    def _start(self) -> None:
        self.repairs.steps_finished = self._finish_replacing()
        self._tree.make_directory((INDEX,))
        self._drop_uncounted()
        try:
            self._read_lines()
        except ValueError as error:
            self.start_anew(f"the log cannot be read: {error}")
        else:
            if not self._position.is_closed:
                self._compare_files()
            self._save(replace(self._position, is_closed=False))
            # The step that made it so long was the last thing that was done.
            self._rotate_where_due()

    def _read_position(self, subject: Subject) -> Position:
        content = self._tree.read((POSITION,))
        if content is None:
            if self._tree.read((LOG,)):
                raise MirrorError(f"{self._root} has a {LOG}, and no {POSITION}: not a mirror")
            return Position(subject)
        try:
            found = Position.from_json(content)
        except ValueError as error:
            raise MirrorError(f"{self._root / POSITION}: {error}") from None
        if found.subject != subject:
            raise MirrorError(f"{self._root} is the mirror of {found.subject}, not of {subject}")
        return found

    def _finish_replacing(self) -> int:
        """Renames what stands ready; how many files."""
        paths = [tuple(name.split("/")) for name in self._position.replacing]
        renamed = sum(self._tree.rename(_new(path), path) for path in paths)
        if self._log >= 0:
            os.close(self._log)
        self._log = self._tree.open_log((LOG,))
        self._position = replace(self._position, replacing=())
        # Left by a step that had begun to write it.
        self._tree.remove((ARCHIVE, TEMPORARY))
        for path in ((LOG,), (STATE,), *self._archives()):
            self._tree.remove(_new(path))
        return renamed

    def _drop_uncounted(self) -> None:
        uncounted = os.pread(self._log, 2**31, self._position.log_bytes)
        if uncounted:
            self.repairs.lines_dropped += uncounted.count(b"\n") + (not uncounted.endswith(b"\n"))
            os.ftruncate(self._log, self._position.log_bytes)
        # A rotation that did not get further than the second name of the log.
        for path in self._archives():
            if self._tree.is_same((LOG,), path):
                self._tree.remove(path)

    def _read_lines(self) -> None:
        """Raises ValueError where a line is not one, or lines are missing."""
        self._newest, self._keys, self._lines = {}, {}, 0
        for name in (STATE, LOG):
            offset = 0
            for line in (self._tree.read((name,)) or b"").splitlines(keepends=True):
                self._note(read_line(line), name, offset, len(line))
                offset += len(line)
                self._lines += name == LOG
        if offset < self._position.log_bytes:
            raise ValueError(f"it has {offset:,} bytes of {self._position.log_bytes:,}")

    def _note(self, envelope: Envelope, file: str, offset: int, length: int) -> None:
        # Popped first: the order of keys is that of their newest lines.
        self._newest.pop(envelope.key, None)
        newest = _Newest(envelope.slot_id, envelope.valid, file, offset, length)
        self._newest[envelope.key] = newest
        self._keys[envelope.slot_id] = envelope.key

    def _compare_files(self) -> None:
        """Makes the tree what the log says."""
        hidden = set(self._position.hidden)
        due = {
            (INDEX, *path_of(key)): newest
            for key, newest in self._newest.items()
            if newest.valid and newest.slot_id not in hidden
        }
        for path in list(self._tree.walk((INDEX,))):
            if path not in due and path != (INDEX,):
                self.repairs.files_removed += self._tree.remove_all(path)
        contents = self._contents()
        for path, newest in due.items():
            content = read_line(newest.line_in(contents)).file
            if self._tree.read(path) != content:
                self._tree.write(path, content)
                self.repairs.files_written += 1

    # -- files -------------------------------------------------------------------------------------------------------

    def _state_lines(self) -> list[bytes]:
        contents = self._contents()
        return [each.line_in(contents) for each in self._newest.values() if each.valid]

    def _contents(self) -> dict[str, bytes]:
        return {name: self._tree.read((name,)) or b"" for name in (STATE, LOG)}

    def _archives(self) -> list[tuple[str, str]]:
        names = sorted(self._tree.names((ARCHIVE,)))
        return [(ARCHIVE, name) for name in names if not name.endswith((NEW, TEMPORARY))]

    def _save(self, position: Position) -> None:
        self._tree.write((POSITION,), position.to_json(), flush=self._flush)
        self._position = position

    def _close(self) -> None:
        if self._log >= 0:
            os.close(self._log)
        self._tree.close()
        os.close(self._lock)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _new(path: tuple[str, ...]) -> tuple[str, ...]:
    return (*path[:-1], path[-1] + NEW)
