"""Refuses secrets in texts that name things: ids, names, descriptions, recipes. With a placeholder, they would name
something else. In requests that write, every text is searched that is not listed below as redacted or only compared."""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from camillo.v1 import options_pb2 as options
from google.protobuf.message import Message

from camillo_server.redaction.detector import SecretDetector
from camillo_server.redaction.rules import VAGUE
from camillo_server.rpc.validate import Checks
from camillo_server.rpc.value_limits import LIMIT

# By message: fields from which the use case takes secrets out, and reports them.
REDACTED: Mapping[str, frozenset[str]] = {
    name: frozenset(fields.split())
    for name, fields in {
        "NewMemory": "content session_id tags source_refs",
        "Memory": "content session_id tags source_refs",
        "NewArtifact": "name description media_type tool command session_id tags source_refs",
        "NewEvent": "session_id tags text",
        "Actor": "id",
        "ToolCall": "tool call_id",
        "ToolResult": "tool call_id path excerpt_text",
        "WorkflowStep": "workflow run step output",
        "NewDecision": "decision rationale constraints alternatives consequences session_id tags",
        "SetMemoryRequest": "json_content",
        "NewSlot": "json_content",
        "SlotSource": "text",
        "SlotProvenance": "name",
        "NewAuditAction": "action message session_id",
        "NewDocument": "title media_type tags source_url",
        "NewTask": "title details goal plan_step constraints session_id tags",
        "View": "text",
        "HandoffPacket": "goal plan_step note constraints",
        "StartRunRequest": "focus session_id",
        "Trigger": "type",
        "FunctionCall": "name result",
        "RunStep": "llm_response",
        "InjectInstructionRequest": "instruction",
    }.items()
}
# Messages that are only compared with stored records: who forgets a secret has to name it.
COMPARED_MESSAGES = frozenset(
    {"MemoryFilter", "LifecycleSelector", "CompactionCriteria", "RecordIds"}
)
# Fields that are only compared, too. Refs name what exists, or are refused.
COMPARED = frozenset(
    {
        "LiftValueBlocksRequest.content",
        "DeleteAgentRequest.agent_id",
        "NewEvent.refs",
        "NewDecision.refs",
        "NewTask.refs",
    }
)
# Their requests only name what is there already.
REMOVES = ("Forget", "Delete", "Revoke", "Reset")
UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
# Opaque texts of ours, which are not stored.
TOKENS = frozenset({"plan_token"})


def refuse_secrets(message: Message, checks: Checks, path: str = "") -> None:
    """Adds a violation for each field with a secret. A text that only resembles a service's key may be a name."""
    for field, text, is_name in _texts(message, path):
        if is_name and UUID.fullmatch(text):
            # Most ids of requests are UUIDs; searching one for secrets takes 10 microseconds.
            continue
        found = _detector().find(text.encode())
        if any(not is_name or secret.kind != VAGUE for secret in found):
            checks.fail(field, "must not contain a secret")


@cache
def _detector() -> SecretDetector:
    return SecretDetector()


def _texts(message: Message, path: str) -> Iterator[tuple[str, str, bool]]:
    """The path and the text of each field to look at, and whether it is a name."""
    looked_at = _looked_at(message.DESCRIPTOR)
    for field, value in message.ListFields():
        is_name = looked_at.get(field.name)
        if is_name is None:
            continue
        for number, each in enumerate(value if field.is_repeated else (value,)):
            at = f"{path}{field.name}[{number}]" if field.is_repeated else f"{path}{field.name}"
            if field.message_type:
                yield from _texts(each, f"{at}.")
            else:
                yield at, each, is_name


@cache
def _looked_at(message_type: Any) -> Mapping[str, bool]:
    """The texts and messages to look at by their names: whether it is a name of something."""
    return {
        field.name: bool(limit.form) or field.name.endswith("id")
        for field in message_type.fields
        if _is_looked_at(message_type.name, field, limit := field.GetOptions().Extensions[LIMIT])
    }


def _is_looked_at(message: str, field: Any, limit: options.Limit) -> bool:
    if field.message_type:
        described = field.message_type
        is_ours = described.full_name.startswith("camillo.")
        return is_ours and described.name not in COMPARED_MESSAGES and bool(_looked_at(described))
    if field.type != field.TYPE_STRING or limit.form == options.FORM_UUID:
        return False
    if message.startswith(REMOVES) and field.name not in ("request_id", "agent_id"):
        return False
    known = field.name in REDACTED.get(message, ()) or f"{message}.{field.name}" in COMPARED
    return not (known or field.name in TOKENS)
