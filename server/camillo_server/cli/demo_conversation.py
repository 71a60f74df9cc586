"""A conversation of a few events for the demo, and the context for its next turn."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from camillo.v1.context_pb2 import Bundle
    from camillo.v1.event_pb2 import NewEvent
    from camillo.v1.memory_service_pb2 import RecallResponse
    from camillo_client import Camillo

SESSION = "demo"
WISH = "Remember: answer in one sentence, and say where you have it from."
# Little enough that something has to be left out.
MAX_TOKENS = 2_000


def record_conversation(camillo: Camillo, question: str, answer: RecallResponse) -> int:
    """Records a wish, the question and what was found for it, unless an earlier run did; tells how many events."""
    if any(True for _ in islice(camillo.events.list(session_id=SESSION, page_size=1), 1)):
        return 0
    events = _events(question, answer)
    camillo.events.record_many(events)
    return len(events)


def next_context(camillo: Camillo, question: str) -> Bundle:
    """What a model would be given to answer with."""
    return camillo.context.bundle(question, session_id=SESSION, max_tokens=MAX_TOKENS)


def _events(question: str, answer: RecallResponse) -> list[NewEvent]:
    from camillo_client import new_event, tool_call, tool_result

    events = [
        new_event(WISH, session_id=SESSION, actor="human:visitor"),
        new_event(question, session_id=SESSION, actor="human:visitor"),
        new_event(
            session_id=SESSION,
            actor="agent:demo",
            tool_call=tool_call("recall", {"query": question}, call_id="1"),
        ),
    ]
    found = answer.hits[0].memory if answer.hits else None
    if found is not None:
        result = new_event(
            session_id=SESSION,
            actor="tool:recall",
            tool_result=tool_result("recall", found.content, call_id="1"),
            refs=[found.memory_id],
        )
        events.append(result)
    return events
