"""Handoffs: an explicit packet from one agent to another, and nothing beside it."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from uuid import UUID

from camillo_server.context.candidates import task_text
from camillo_server.context.rendering import cleaned
from camillo_server.context.store.handoffs import HandoffStore
from camillo_server.context.view import Handoff, HandoffPacket, HandoffReplay
from camillo_server.decisions.decision import Decision, DecisionId, DecisionStatus, decision_text
from camillo_server.decisions.store import DecisionStore
from camillo_server.kernel.clock import Clock
from camillo_server.kernel.errors import NotFound, NotShareable, invalid_field
from camillo_server.kernel.ids import AgentId, time_ordered_uuid
from camillo_server.kernel.kinds import Sensitivity
from camillo_server.kernel.off_loop import UNBOUNDED, off_loop
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import RequestKey
from camillo_server.redaction.redaction import FieldRedaction, Redaction, Redactor
from camillo_server.tasks.store import TaskStore
from camillo_server.tasks.task import Task, TaskId
from camillo_server.text.tokens import TokenCounter

MAX_TOKENS = 6_000
LIFETIME = timedelta(days=7)
MAX_LISTED = 50


def packet_text(packet: HandoffPacket, tasks: Sequence[Task], decisions: Sequence[Decision]) -> str:
    """Lines by line; every further line of a text is indented."""
    return "\n".join(_lines(packet, tasks, decisions))


def _lines(
    packet: HandoffPacket, tasks: Sequence[Task], decisions: Sequence[Decision]
) -> Iterator[str]:
    for name, text in (("Goal", packet.goal), ("Plan step", packet.plan_step)):
        if text:
            yield f"{name}: {_indented(text)}"
    if packet.note:
        yield f"Note: {_indented(packet.note)}"
    yield from _list("Constraints", packet.constraints)
    yield from _list("Tasks", [_task(task) for task in tasks])
    yield from _list("Decisions", [_decision(decision) for decision in decisions])


def _list(title: str, texts: Sequence[str]) -> Iterator[str]:
    if texts:
        yield f"{title}:"
        yield from (f"- {_indented(text)}" for text in texts)


def _task(task: Task) -> str:
    return f"{task.stated.status.name.lower()}: {task_text(task)} ({task.task_id})"


def _decision(decision: Decision) -> str:
    is_superseded = decision.status is DecisionStatus.SUPERSEDED
    told = "superseded: " if is_superseded else ""
    return f"{told}{decision_text(decision)} ({decision.decision_id})"


def _indented(text: str) -> str:
    return cleaned(text).replace("\n", "\n  ")


class Handoffs:
    """Packets between agents, stored without their secrets; what a packet names goes with it as it is now."""

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

    async def hand_off(
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
        text, tokens = await off_loop(UNBOUNDED, lambda: self._rendered(packet, tasks, decisions))
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

    async def list(self, scope: Scope) -> Sequence[Handoff]:
        """Packets to this agent that are still shown, the latest first. Raises StorageUnavailable."""
        return await self._handoffs.incoming(scope, MAX_LISTED, now=self._clock.now())

    async def _named_tasks(self, scope: Scope, packet: HandoffPacket) -> Sequence[Task]:
        wanted = [TaskId(each) for each in dict.fromkeys(packet.task_ids)]
        found = await self._tasks.get(scope, wanted) if wanted else {}
        for task_id in wanted:
            if task_id not in found:
                raise NotFound("task", task_id)
            _check_shareable(task_id, found[task_id].stated.sensitivity)
        return [found[task_id] for task_id in wanted]

    async def _named_decisions(self, scope: Scope, packet: HandoffPacket) -> Sequence[Decision]:
        wanted = [DecisionId(each) for each in dict.fromkeys(packet.decision_ids)]
        found = await self._decisions.get(scope, wanted) if wanted else {}
        for decision_id in wanted:
            if decision_id not in found:
                raise NotFound("decision", decision_id)
            _check_shareable(decision_id, found[decision_id].stated.sensitivity)
        return [found[decision_id] for decision_id in wanted]

    def _rendered(
        self, packet: HandoffPacket, tasks: Sequence[Task], decisions: Sequence[Decision]
    ) -> tuple[str, int]:
        text = packet_text(packet, tasks, decisions)
        return text, self._counted(text)

    def _counted(self, text: str) -> int:
        tokens = self._counter.count(text)
        if tokens > MAX_TOKENS:
            told = f"has {tokens:,} tokens with what it names, more than {MAX_TOKENS:,}"
            raise invalid_field("packet", told)
        return tokens


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
