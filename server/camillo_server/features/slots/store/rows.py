"""Slots as rows: converted to parameters of statements and back."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from camillo_formats.slot_content import ContentFields, parsed, statements_of
from camillo_formats.slot_keys import key_of, path_of

from camillo_server.features.slots.slot import (
    NewSlot,
    ProvenanceKind,
    Slot,
    SlotId,
    SlotProvenance,
    SlotSource,
    slot_chunk_id,
)
from camillo_server.kernel.ids import AgentId
from camillo_server.kernel.kinds import ChunkKind, Sensitivity
from camillo_server.kernel.off_loop import ROW, off_loop
from camillo_server.kernel.scope import TRUST_LEVELS, Scope, TrustLevel
from camillo_server.lib.crypto.keyring import Keyring
from camillo_server.rows.forgettable import Forgettable
from camillo_server.rows.store.inserts import chunk_columns, row_cost
from camillo_server.storage.encrypted_json import MIN_ENCRYPTED, EncryptedJson, JsonLocation
from camillo_server.storage.statements import json_text, statements

_SENSITIVITIES = {int(level): level for level in Sensitivity}


class SlotRows:
    """Converts slots to rows and back; sensitive content is encrypted in the row. Keys, types and tags are not: lists
    look for them."""

    def __init__(self, keyring: Keyring) -> None:
        self._keyring = keyring
        self._json = EncryptedJson(keyring)

    async def json(self, scope: Scope, news: Sequence[NewSlot]) -> str:
        """A JSON array of the slots of a write, as the statement `set` reads them. Raises KeyMissing."""
        cost = sum(ROW + len(new.slot.json_content) / 16 + (row_cost(new.row) if new.row else 0) for new in news)
        return await off_loop(
            cost,
            lambda: json_text([self._columns(scope, *each) for each in enumerate(news)]),
        )

    def _columns(self, scope: Scope, index: int, new: NewSlot) -> dict[str, Any]:
        slot, fields = new.slot, new.slot.fields
        details: dict[str, Any] = {
            "content": slot.json_content,
            "source": _source_json(slot.source),
            "fields": asdict(fields),
        }
        if slot.occurred_at is not None:
            details["occurred_at"] = slot.occurred_at
        if slot.unindexed:
            details["unindexed"] = True
        columns: dict[str, Any] = {"key_id": "", "details": details, "sealed_details": None}
        if slot.sensitivity >= MIN_ENCRYPTED:
            location = slot_location(scope.tenant_id, scope.agent_id, slot.slot_id, slot.version)
            key_id, encrypted = self._json.encrypt(json_text(details), location)
            columns = {"key_id": key_id, "details": None, "sealed_details": encrypted}
        return {
            **columns,
            "place": index,
            "slot_id": slot.slot_id,
            "path": path_of(slot.key),
            "if_version": new.if_version,
            "kind": slot.kind,
            "sensitivity": slot.sensitivity,
            "trust_level": slot.trust_level,
            "credential": slot.credential,
            "updated_at": slot.updated_at,
            "content_bytes": len(slot.json_content.encode()),
            "type": fields.type,
            "tags": fields.tags,
            "importance": fields.importance,
            "expired_at": fields.expired_at,
            "trigger_at": fields.trigger_at,
            "unindexed": slot.unindexed,
            "chunk": chunk_columns(scope, new.row, self._keyring) if new.row else None,
        }

    async def slots(self, tenant_id: str, rows: Sequence[Any]) -> list[Slot]:
        """The versions in rows with the columns of the fragment `slot_columns`. Raises KeyMissing, BytesLost."""
        cost = sum(ROW + row.content_bytes / 16 for row in rows)
        return await off_loop(cost, lambda: [self._slot(tenant_id, row) for row in rows])

    def _slot(self, tenant_id: str, row: Any) -> Slot:
        details = row.details
        if details is None:
            location = slot_location(tenant_id, row.agent_id, row.slot_id, row.version)
            details = self._json.read((None, row.key_id, row.sealed_details), location)
        return Slot(
            slot_id=SlotId(row.slot_id),
            agent_id=AgentId(row.agent_id),
            key=key_of(row.path),
            version=row.version,
            json_content=details["content"],
            source=_source_from(details["source"]),
            fields=_fields_from(details["fields"]),
            sensitivity=_SENSITIVITIES[row.sensitivity],
            trust_level=TRUST_LEVELS[row.trust_level],
            credential=row.credential,
            updated_at=row.updated_at,
            occurred_at=_moment(details.get("occurred_at")),
            unindexed=details.get("unindexed", False),
        )


def slot_location(tenant_id: str, agent_id: str, slot_id: object, version: int) -> JsonLocation:
    """The location to which the encrypted details of a version are bound."""
    return JsonLocation.in_scope(tenant_id, agent_id, "slot", f"{slot_id}\0{version}")


def _source_json(source: SlotSource) -> Any:
    if isinstance(source, str):
        return source
    at = source.retrieved_at
    return {
        "kind": int(source.kind),
        "name": source.name,
        "retrieved_at": at.isoformat() if at else None,
        "locator": source.locator,
    }


def _source_from(value: Any) -> SlotSource:
    if isinstance(value, str):
        return value
    at = value["retrieved_at"]
    return SlotProvenance(
        kind=ProvenanceKind(value["kind"]),
        name=value["name"],
        retrieved_at=datetime.fromisoformat(at) if at else None,
        locator=value["locator"],
    )


def _fields_from(value: Mapping[str, Any]) -> ContentFields:
    return ContentFields(
        type=value["type"],
        tags=tuple(value["tags"]),
        importance=value["importance"],
        summary=value["summary"],
        expired_at=_moment(value["expired_at"]),
        trigger_at=_moment(value["trigger_at"]),
    )


def _moment(value: str | None) -> datetime | None:
    return datetime.fromisoformat(value) if value else None


def _with_values(details: Mapping[str, Any]) -> Mapping[str, Any]:
    return {**details, "content": parsed(details["content"])}


SLOTS = Forgettable(
    "slots",
    statements("features/slots/forgetting"),
    "slot",
    own_texts=("content",),
    stated=lambda content: statements_of(parsed(content)),
    values=_with_values,
    has_chunks=True,
    is_cited=True,
    versions="slot_versions",
    chunk_of_version=slot_chunk_id,
)


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
