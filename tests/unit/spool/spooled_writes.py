"""Writes as they are spooled, and the keys of two servers."""

from datetime import UTC, datetime, timedelta
from uuid import uuid4

from camillo_server.doors.spool.spool import Spool
from camillo_server.doors.spool.spooled_write import DamagedFrame, SpooledWrite
from camillo_server.kernel.channel import Channel, ReadLimit
from camillo_server.kernel.ids import AgentId, KeyId, TenantId
from camillo_server.kernel.kinds import Sensitivity
from camillo_server.kernel.scope import Caller, Principal, Role, Scope
from camillo_server.kernel.writes import RequestKey
from camillo_server.lib.crypto.keyring import Keyring

NOON = datetime(2026, 3, 1, 12, 0, 0, 123456, UTC)
TEXTS = ("The deploy key is rotated on Fridays", "ключ меняют по пятницам", "密钥每周五轮换")
KEYS, OTHER_KEYS = Keyring({"k1": b"1" * 32}), Keyring({"k2": b"2" * 32})
PRINCIPAL = Principal(
    TenantId("acme"),
    AgentId("алиса"),
    Role.WRITER,
    KeyId("key-1"),
    NOON,
    ReadLimit(Channel.TEAM, Sensitivity.INTERNAL),
    frozenset({"human:ada", "tool:*"}),
    frozenset({"手册"}),
    frozenset({"users/42:write"}),
    "spiffe://acme/alice",
)


def spooled_write(
    number: int = 0, body: bytes | None = None, tenant: str = "acme", agent: str = "алиса"
) -> SpooledWrite:
    """The write of this number: one second after the one before it, with its text."""
    return SpooledWrite(
        uuid4(),
        "MemoryService.Remember",
        Scope(TenantId(tenant), AgentId(agent)),
        NOON + timedelta(seconds=number),
        RequestKey(f"request-{number}", bytes([number % 256]) * 32),
        True,
        Caller(PRINCIPAL, "", "/camillo.v1.MemoryService/Remember", f"log-{number}", "ipv4:1"),
        TEXTS[number % len(TEXTS)].encode() if body is None else body,
    )


async def all_waiting(spool: Spool, max_bytes: int = 1 << 20) -> list[SpooledWrite | DamagedFrame]:
    """Items of one pass over a spool."""
    return [item async for batch in spool.batches(max_bytes) for item in batch]


async def waiting_writes(spool: Spool) -> list[SpooledWrite]:
    """Writes of one pass over a spool in which nothing is damaged."""
    items = await all_waiting(spool)
    assert not [item for item in items if isinstance(item, DamagedFrame)]
    return [item for item in items if isinstance(item, SpooledWrite)]
