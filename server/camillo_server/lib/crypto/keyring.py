"""The master keys, their file, and encryption with keys derived from them for each tenant and purpose."""

import base64
import hmac
import os
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from camillo_server.kernel.clock import Clock, SystemClock
from camillo_server.kernel.errors import KeyMissing
from camillo_server.kernel.strict_base64 import from_base64
from camillo_server.kernel.system import OperatorError, create_file, sync_directory

KEY_BYTES = 32
NONCE_BYTES = 12
TAG_BYTES = 16
ENCRYPTION_BYTES = NONCE_BYTES + TAG_BYTES
# A key with this id makes lasting fingerprints, and encrypts and decrypts nothing.
FINGERPRINT_KEY = "fingerprint"
_MAX_DERIVED_KEYS = 4096
# A part of what keys are derived from: with another word, nothing that is stored could be decrypted.
_ENCRYPTION = "seal"
_KEY_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")


class KeyringError(OperatorError):
    """Keys that cannot be used; the message is one line and shows nothing of them."""


class DecryptionFailed(Exception):
    """The bytes are not what was encrypted with this key and for this row."""


class Keyring:
    """Keys by id: the first one encrypts, all of them decrypt, the last one, or one with the id `fingerprint`,
    makes lasting fingerprints. Usable from any thread."""

    def __init__(self, masters: Mapping[str, bytes]) -> None:
        """Raises KeyringError for ids and keys that are none."""
        for number, (key_id, key) in enumerate(masters.items(), 1):
            if not _KEY_ID.fullmatch(key_id):
                raise KeyringError(f"encryption key {number}: its id is not 1 to 64 of A-Za-z0-9._-")
            if len(key) != KEY_BYTES:
                raise KeyringError(f"encryption key {number}: not of {KEY_BYTES} bytes")
        self._masters = MappingProxyType(dict(masters))
        encrypting = [key_id for key_id in self._masters if key_id != FINGERPRINT_KEY]
        self._active = next(iter(encrypting), "")
        self._lasting = FINGERPRINT_KEY
        if FINGERPRINT_KEY not in self._masters:
            self._lasting = next(reversed(encrypting), "")
        self._derived = lru_cache(_MAX_DERIVED_KEYS)(self._derive)
        # Making one takes a third of the time of decrypting a short text.
        self._ciphers = lru_cache(_MAX_DERIVED_KEYS)(AESGCM)

    @classmethod
    def empty(cls) -> "Keyring":
        """A keyring without keys: nothing is encrypted."""
        return cls({})

    @classmethod
    def parse(cls, text: str) -> "Keyring":
        """Reads keys as `id:base64`, one a line or between commas; lines that begin with `#` are left out. Raises
        KeyringError."""
        masters: dict[str, bytes] = {}
        for number, entry in enumerate(_entries(text), 1):
            key_id, key = _parsed(entry, number)
            if key_id in masters:
                raise KeyringError(f"encryption key {number}: its id is there twice")
            masters[key_id] = key
        if not masters:
            raise KeyringError("there is no encryption key where keys were expected")
        return cls(masters)

    @property
    def is_empty(self) -> bool:
        return not self._masters

    @property
    def active_key_id(self) -> str:
        """The id of the key that encrypts; empty if there is none."""
        return self._active

    @property
    def other_key_ids(self) -> list[str]:
        """The ids of the keys that only decrypt."""
        return [each for each in self._masters if each not in (self._active, FINGERPRINT_KEY)]

    @property
    def lasting_key_id(self) -> str:
        """The id of the key that makes lasting fingerprints; empty if there is none."""
        return self._lasting

    def check_value(self, key_id: str) -> str:
        """A value that tells a key from others with its id, and reveals nothing of it; empty for a missing key."""
        if key_id not in self._masters:
            return ""
        key = self._derived(key_id, "check", "", "")
        return hmac.digest(key, b"camillo", "sha256")[:8].hex()

    def encrypt(self, tenant_id: str, purpose: str, data: bytes, bound_to: bytes) -> tuple[str, bytes]:
        """The key's id, and nonce, ciphertext and tag in one. Raises KeyMissing if there is no key at all."""
        cipher = self._ciphers(self._key(self._active, _ENCRYPTION, purpose, tenant_id))
        nonce = os.urandom(NONCE_BYTES)
        return self._active, nonce + cipher.encrypt(nonce, data, bound_to)

    def decrypt(self, key_id: str, tenant_id: str, purpose: str, encrypted: bytes, bound_to: bytes) -> bytes:
        """The decrypted bytes. Raises KeyMissing, or DecryptionFailed if anything at all is not as it was."""
        cipher = self._ciphers(self._key(key_id, _ENCRYPTION, purpose, tenant_id))
        if len(encrypted) < ENCRYPTION_BYTES:
            raise DecryptionFailed
        view = memoryview(encrypted)
        try:
            return cipher.decrypt(view[:NONCE_BYTES], view[NONCE_BYTES:], bound_to)
        except InvalidTag as error:
            raise DecryptionFailed from error

    def fingerprint(self, tenant_id: str, purpose: str, data: bytes) -> bytes:
        """32 bytes, equal for equal data of one tenant; without the key they reveal nothing. Raises KeyMissing.

        Computed with the active key: after a change of keys the same data has another.
        """
        key = self._key(self._active, "fingerprint", purpose, tenant_id)
        return hmac.digest(key, data, "sha256")

    def lasting_fingerprint(self, tenant_id: str, purpose: str, data: bytes) -> bytes:
        """A `fingerprint` that cannot be computed anew when keys change. Raises KeyMissing.

        Computed with the key `fingerprint`, or else with the oldest one, the last. It depends on the bytes of the key
        alone, so that the oldest may become `fingerprint`.
        """
        key = self._key(self._lasting, "fingerprint", purpose, tenant_id)
        return hmac.digest(key, data, "sha256")

    def _key(self, key_id: str, use: str, purpose: str, tenant_id: str) -> bytes:
        if key_id not in self._masters:
            raise KeyMissing(key_id)
        return self._derived(key_id, use, purpose, tenant_id)

    def _derive(self, key_id: str, use: str, purpose: str, tenant_id: str) -> bytes:
        info = "\0".join(("camillo", use, purpose, tenant_id)).encode()
        return HKDF(SHA256(), KEY_BYTES, salt=None, info=info).derive(self._masters[key_id])


def _entries(text: str) -> Iterator[str]:
    for line in text.splitlines():
        if not line.lstrip().startswith("#"):
            yield from (entry.strip() for entry in line.split(",") if entry.strip())


def _parsed(entry: str, number: int) -> tuple[str, bytes]:
    """Says which of the keys is wrong by its number: in a wrong one the id may be the key."""
    key_id, colon, encoded = (part.strip() for part in entry.partition(":"))
    if not colon:
        raise KeyringError(f"encryption key {number}: not of the form id:base64")
    key = from_base64(encoded)
    if key is None:
        raise KeyringError(f"encryption key {number}: not base64 as `base64` writes it")
    return key_id, key


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
