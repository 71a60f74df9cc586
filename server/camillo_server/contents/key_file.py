"""The file of encryption keys: one that is given, or one that the server makes for itself."""

import base64
import os
from pathlib import Path
from uuid import uuid4

from camillo_server.contents.durable_files import sync_directory
from camillo_server.contents.keyring import KEY_BYTES, Keyring, KeyringError
from camillo_server.domain.clock import Clock, SystemClock

KEY_FILE = "encryption.keys"
_HEADING = (
    "# Keys of the artifacts' bytes, the first one in use. Keep a copy: without them the bytes are lost.\n"
    "# To change keys put a new line first, and leave the others.\n"
)


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
