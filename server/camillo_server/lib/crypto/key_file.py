"""The file of encryption keys: one that is given, or one that the server makes for itself."""

import base64
import os
from pathlib import Path

from camillo_server.kernel.clock import Clock, SystemClock
from camillo_server.kernel.durable_files import create_file, sync_directory
from camillo_server.lib.crypto.keyring import KEY_BYTES, Keyring, KeyringError

KEY_FILE = "encryption.keys"
_HEADING = (
    "# Keys of the artifacts' bytes, the first one in use. Keep a copy: without them the bytes are lost.\n"
    "# To change keys put a new line first, and leave the others. The last one also makes the fingerprints of "
    "forgotten values.\n"
)


def read_key_file(path: Path) -> Keyring:
    """The keys in a file. Raises KeyringError."""
    try:
        text = path.read_text("utf-8")
    except FileNotFoundError as error:
        raise KeyringError(f"there is no file of encryption keys {path}") from error
    except OSError as error:
        raise KeyringError(f"cannot read the encryption keys {path}: {error.strerror or 'failed'}") from error
    except UnicodeDecodeError:
        # Without the cause: it shows the bytes.
        raise KeyringError(f"{path} does not hold encryption keys: it is not text") from None
    try:
        return Keyring.parse(text)
    except KeyringError as error:
        raise KeyringError(f"{path}: {error}") from error


def own_key_file(data_dir: Path, clock: Clock | None = None) -> Keyring:
    """The keys of this data directory, created if there are none; on disk when it returns. Processes that start at the
    same time get the same keys. Raises KeyringError."""
    path = data_dir / KEY_FILE
    try:
        if not path.exists():
            _make(path, (clock or SystemClock()).now().date().isoformat())
        # Also where the file was there: the process that created it may not have done this yet, and what is
        # encrypted with its key must stay readable.
        sync_directory(data_dir)
    except OSError as error:
        raise KeyringError(f"cannot make the encryption keys {path}: {error.strerror or 'failed'}") from error
    return read_key_file(path)


def _make(path: Path, key_id: str) -> None:
    """Leaves a file that another process has made meanwhile as it is."""
    key = base64.b64encode(os.urandom(KEY_BYTES)).decode()
    create_file(path, f"{_HEADING}{key_id}:{key}\n".encode())
