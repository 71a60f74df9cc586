"""How important an event is where its caller does not state it."""

from camillo_server.features.events.event import (
    Event,
    TextContent,
    ToolCallContent,
    ToolResultContent,
    WorkflowStatus,
    WorkflowStepContent,
    has_failed,
)
from camillo_server.kernel.attribution import may_ask
from camillo_server.kernel.kinds import ActorType, EventKind
from camillo_server.lib.text.importance import USUAL, text_importance

OF_A_DECISION = 0.9
OF_A_FAILURE = 0.7
OF_A_CALL = 0.3


def importance(event: Event) -> float:
    """0 to 1: that of the caller, else by how it ended, or what its text says. Only a person for whom the
    credential speaks asks to remember: a page or a tool gives no instructions."""
    if event.importance is not None:
        return event.importance
    match event.content:
        case TextContent(text):
            is_person = event.actor.type is ActorType.HUMAN
            asks = is_person and may_ask(event.actor.trust_level, is_person=True)
            found = text_importance(text, may_ask=asks, actions=False)
        case ToolCallContent():
            found = OF_A_CALL
        case ToolResultContent() as result:
            found = OF_A_FAILURE if has_failed(result) else USUAL
        case WorkflowStepContent(status=WorkflowStatus.FAILED):
            found = OF_A_FAILURE
        case _:
            found = USUAL
    return max(found, OF_A_DECISION) if event.kind is EventKind.DECISION else found
