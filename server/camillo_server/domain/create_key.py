"""CreateKey: a new key, whose secret is shown once."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

from camillo_server.domain.admin import Administration, ApiKey
from camillo_server.domain.clock import Clock
from camillo_server.domain.errors import ScopeForbidden
from camillo_server.domain.ids import AgentId, KeyId, TenantId
from camillo_server.domain.scope import Principal, Role
from camillo_server.domain.writes import RequestKey


@dataclass(frozen=True, slots=True)
class KeyWish:
    """The key that a caller asks for; no agent means any agent."""

    tenant_id: TenantId
    agent_id: AgentId | None
    role: Role
    description: str
    lifetime: timedelta | None


@dataclass(frozen=True, slots=True)
class NewSecret:
    """The secret of a new key, and what is stored of it."""

    key_id: KeyId
    secret: str
    digest: bytes


class CreateKey:
    """Makes a key, at most as strong as its maker, and shows its secret once."""

    def __init__(
        self, administration: Administration, make_secret: Callable[[], NewSecret], clock: Clock
    ) -> None:
        self._administration = administration
        self._make_secret = make_secret
        self._clock = clock

    async def __call__(
        self, caller: Principal, wish: KeyWish, request: RequestKey | None
    ) -> tuple[ApiKey, str]:
        """The key and its secret; the secret is empty for a repeated request. Raises ScopeForbidden, NotFound."""
        if wish.role > caller.role:
            raise ScopeForbidden("a key cannot have a higher role than its maker", wish.role)
        now = self._clock.now()
        made = self._make_secret()
        key = ApiKey(
            key_id=made.key_id,
            tenant_id=wish.tenant_id,
            agent_id=wish.agent_id,
            role=wish.role,
            description=wish.description,
            created_at=now,
            expires_at=now + wish.lifetime if wish.lifetime else None,
            revoked_at=None,
        )
        key_id = await self._administration.create_key(caller.tenant_id, key, made.digest, request)
        if key_id != made.key_id:
            return await self._administration.find_key(wish.tenant_id, key_id), ""
        return key, made.secret
