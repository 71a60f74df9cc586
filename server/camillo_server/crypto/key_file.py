"""The file of encryption keys: one that is given, or one that the server makes for itself."""

import base64
import os
from pathlib import Path
from uuid import uuid4

from camillo_server.crypto.keyring import KEY_BYTES, Keyring, KeyringError
from camillo_server.kernel.clock import Clock, SystemClock

_FOLDERS_REMEMBERED = 4096
_TRIES = 3
KEY_FILE = "encryption.keys"
_HEADING = (
    "# Keys of the artifacts' bytes, the first one in use. Keep a copy: without them the bytes are lost.\n"
    "# To change keys put a new line first, and leave the others.\n"
)


class DurableFiles:
    """Writes files two folders below a root. Usable from any thread, beside other processes.

    Whoever is killed while writing leaves a file whose name begins with a dot, and nothing else.
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        # Folders whose own entries are known to be on disk: a part costs two fsyncs, and not four.
        self._on_disk: set[Path] = set()

    def write(self, path: Path, data: bytes) -> None:
        """Replaces what was there. Raises OSError, and has changed nothing then, or all of it."""
        for _ in range(_TRIES - 1):
            try:
                return self._write(path, data)
            except (FileNotFoundError, FileExistsError):
                # The folder, or that of its tenant, was deleted in between. "Exists": it did until a moment ago.
                self._on_disk.discard(path.parent)
        return self._write(path, data)

    def _write(self, path: Path, data: bytes) -> None:
        if path.parent not in self._on_disk:
            self._make(path.parent)
        write_file(path, data)

    def _make(self, folder: Path) -> None:
        """Never the root: where that is missing a disk is, and what is written would be hidden by it."""
        for each in (folder.parent, folder):
            each.mkdir(mode=0o700, exist_ok=True)
        sync_directory(folder.parent)
        sync_directory(self._root)
        if len(self._on_disk) >= _FOLDERS_REMEMBERED:
            self._on_disk.clear()
        self._on_disk.add(folder)


def write_file(path: Path, data: bytes) -> None:
    """A file for its owner alone; readers see the old one or the new one. Raises OSError."""
    unfinished = path.with_name(f".{path.name}.{uuid4().hex}")
    try:
        descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise
    sync_directory(path.parent)


def sync_directory(directory: Path) -> None:
    """Names made or removed in it are on disk afterwards. Raises OSError."""
    descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def read_key_file(path: Path) -> Keyring:
    """The keys in a file. Raises KeyringError."""
    try:
        text = path.read_text("utf-8")
    except FileNotFoundError as error:
        raise KeyringError(f"there is no file of encryption keys {path}") from error
    except OSError as error:
        raise KeyringError(
            f"cannot read the encryption keys {path}: {error.strerror or 'failed'}"
        ) from error
    except UnicodeDecodeError:
        # Without the cause: it shows the bytes.
        raise KeyringError(f"{path} does not hold encryption keys: it is not text") from None
    try:
        return Keyring.parse(text)
    except KeyringError as error:
        raise KeyringError(f"{path}: {error}") from error


def own_key_file(data_dir: Path, clock: Clock | None = None) -> Keyring:
    """The keys of this data directory, made if there are none; on disk when it returns. Raises KeyringError.

    Processes that start at once get the same.
    """
    path = data_dir / KEY_FILE
    try:
        if not path.exists():
            _make(path, (clock or SystemClock()).now().date().isoformat())
        # Also if it was there: its maker may not have come to this yet, and what is sealed must stay readable.
        sync_directory(data_dir)
    except OSError as error:
        raise KeyringError(
            f"cannot make the encryption keys {path}: {error.strerror or 'failed'}"
        ) from error
    return read_key_file(path)


def _make(path: Path, key_id: str) -> None:
    """A link, unlike a rename, never takes the place of what another process has made meanwhile."""
    key = base64.b64encode(os.urandom(KEY_BYTES)).decode()
    unfinished = path.with_name(f".{path.name}.{uuid4().hex}")
    descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "w") as file:
            file.write(f"{_HEADING}{key_id}:{key}\n")
            file.flush()
            os.fsync(file.fileno())
        try:
            os.link(unfinished, path)
        except FileExistsError:
            return
    finally:
        unfinished.unlink(missing_ok=True)
