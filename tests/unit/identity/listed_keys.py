"""Keys in a dictionary, for tests of what asks for them."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime
from secrets import token_urlsafe

from camillo_server.doors.identity.key_cache import ApiKey, SigningSecrets, digest, new_secret
from camillo_server.kernel.errors import StorageUnavailable
from camillo_server.kernel.ids import AgentId, KeyId, TenantId
from camillo_server.kernel.scope import Role

SIGNING_SECRET = b"signing secret of the tests"


def unsigned_secret() -> str:
    """A secret as it was before there were signatures, and as anyone can invent it."""
    return "cam_" + token_urlsafe(32)


class ListedKeys:
    """A directory that counts what it is asked, and can be away or slow."""

    def __init__(self) -> None:
        self.keys: dict[bytes, ApiKey] = {}
        self.signing = SigningSecrets((SIGNING_SECRET,), has_unsigned_keys=True)
        self.asked = 0
        self.was_asked = asyncio.Event()
        self.is_away = False
        self.gate: asyncio.Event | None = None

    async def find(self, secret_digest: bytes) -> ApiKey | None:
        self.asked += 1
        self.was_asked.set()
        answer = self.keys.get(secret_digest)
        if self.gate is not None:
            await self.gate.wait()
        if self.is_away:
            raise StorageUnavailable
        return answer

    async def signing_secrets(self, used_before: datetime) -> SigningSecrets:
        return self.signing

    def add(self, key_id: str = "key-1", expires_at: datetime | None = None, secret: str = "") -> str:
        secret = secret or new_secret(SIGNING_SECRET)
        self.keys[digest(secret)] = ApiKey(
            key_id=KeyId(key_id),
            tenant_id=TenantId("acme"),
            agent_id=AgentId("ada"),
            role=Role.WRITER,
            description="for tests",
            created_at=datetime(2029, 1, 1, tzinfo=UTC),
            expires_at=expires_at,
            revoked_at=None,
        )
        return secret

    def revoke(self, secret: str, at: datetime) -> None:
        self.keys[digest(secret)] = replace(self.keys[digest(secret)], revoked_at=at)
