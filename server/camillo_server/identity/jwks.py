"""The key set that tokens are checked against: a local file, read again when it changes."""

import json
import logging
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey

from camillo_server.domain.clock import Clock

_log = logging.getLogger(__name__)
# One algorithm for each kind of key, so that a token has no say in how it is checked.
_ALGORITHMS = {("RSA", None): "RS256", ("EC", "P-256"): "ES256", ("OKP", "Ed25519"): "EdDSA"}
_CHECK_EVERY = timedelta(seconds=1)
_MIN_RSA_BITS = 2048


class KeySetError(Exception):
    """A key set file that cannot be used; the message says why."""


class JwksFile:
    """Public keys by id. Raises KeySetError when made; later a bad file leaves the last good keys in use.

    The file is looked at on the event loop: some microseconds once a second, and a few kilobytes when it changed.
    """

    def __init__(self, path: Path, clock: Clock) -> None:
        self._path = path
        self._clock = clock
        # Version first: a change between the two lines is then seen at the next look.
        self._version = _file_version(path)
        self._keys = read_key_set(path)
        self._look_again_at = clock.now() + _CHECK_EVERY

    def find(self, key_id: str | None) -> jwt.PyJWK | None:
        """The key with this id; without an id, the only key of the set."""
        now = self._clock.now()
        if now >= self._look_again_at:
            self._look_again(now)
        if key_id is None:
            return next(iter(self._keys.values())) if len(self._keys) == 1 else None
        return self._keys.get(key_id)

    def _look_again(self, now: datetime) -> None:
        self._look_again_at = now + _CHECK_EVERY
        version = _file_version(self._path)
        if version == self._version:
            return
        self._version = version
        try:
            self._keys = read_key_set(self._path)
        except KeySetError as error:
            _log.error(
                "the JWT key set is not usable, the last one stays", extra={"reason": str(error)}
            )
        else:
            _log.info("the JWT key set was read again", extra={"keys": len(self._keys)})


def read_key_set(path: Path) -> dict[str | None, jwt.PyJWK]:
    """The usable public keys of a JWKS file (RFC 7517). Keys of other kinds and purposes are left out."""
    try:
        content = json.loads(path.read_bytes())
        entries = content["keys"]
        keys = [(entry.get("kid"), _public_key(entry)) for entry in entries]
    except OSError as error:
        raise KeySetError(f"cannot be read: {error.strerror}") from None
    except (ValueError, TypeError, KeyError, AttributeError):
        raise KeySetError('is not a JSON object with a list of objects, "keys"') from None
    except jwt.PyJWTError:
        raise KeySetError("holds a key that is malformed") from None
    usable = [(key_id, key) for key_id, key in keys if key is not None]
    if len({key_id for key_id, _ in usable}) < len(usable):
        raise KeySetError("holds two keys with the same id")
    if not usable:
        raise KeySetError("holds no RS256, ES256 or EdDSA key for signatures")
    return dict(usable)


def _public_key(entry: dict[str, Any]) -> jwt.PyJWK | None:
    algorithm = _ALGORITHMS.get((entry.get("kty", ""), entry.get("crv")))
    if (
        algorithm is None
        or entry.get("use", "sig") != "sig"
        or entry.get("alg", algorithm) != algorithm
    ):
        return None
    if "d" in entry:
        raise KeySetError("holds a private key")
    key = jwt.PyJWK(entry, algorithm)
    if isinstance(key.key, RSAPublicKey) and key.key.key_size < _MIN_RSA_BITS:
        raise KeySetError(f"holds an RSA key of fewer than {_MIN_RSA_BITS} bits")
    return key


def _file_version(path: Path) -> tuple[int, int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino
