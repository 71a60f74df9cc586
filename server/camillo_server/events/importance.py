"""How important an event is where its caller does not state it."""

from camillo_server.events.event import (
    ActorType,
    Event,
    EventKind,
    TextContent,
    ToolCallContent,
    ToolResultContent,
    WorkflowStatus,
    WorkflowStepContent,
    has_failed,
)
from camillo_server.text.importance import USUAL, text_importance

OF_A_DECISION = 0.9
OF_A_FAILURE = 0.7
OF_A_CALL = 0.3


def importance(event: Event) -> float:
    """0 to 1: that of the caller, else by how it ended, or what its text says. Only a person asks to remember: a page or a
    tool gives no instructions."""
    if event.importance is not None:
        return event.importance
    match event.content:
        case TextContent(text):
            found = text_importance(
                text, may_ask=event.actor.type is ActorType.HUMAN, actions=False
            )
        case ToolCallContent():
            found = OF_A_CALL
        case ToolResultContent() as result:
            found = OF_A_FAILURE if has_failed(result) else USUAL
        case WorkflowStepContent(status=WorkflowStatus.FAILED):
            found = OF_A_FAILURE
        case _:
            found = USUAL
    return max(found, OF_A_DECISION) if event.kind is EventKind.DECISION else found
