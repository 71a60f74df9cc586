"""HandOff: an explicit packet from one agent to another, and nothing beside it."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from uuid import UUID

from camillo_server.domain.clock import Clock
from camillo_server.domain.context.packet_text import packet_text
from camillo_server.domain.context.ports import HandoffReplay, HandoffStore
from camillo_server.domain.context.view import Handoff, HandoffPacket
from camillo_server.domain.decisions.decision import Decision, DecisionId
from camillo_server.domain.decisions.ports import DecisionStore
from camillo_server.domain.errors import NotFound, NotShareable, invalid_field
from camillo_server.domain.field_redaction import FieldRedaction
from camillo_server.domain.ids import AgentId, time_ordered_uuid
from camillo_server.domain.memory import Sensitivity
from camillo_server.domain.off_loop import UNBOUNDED, off_loop
from camillo_server.domain.redaction import Redaction, Redactor
from camillo_server.domain.scope import Scope
from camillo_server.domain.tasks.ports import TaskStore
from camillo_server.domain.tasks.task import Task, TaskId
from camillo_server.domain.tokens import TokenCounter
from camillo_server.domain.writes import RequestKey

MOST_TOKENS = 6_000
LIFETIME = timedelta(days=7)
MOST_LISTED = 50


class HandOff:
    """Stores a packet without its secrets; what it names goes with it as it is now."""

    def __init__(
        self,
        handoffs: HandoffStore,
        tasks: TaskStore,
        decisions: DecisionStore,
        redactor: Redactor,
        counter: TokenCounter,
        clock: Clock,
    ) -> None:
        self._handoffs = handoffs
        self._tasks = tasks
        self._decisions = decisions
        self._redactor = redactor
        self._counter = counter
        self._clock = clock

    async def __call__(
        self,
        scope: Scope,
        to_agent_id: AgentId,
        session_id: str,
        packet: HandoffPacket,
        expires_at: datetime | None,
        request: RequestKey | None,
    ) -> tuple[Handoff, Sequence[Redaction]]:
        """Raises InvalidField, NotFound, NotShareable, ValueRejected, RequestIdReused, StorageUnavailable, KeyMissing."""
        now = self._clock.now()
        if expires_at is not None and expires_at <= now:
            raise invalid_field("expires_at", "must lie ahead")
        packet, redactions = redacted_packet(packet, self._redactor)
        tasks = await self._named_tasks(scope, packet)
        decisions = await self._named_decisions(scope, packet)
        # What is named may be millions of characters.
        text, tokens = await off_loop(UNBOUNDED, lambda: self._told(packet, tasks, decisions))
        handoff = Handoff(
            handoff_id=time_ordered_uuid(now),
            from_agent_id=scope.agent_id,
            to_agent_id=to_agent_id,
            session_id=session_id,
            packet=packet,
            text=text,
            tokens=tokens,
            created_at=now,
            expires_at=expires_at or now + LIFETIME,
        )
        written = await self._handoffs.put(scope, handoff, _replay(handoff), request, now=now)
        return _as_answered(handoff, written.record), redactions

    async def _named_tasks(self, scope: Scope, packet: HandoffPacket) -> list[Task]:
        wanted = [TaskId(each) for each in dict.fromkeys(packet.task_ids)]
        found = await self._tasks.get(scope, wanted) if wanted else {}
        for task_id in wanted:
            if task_id not in found:
                raise NotFound("task", task_id)
            _check_shareable(task_id, found[task_id].stated.sensitivity)
        return [found[task_id] for task_id in wanted]

    async def _named_decisions(self, scope: Scope, packet: HandoffPacket) -> list[Decision]:
        wanted = [DecisionId(each) for each in dict.fromkeys(packet.decision_ids)]
        found = await self._decisions.get(scope, wanted) if wanted else {}
        for decision_id in wanted:
            if decision_id not in found:
                raise NotFound("decision", decision_id)
            _check_shareable(decision_id, found[decision_id].stated.sensitivity)
        return [found[decision_id] for decision_id in wanted]

    def _told(
        self, packet: HandoffPacket, tasks: Sequence[Task], decisions: Sequence[Decision]
    ) -> tuple[str, int]:
        text = packet_text(packet, tasks, decisions)
        return text, self._counted(text)

    def _counted(self, text: str) -> int:
        tokens = self._counter.count(text)
        if tokens > MOST_TOKENS:
            told = f"has {tokens:,} tokens with what it names, more than {MOST_TOKENS:,}"
            raise invalid_field("packet", told)
        return tokens


class ListHandoffs:
    """Packets to an agent that are still shown."""

    def __init__(self, handoffs: HandoffStore, clock: Clock) -> None:
        self._handoffs = handoffs
        self._clock = clock

    async def __call__(self, scope: Scope) -> Sequence[Handoff]:
        """The latest first. Raises StorageUnavailable."""
        return await self._handoffs.incoming(scope, MOST_LISTED, now=self._clock.now())


def redacted_packet(
    packet: HandoffPacket, redactor: Redactor
) -> tuple[HandoffPacket, Sequence[Redaction]]:
    """The packet without secrets, and what was taken out of it."""
    redaction = FieldRedaction(redactor)
    cleaned = replace(
        packet,
        goal=redaction.text("packet.goal", packet.goal),
        plan_step=redaction.text("packet.plan_step", packet.plan_step),
        note=redaction.text("packet.note", packet.note),
        constraints=redaction.texts("packet.constraints", packet.constraints),
    )
    return cleaned, redaction.redactions


def _check_shareable(named: UUID, sensitivity: Sensitivity) -> None:
    if sensitivity > Sensitivity.INTERNAL:
        raise NotShareable(str(named))


def _replay(handoff: Handoff) -> HandoffReplay:
    return HandoffReplay(
        handoff_id=handoff.handoff_id,
        text=handoff.text,
        tokens=handoff.tokens,
        created_at=handoff.created_at,
        expires_at=handoff.expires_at,
    )


def _as_answered(handoff: Handoff, record: HandoffReplay) -> Handoff:
    """What was answered when the request came first."""
    return replace(
        handoff,
        handoff_id=record.handoff_id,
        text=record.text,
        tokens=record.tokens,
        created_at=record.created_at,
        expires_at=record.expires_at,
    )
