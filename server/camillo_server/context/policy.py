"""What a channel may load of ground truth: applied to all of it before anything is counted."""

from dataclasses import dataclass, replace
from typing import Protocol, TypeVar

from camillo_server.context.records import ContextRecords
from camillo_server.context.view import Handoff
from camillo_server.decisions.decision import Decision, DecisionStatus
from camillo_server.events.event import may_load_event
from camillo_server.kernel.channel import NEVER_IN_PUBLIC, Channel, ChannelPolicy
from camillo_server.kernel.ids import AgentId
from camillo_server.kernel.kinds import Sensitivity
from camillo_server.kernel.scope import Scope
from camillo_server.memories.memory import Memory
from camillo_server.memories.memory_filter import MemoryFilter


class _Owned(Protocol):
    @property
    def agent_id(self) -> AgentId: ...


Owned = TypeVar("Owned", bound=_Owned)


@dataclass(frozen=True, slots=True)
class Loading:
    """What may be shown to this agent in this channel."""

    policy: ChannelPolicy
    scope: Scope
    channel: Channel

    def filter(self, wanted: MemoryFilter, *, is_shared: bool = False) -> MemoryFilter:
        """The filter of a search in the agent's own scope, or in the tenant's shared one."""
        if is_shared:
            wanted = replace(wanted, sensitivities=tuple(Sensitivity)[:-1])
        return wanted.narrowed(self.policy, self.channel)

    def records(self, records: ContextRecords, session_id: str) -> ContextRecords:
        """What is left of it; packets for another conversation are left out as well."""
        return replace(
            records,
            views=[view for view in records.views if self._is_open(view, view.sensitivity)],
            tasks=[
                task
                for task in records.tasks
                if self._is_made_for(task, task.stated.sensitivity, task.stated.channel)
            ],
            decisions=[decision for decision in records.decisions if self.shows(decision)],
            handoffs=[
                handoff for handoff in records.handoffs if self._is_for_here(handoff, session_id)
            ],
            recent_events=[
                event
                for event in records.recent_events
                if self._is_open(event, event.sensitivity)
                and may_load_event(self.policy, self.channel, event)
            ],
            recent_memories=[each for each in records.recent_memories if self._is_shown(each)],
            pinned=[each for each in records.pinned if self._is_shown(each)],
        )

    def shows(self, decision: Decision) -> bool:
        """Whether it is in force and may be shown."""
        stated = decision.stated
        is_in_force = decision.status is DecisionStatus.ACTIVE
        return is_in_force and self._is_made_for(decision, stated.sensitivity, stated.channel)

    def _is_shown(self, memory: Memory) -> bool:
        is_hidden = self.channel is Channel.PUBLIC and memory.kind in NEVER_IN_PUBLIC
        return not is_hidden and self._is_open(memory, memory.sensitivity)

    def _is_made_for(self, owned: Owned, sensitivity: Sensitivity, made_in: Channel) -> bool:
        is_open = self._is_open(owned, sensitivity)
        return is_open and self.policy.permits(self.channel, sensitivity, made_in)

    def _is_for_here(self, handoff: Handoff, session_id: str) -> bool:
        """A packet holds nothing above INTERNAL; what it tells was made between agents, never in public."""
        is_allowed = Sensitivity.INTERNAL in self.policy.allowed(self.channel)
        is_public = self.channel is Channel.PUBLIC
        return is_allowed and not is_public and handoff.session_id in ("", session_id)

    def _is_open(self, owned: Owned, sensitivity: Sensitivity) -> bool:
        """What is restricted is shown to the agent whose own it is, and to nobody else."""
        is_own = owned.agent_id == self.scope.agent_id
        if sensitivity is Sensitivity.RESTRICTED and not is_own:
            return False
        return sensitivity in self.policy.allowed(self.channel)
