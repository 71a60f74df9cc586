"""How many bytes of artifacts a tenant may keep."""

from camillo_server.domain.errors import QuotaExceeded
from camillo_server.domain.ids import TenantId
from camillo_server.storage.database import Session
from camillo_server.storage.statements import statements

SQL = statements("contents")
QUOTA = "artifact_bytes"


async def require_room(session: Session, tenant_id: TenantId, quota_bytes: int | None) -> None:
    """For an upload to begin: raises QuotaExceeded where what is kept and what is coming fill the quota already."""
    if quota_bytes is not None:
        row = await session.only_row(SQL["kept_bytes"], {"tenant_id": tenant_id})
        if row[0] >= quota_bytes:
            raise QuotaExceeded(QUOTA, quota_bytes)


async def take_room(
    session: Session, tenant_id: TenantId, size: int, quota_bytes: int | None
) -> None:
    """For a new content of this size, in the transaction that makes it ready: those of others wait meanwhile, so that
    no two take the same room. Raises QuotaExceeded."""
    if quota_bytes is not None:
        await session.execute(SQL["lock_quota"], {"tenant_id": tenant_id})
        row = await session.only_row(SQL["ready_bytes"], {"tenant_id": tenant_id})
        if row[0] + size > quota_bytes:
            raise QuotaExceeded(QUOTA, quota_bytes)
