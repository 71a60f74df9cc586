"""Views, which an agent, or a whole tenant, is always shown; and handoffs: an explicit packet from one agent to
another, and nothing beside it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any, TypeVar
from uuid import UUID

from camillo_formats.rendering import continued

from camillo_server.across.context.candidates import task_text
from camillo_server.across.context.store.context import HandoffStore, ViewStore
from camillo_server.across.context.view import Handoff, HandoffPacket, View
from camillo_server.features.decisions.decision import Decision, DecisionId, DecisionStatus, decision_text
from camillo_server.features.decisions.store import DecisionStore
from camillo_server.features.tasks.store import TaskStore
from camillo_server.features.tasks.task import Task, TaskId
from camillo_server.kernel.clock import Clock, time_ordered_uuid
from camillo_server.kernel.errors import NotFound, NotShareable, invalid_field
from camillo_server.kernel.ids import AgentId
from camillo_server.kernel.kinds import Sensitivity
from camillo_server.kernel.off_loop import UNBOUNDED, off_loop
from camillo_server.kernel.scope import Attribution, Scope
from camillo_server.kernel.writes import RequestKey
from camillo_server.lib.redaction.redaction import (
    FieldRedaction,
    Redaction,
    Redactor,
)
from camillo_server.lib.text.tokens import TokenCounter

MAX_TOKENS = 6_000
LIFETIME = timedelta(days=7)
MAX_LISTED = 50
Id = TypeVar("Id", bound=UUID)
Named = TypeVar("Named", Task, Decision)


class Views:
    """Views of a scope, stored without their secrets."""

    def __init__(self, store: ViewStore, redactor: Redactor, clock: Clock) -> None:
        self._store = store
        self._redactor = redactor
        self._clock = clock

    async def put(
        self, scope: Scope, view: View, expected_version: int | None, request: RequestKey | None
    ) -> tuple[View, int, Sequence[Redaction]]:
        """Stores a view. Returns it, the revision that holds it, and the redactions. Raises VersionConflict,
        ValueRejected, RequestIdReused, QuotaExceeded, StorageUnavailable, KeyMissing."""
        now = self._clock.now()
        redaction = FieldRedaction(self._redactor)
        text = await off_loop(
            len(view.text),
            lambda: redaction.text("view.text", view.text),
        )
        own = replace(view, agent_id=scope.agent_id, text=text, updated_at=now)
        stored, revision = await self._store.put(scope, own, expected_version, request, now=now)
        return stored, revision, redaction.redactions

    async def get(self, scope: Scope, name: str) -> View:
        """The scope's own, or else the tenant's. Raises NotFound, StorageUnavailable, KeyMissing."""
        views = [view for view in await self._store.all(scope) if view.name == name]
        if not views:
            raise NotFound("view", name)
        return min(views, key=lambda view: view.agent_id != scope.agent_id)

    async def list(self, scope: Scope) -> Sequence[View]:
        """The views by name, the scope's before the tenant's. Raises StorageUnavailable, KeyMissing."""
        return await self._store.all(scope)

    async def delete(self, scope: Scope, name: str, request: RequestKey | None) -> int:
        """The revision from which it is gone. Raises NotFound, RequestIdReused, StorageUnavailable."""
        return await self._store.delete(scope, name, request, now=self._clock.now())


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
        by: Attribution,
        request: RequestKey | None,
    ) -> tuple[Handoff, Sequence[Redaction]]:
        """A repeated request gets the packet as it is by now: without its text once it has expired or was forgotten.
        Raises InvalidField, NotFound, NotShareable, HandoffRefused, QuotaExceeded, ValueRejected, RequestIdReused,
        StorageUnavailable, KeyMissing."""
        now = self._clock.now()
        if expires_at is not None and expires_at <= now:
            raise invalid_field("expires_at", "must lie ahead")
        packet, redactions = await off_loop(UNBOUNDED, partial(redacted_packet, packet, self._redactor))
        handoff = Handoff(
            handoff_id=time_ordered_uuid(now),
            from_agent_id=scope.agent_id,
            to_agent_id=to_agent_id,
            session_id=session_id,
            packet=packet,
            text="",
            tokens=0,
            created_at=now,
            expires_at=expires_at or now + LIFETIME,
            trust_level=by.trust_level,
            credential=by.credential,
        )
        # First, since what it named may have been forgotten.
        written = await self._handoffs.first_answer(scope, request, now=now)
        if written is None:
            text, tokens = await self._with_named(scope, packet)
            rendered = replace(handoff, text=text, tokens=tokens)
            written = await self._handoffs.put(scope, rendered, request, now=now)
            if not written.is_repeat:
                return rendered, redactions
        return await self._handoffs.repeated(scope, handoff, written.record), redactions

    async def accept(self, scope: Scope, senders: Sequence[AgentId] | None) -> None:
        """The agent accepts packets from these agents alone; None: from any. Raises StorageUnavailable."""
        await self._handoffs.accept(scope, senders, self._clock.now())

    async def _with_named(self, scope: Scope, packet: HandoffPacket) -> tuple[str, int]:
        """The text of a packet with the tasks and decisions that it names, and its tokens. Raises InvalidField,
        NotFound, NotShareable."""
        task_ids = [TaskId(each) for each in packet.task_ids]
        tasks = await self._tasks.get(scope, task_ids) if task_ids else {}
        named_tasks = _shareable("task", task_ids, tasks)
        decision_ids = [DecisionId(each) for each in packet.decision_ids]
        decisions = await self._decisions.get(scope, decision_ids) if decision_ids else {}
        named_decisions = _shareable("decision", decision_ids, decisions)
        # The named tasks and decisions may have millions of characters.
        return await off_loop(UNBOUNDED, lambda: self._rendered(packet, named_tasks, named_decisions))

    async def list(self, scope: Scope) -> Sequence[Handoff]:
        """Packets to this agent that are still shown, the latest first. Raises StorageUnavailable."""
        return await self._handoffs.incoming(scope, MAX_LISTED, now=self._clock.now())

    def _rendered(self, packet: HandoffPacket, tasks: Sequence[Task], decisions: Sequence[Decision]) -> tuple[str, int]:
        """The text of a packet, and its tokens. Raises InvalidField where these are too many."""
        text = packet_text(packet, tasks, decisions)
        tokens = self._counter.count(text)
        if tokens > MAX_TOKENS:
            problem = f"has {tokens:,} tokens with what it names, more than {MAX_TOKENS:,}"
            raise invalid_field("packet", problem)
        return text, tokens


def redacted_packet(packet: HandoffPacket, redactor: Redactor) -> tuple[HandoffPacket, Sequence[Redaction]]:
    """The packet without secrets, and the redactions."""
    redaction = FieldRedaction(redactor)
    texts: dict[str, Any] = {
        name: redaction.text_or_texts(f"packet.{name}", getattr(packet, name))
        for name in ("goal", "plan_step", "note", "constraints")
    }
    return replace(packet, **texts), redaction.redactions


def _shareable(noun: str, ids: Sequence[Id], stored: Mapping[Id, Named]) -> list[Named]:
    """The tasks or decisions that a packet names, in its order. Raises NotFound, NotShareable."""
    for each in ids:
        if each not in stored:
            raise NotFound(noun, each)
        if stored[each].stated.sensitivity > Sensitivity.INTERNAL:
            raise NotShareable(str(each))
    return [stored[each] for each in ids]


def packet_text(packet: HandoffPacket, tasks: Sequence[Task], decisions: Sequence[Decision]) -> str:
    """The packet line by line; every further line of a text is indented."""
    return "\n".join(_lines(packet, tasks, decisions))


def _lines(packet: HandoffPacket, tasks: Sequence[Task], decisions: Sequence[Decision]) -> Iterator[str]:
    for name, text in (("Goal", packet.goal), ("Plan step", packet.plan_step)):
        if text:
            yield f"{name}: {continued(text)}"
    if packet.note:
        yield f"Note: {continued(packet.note)}"
    yield from _list("Constraints", packet.constraints)
    yield from _list("Tasks", [_task(task) for task in tasks])
    yield from _list("Decisions", [_decision(decision) for decision in decisions])


def _list(title: str, texts: Sequence[str]) -> Iterator[str]:
    if texts:
        yield f"{title}:"
        yield from (f"- {continued(text)}" for text in texts)


def _task(task: Task) -> str:
    return f"{task.stated.status.name.lower()}: {task_text(task)} ({task.task_id})"


def _decision(decision: Decision) -> str:
    status = "superseded: " if decision.status is DecisionStatus.SUPERSEDED else ""
    return f"{status}{decision_text(decision)} ({decision.decision_id})"
