"""API keys: the secret a caller holds, and what is stored of it."""

import hashlib
import re
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from camillo_server.kernel.channel import ReadLimit
from camillo_server.kernel.ids import AgentId, KeyId, TenantId
from camillo_server.kernel.scope import Principal, Role

PREFIX = "cam_"
_SECRET = re.compile(r"cam_[A-Za-z0-9_-]{43}")


@dataclass(frozen=True, slots=True)
class ApiKey:
    """A key without its secret; `agent_id` is None where it reaches any agent of its tenant."""

    key_id: KeyId
    tenant_id: TenantId
    agent_id: AgentId | None
    role: Role
    description: str
    created_at: datetime
    expires_at: datetime | None
    revoked_at: datetime | None
    # The key that created it, if one did.
    created_by: KeyId | None = None
    read_limit: ReadLimit | None = None
    actors: frozenset[str] | None = None
    document_categories: frozenset[str] | None = None

    def principal(self) -> Principal:
        """The caller that holds it."""
        return Principal(
            self.tenant_id,
            self.agent_id,
            self.role,
            self.key_id,
            self.expires_at,
            self.read_limit,
            self.actors,
            self.document_categories,
        )

    def usable(self, now: datetime) -> bool:
        """Neither revoked nor expired."""
        return self.revoked_at is None and (self.expires_at is None or now < self.expires_at)


@dataclass(frozen=True, slots=True)
class SigningSecrets:
    """The first signs, all verify. `has_unsigned_keys`: the database had keys before there were signatures."""

    secrets: tuple[bytes, ...]
    has_unsigned_keys: bool


class KeyDirectory(Protocol):
    """Finds stored keys, and what signs new ones."""

    async def find(self, secret_digest: bytes) -> ApiKey | None:
        """The key with this digest, revoked and expired ones too. Raises StorageUnavailable."""
        ...

    async def signing_secrets(self, used_before: datetime) -> SigningSecrets:
        """The newest of those from before this time comes first; younger ones at the end. Raises StorageUnavailable."""
        ...


def is_secret(token: str) -> bool:
    """Has the form of a secret; what has not is refused without asking anyone."""
    return _SECRET.fullmatch(token) is not None


def digest(secret: str) -> bytes:
    """The digest that is stored and looked up instead of the secret.

    One round of SHA-256 suffices: slow hashes exist to make guessing passwords dear, and 192 random bits cannot
    be guessed at any price. Looking up by digest also needs no comparison in constant time: the time that it takes
    tells only of the digest, and nobody can choose a secret by the first bytes of its digest and gain by it.
    """
    return hashlib.sha256(secret.encode()).digest()
