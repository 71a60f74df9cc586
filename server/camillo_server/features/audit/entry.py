"""Entries of the audit trail as they are stored, and what selects them."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NewType
from uuid import UUID

from camillo_formats.audit_chain import ChainEntry
from camillo_formats.characters import border_at_or_before

from camillo_server.kernel.ids import AgentId, chunk_id
from camillo_server.kernel.kinds import MAX_CHUNK_CHARACTERS, ChunkKind, Sensitivity
from camillo_server.kernel.scope import TrustLevel
from camillo_server.lib.text.json_lines import json_text
from camillo_server.rows.row import NewRow, Row

ActionId = NewType("ActionId", UUID)
ACTION_TEXTS = ("action", "message", "meta")
IMPORTANCE_OF_ACTIONS = 0.5
SALT_BYTES = 16


@dataclass(frozen=True, slots=True)
class ActionDraft:
    """An action as its caller states it, validated."""

    action: str
    message: str
    meta: Mapping[str, Any] = field(default_factory=dict)
    session_id: str = ""
    sensitivity: Sensitivity = Sensitivity.INTERNAL
    occurred_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class RecordedAction:
    """A stored action; its `occurred_at` is always set. `agent_id`: who acted. The salt keeps its digest from telling a
    guess of what was forgotten."""

    action_id: ActionId
    agent_id: AgentId
    stated: ActionDraft
    salt: bytes
    created_at: datetime

    @property
    def digest(self) -> bytes:
        """The digest that its entry in the trail has."""
        return action_digest(self.stated, self.salt)


def action_digest(stated: ActionDraft, salt: bytes) -> bytes:
    """SHA-256 of the salt and the texts, as JSON with sorted keys."""
    texts = {name: _comparable(getattr(stated, name)) for name in ACTION_TEXTS}
    text = json.dumps(texts, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(salt + text.encode()).digest()


def _comparable(value: Any) -> Any:
    """Postgres writes numbers and the order of keys in its own way: the same value is the same here."""
    if isinstance(value, Mapping):
        return {key: _comparable(each) for key, each in sorted(value.items())}
    if isinstance(value, list | tuple):
        return [_comparable(each) for each in value]
    return float(value) if isinstance(value, int) and not isinstance(value, bool) else value


def action_row(action: RecordedAction) -> NewRow:
    """The one chunk of an action, in the tenant's shared scope."""
    stated = action.stated
    return NewRow(
        Row(
            memory_id=chunk_id(action.action_id, 0),
            agent_id=AgentId(""),
            content=_searched(stated),
            kind=ChunkKind.ACTION,
            session_id=stated.session_id,
            occurred_at=stated.occurred_at or action.created_at,
            tags=(),
            sensitivity=stated.sensitivity,
            importance=IMPORTANCE_OF_ACTIONS,
            metadata={"action": stated.action, "agent": action.agent_id, "place": 0},
            expires_at=None,
            pinned=False,
            archived=False,
            version=1,
            source_refs=(str(action.action_id),),
            created_at=action.created_at,
            updated_at=action.created_at,
            vector_model_id="",
            trust_level=TrustLevel.AGENT,
        ),
        vector=None,
    )


def _searched(stated: ActionDraft) -> str:
    """The text to search: the action, its message and its details, cut where a chunk ends."""
    text = f"{stated.action}: {stated.message}"
    if stated.meta:
        text += f"\n{json_text(_comparable(stated.meta))}"
    return text[: border_at_or_before(text, MAX_CHUNK_CHARACTERS, 0)]


@dataclass(frozen=True, slots=True, order=True)
class AuditCursor:
    """A position in the order of commits of a tenant's entries."""

    transaction_id: int
    agent_id: str
    position: int


BEGINNING = AuditCursor(0, "", 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditEntry(ChainEntry):
    """One change, with its position in the order of commits, and its action; None where that was forgotten, or there
    is none."""

    agent_id: AgentId
    transaction_id: int
    action: ActionDraft | None = None

    @property
    def cursor(self) -> AuditCursor:
        """The position behind this entry."""
        return AuditCursor(self.transaction_id, self.agent_id, self.position)


@dataclass(frozen=True, slots=True)
class AuditFilter:
    """Selects entries; None and empty admit all. A method that ends with a slash is a service."""

    agent_id: AgentId | None = None
    method: str = ""
    credential: str = ""
    id: str = ""
    at_from: datetime | None = None
    at_before: datetime | None = None
