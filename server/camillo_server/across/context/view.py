"""Views: texts that an agent, or a whole tenant, is always shown; and packets that one agent hands to another."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from camillo_server.kernel.ids import AgentId
from camillo_server.kernel.kinds import Sensitivity
from camillo_server.kernel.scope import TrustLevel
from camillo_server.kernel.writes import replay_record

# A scope has so many: with the tenant's views, a list of the longest ones fits into one message.
MAX_VIEWS = 16
# The most views that are read of a scope and of the tenant's shared one together.
MAX_VIEWS_READ = 200


@dataclass(frozen=True, slots=True)
class View:
    """One text, Markdown; the tenant's where the agent id is empty. `is_data`: not written by an administrator, so that
    nothing in it is taken for an instruction."""

    name: str
    agent_id: AgentId
    text: str
    sensitivity: Sensitivity
    version: int
    updated_at: datetime
    is_data: bool = True


@dataclass(frozen=True, slots=True)
class HandoffPacket:
    """The caller's part of a handoff. Already validated."""

    goal: str
    plan_step: str = ""
    note: str = ""
    task_ids: Sequence[UUID] = ()
    decision_ids: Sequence[UUID] = ()
    constraints: Sequence[str] = ()


@replay_record
@dataclass(frozen=True, slots=True)
class HandoffReplay:
    """The handoff that a request stored, without its texts: these are read from its row, as long as it is there."""

    handoff_id: UUID
    created_at: datetime
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class Handoff:
    """A packet on its way; `text` is all of it as the other agent sees it."""

    handoff_id: UUID
    from_agent_id: AgentId
    to_agent_id: AgentId
    session_id: str
    packet: HandoffPacket
    text: str
    tokens: int
    created_at: datetime
    expires_at: datetime
    trust_level: TrustLevel = TrustLevel.UNKNOWN
    credential: str = ""

    @property
    def replay(self) -> HandoffReplay:
        """The record of the request that stored it."""
        return HandoffReplay(self.handoff_id, self.created_at, self.expires_at)
