"""How much memory a ground takes, roughly: bytes of its texts, and something for each of its parts."""

from collections.abc import Iterator

from camillo_server.domain.context.ports import Ground
from camillo_server.domain.decisions.decision import DecisionDraft
from camillo_server.domain.events.event import EventContent, TextContent, ToolResultContent
from camillo_server.domain.tasks.task import TaskDraft

PART_BYTES = 2_000
# A JSON value is not measured again and again.
JSON_BYTES = 16_000


def rough_bytes(ground: Ground) -> int:
    """Within a factor of four, but for texts of few large characters."""
    return sum(PART_BYTES + length for length in _lengths(ground))


def _lengths(ground: Ground) -> Iterator[int]:
    yield 0
    yield from (len(view.text) for view in ground.views)
    yield from (_task_length(task.stated) for task in ground.tasks)
    yield from (_decision_length(decision.stated) for decision in ground.decisions)
    yield from (2 * len(handoff.text) for handoff in ground.handoffs)
    yield from (_event_length(event.content) for event in ground.recent_events)
    yield from (len(memory.content) for memory in (*ground.recent_memories, *ground.pinned))


def _task_length(task: TaskDraft) -> int:
    texts = (task.title, task.details, task.goal, task.plan_step, *task.constraints)
    return sum(map(len, texts))


def _decision_length(decision: DecisionDraft) -> int:
    said = (decision.rationale, decision.constraints, decision.alternatives, decision.consequences)
    return len(decision.decision) + sum(len(text) for texts in said for text in texts)


def _event_length(content: EventContent) -> int:
    match content:
        case TextContent(text):
            return len(text)
        case ToolResultContent():
            return len(content.excerpt_text)
        case _:
            return JSON_BYTES
