"""Slots in brief: what a digest shows of each, without its content."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from camillo_formats.slot_keys import key_of

from camillo_server.features.slots.slot import SlotId
from camillo_server.features.slots.store.rows import slot_location
from camillo_server.kernel.attribution import TRUST_LEVELS, TrustLevel
from camillo_server.kernel.ids import AgentId
from camillo_server.kernel.kinds import ChunkKind, Sensitivity
from camillo_server.kernel.off_loop import ROW, off_loop
from camillo_server.lib.crypto.keyring import Keyring
from camillo_server.storage.encrypted_json import EncryptedJson


@dataclass(frozen=True, slots=True)
class BriefQuery:
    """At most `size` slots of these levels; with `is_public` only what may be shown in public. Among equally new and
    important ones, slots with the most of these tags come first."""

    size: int
    tags: Sequence[str]
    sensitivities: Sequence[Sensitivity]
    is_public: bool

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters of the statement, without the scope and the time."""
        return {
            "size": self.size,
            "tags": list(self.tags),
            "sensitivities": [int(level) for level in self.sensitivities],
            "is_public": self.is_public,
            "private_kind": int(ChunkKind.PRIVATE_SLOT),
        }


@dataclass(frozen=True, slots=True)
class SlotBrief:
    """The fields of a slot with content that a line of a brief shows."""

    slot_id: SlotId
    agent_id: AgentId
    key: str
    type: str
    summary: str
    sensitivity: Sensitivity
    trust_level: TrustLevel
    updated_at: datetime
    expired_at: datetime | None
    is_private: bool

    def has_expired(self, now: datetime) -> bool:
        """Whether its time is over; at the moment itself it is not."""
        return self.expired_at is not None and self.expired_at < now


class BriefRows:
    """Reads rows of slots in brief. The whole details are read only of encrypted versions."""

    def __init__(self, keyring: Keyring) -> None:
        self._json = EncryptedJson(keyring)

    async def briefs(self, tenant_id: str, rows: Sequence[Any]) -> list[SlotBrief]:
        """Raises KeyMissing, BytesLost."""
        cost = sum(ROW / 8 if row.sealed_details is None else ROW + len(row.sealed_details) / 16 for row in rows)
        return await off_loop(cost, lambda: [self._brief(tenant_id, row) for row in rows])

    def _brief(self, tenant_id: str, row: Any) -> SlotBrief:
        return SlotBrief(
            slot_id=SlotId(row.slot_id),
            agent_id=AgentId(row.agent_id),
            key=key_of(row.path),
            type=row.type,
            summary=self._summary(tenant_id, row),
            sensitivity=Sensitivity(row.sensitivity),
            trust_level=TRUST_LEVELS[row.trust_level],
            updated_at=row.updated_at,
            expired_at=row.expired_at,
            is_private=row.kind == ChunkKind.PRIVATE_SLOT,
        )

    def _summary(self, tenant_id: str, row: Any) -> str:
        if row.sealed_details is None:
            return str(row.summary)
        location = slot_location(tenant_id, row.agent_id, row.slot_id, row.version)
        details = self._json.read((None, row.key_id, row.sealed_details), location)
        return str(details["fields"]["summary"])
