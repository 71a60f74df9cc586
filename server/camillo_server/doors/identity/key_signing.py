"""Signed API keys: a secret that this installation has not issued is recognized without asking the database.

The signature keeps forgeries away from the database, it grants nothing: whoever knew the signing secret could only have
forgeries looked up.
"""

import base64
import hmac
import secrets
from datetime import timedelta

from camillo_server.doors.identity.api_keys import PREFIX, KeyDirectory, SigningSecrets
from camillo_server.kernel.clock import Clock
from camillo_server.kernel.strict_base64 import from_base64url

_RANDOM_BYTES, _SIGNATURE_BYTES = 24, 8
# A new signing secret is used when every server has read it (`REFRESH_SECONDS`).
REFRESH_SECONDS = 60.0
_UNUSED = timedelta(seconds=5 * REFRESH_SECONDS)


class KeySigner:
    """Signs the secrets of new keys, and recognizes those that are signed. `refresh` it before its first use."""

    def __init__(self, directory: KeyDirectory, clock: Clock, *, accepts_unsigned: bool | None) -> None:
        """`accepts_unsigned` None: where the database has unsigned keys."""
        self._directory = directory
        self._clock = clock
        self._accepts_unsigned = accepts_unsigned
        self._signing = SigningSecrets((), has_unsigned_keys=False)

    async def refresh(self) -> None:
        """Reads the signing secrets. Raises StorageUnavailable."""
        self._signing = await self._directory.signing_secrets(self._clock.now() - _UNUSED)

    @property
    def accepts_unsigned(self) -> bool:
        """Whether a secret without a signature is worth a look-up."""
        if self._accepts_unsigned is None:
            return self._signing.has_unsigned_keys
        return self._accepts_unsigned

    def new_secret(self) -> str:
        """A fresh secret, which every server of this installation takes for its own."""
        return new_secret(self._signing.secrets[0])

    def fence_seed(self, name: str) -> str:
        """The seed of the fences around what is shown of a scope or a run: the same in every server of this installation while its signing
        secret is, and known to nobody else."""
        data = b"camillo fence\0" + name.encode("utf-8", "surrogatepass")
        return hmac.digest(self._signing.secrets[0], data, "sha256").hex()

    def is_signed(self, secret: str) -> bool:
        """Whether this installation has issued the secret, which has the form of one."""
        decoded = from_base64url(secret.removeprefix(PREFIX))
        if decoded is None:
            return False
        random, signature = decoded[:_RANDOM_BYTES], decoded[_RANDOM_BYTES:]
        return any(hmac.compare_digest(_signature(each, random), signature) for each in self._signing.secrets)


def new_secret(signing_secret: bytes) -> str:
    """A fresh secret: the prefix that scanners of leaked secrets look for, 192 random bits and their signature."""
    random = secrets.token_bytes(_RANDOM_BYTES)
    signed = random + _signature(signing_secret, random)
    return PREFIX + base64.urlsafe_b64encode(signed).decode().rstrip("=")


def _signature(signing_secret: bytes, random: bytes) -> bytes:
    return hmac.digest(signing_secret, b"camillo api key\0" + random, "sha256")[:_SIGNATURE_BYTES]
