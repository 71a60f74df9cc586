"""Trajectories of SWE-agent: its history, or else the steps, as messages of a chat API."""

from collections.abc import Iterator

from camillo_server.conversations.blocks import text_of
from camillo_server.conversations.conversation import LOOKED_AT, Conversation
from camillo_server.conversations.event import Record

SHELL = "shell"


def is_trajectory(document: object) -> bool:
    """Whether a document is such a trajectory."""
    return isinstance(document, dict) and (
        _holds(document.get("history"), {"agent", "action", "message_type"})
        or _holds(document.get("trajectory"), {"action", "observation"})
    )


def trajectory(document: Record) -> Conversation:
    """The one conversation of a trajectory; the history comes first, as only it has what the agent was asked."""
    if _holds(document.get("history"), {"role"}):
        return Conversation(_history(document["history"], _last_observation(document)))
    return Conversation(_steps(document["trajectory"]))


def _holds(found: object, keys: set[str]) -> bool:
    return isinstance(found, list) and any(
        isinstance(each, dict) and keys & each.keys() for each in found[:LOOKED_AT]
    )


def _last_observation(document: Record) -> str:
    """What the last command printed: the history ends with the command, mostly the one that submits."""
    steps = document.get("trajectory")
    last = steps[-1] if isinstance(steps, list) and steps else None
    return text_of(last.get("observation")) if isinstance(last, dict) else ""


def _history(history: list[object], last_observation: str) -> Iterator[tuple[str, object]]:
    """What a user says behind an action is what the action's command printed."""
    pending = ""
    for index, message in enumerate(history):
        position = f"history[{index}]"
        if not isinstance(message, dict):
            yield position, message
            continue
        role, action = message.get("role"), message.get("action")
        if role == "assistant" and isinstance(action, str) and not message.get("tool_calls"):
            pending = f"step-{index}"
            yield position, _action(message, pending)
        elif role == "user" and pending and not message.get("is_demo"):
            yield position, _observation(message.get("content"), pending)
            pending = ""
        else:
            yield position, _thought_alone(message)
    if pending and last_observation.strip():
        yield "trajectory[-1]", _observation(last_observation, pending)


def _steps(steps: list[object]) -> Iterator[tuple[str, object]]:
    for index, step in enumerate(steps):
        position = f"trajectory[{index}]"
        if not isinstance(step, dict):
            yield position, step
            continue
        if step.get("action"):
            yield position, _action(step, f"step-{index}")
            yield position, _observation(step.get("observation"), f"step-{index}")
        else:
            yield position, {"role": "assistant", "content": step.get("response")}


def _action(step: Record, call_id: str) -> Record:
    call = {"id": call_id, "name": SHELL, "arguments": {"command": step["action"]}}
    return {"role": "assistant", "content": step.get("thought"), "tool_calls": [call]}


def _observation(content: object, call_id: str) -> Record:
    return {"role": "tool", "tool_call_id": call_id, "content": text_of(content)}


def _thought_alone(message: Record) -> Record:
    """Without the thought and the action beside the content and the calls that hold them already."""
    return {name: value for name, value in message.items() if name not in ("thought", "action")}
