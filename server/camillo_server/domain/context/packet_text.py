"""A packet as the agent that it is for will read it: everything that was stated, and the state of what it names."""

from collections.abc import Iterator, Sequence

from camillo_server.domain.context.candidates import task_text
from camillo_server.domain.context.prompt_text import cleaned
from camillo_server.domain.context.view import HandoffPacket
from camillo_server.domain.decisions.chunks import decision_text
from camillo_server.domain.decisions.decision import Decision, DecisionStatus
from camillo_server.domain.tasks.task import Task


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
