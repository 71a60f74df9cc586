"""Entries of the audit trail as they are stored, and what selects them."""

from dataclasses import dataclass
from datetime import datetime

from camillo_formats.audit_chain import ChainEntry

from camillo_server.features.audit.action import ActionDraft
from camillo_server.kernel.ids import AgentId


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditEntry(ChainEntry):
    """One change, with its place in the order of commits, and its action; None where that was forgotten, or there is none."""

    agent_id: AgentId
    transaction_id: int
    action: ActionDraft | None = None


@dataclass(frozen=True, slots=True, order=True)
class AuditCursor:
    """A place in the order of commits of a tenant's entries."""

    transaction_id: int
    agent_id: str
    position: int


BEGINNING = AuditCursor(0, "", 0)


@dataclass(frozen=True, slots=True)
class AuditFilter:
    """Selects entries; None and empty admit all. A method that ends with a slash is a service."""

    agent_id: AgentId | None = None
    method: str = ""
    credential: str = ""
    id: str = ""
    at_from: datetime | None = None
    at_before: datetime | None = None
