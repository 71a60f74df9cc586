"""Entries of a transcript as events of the contract; long outputs become artifacts, recalled text is left out."""

import base64
import json
import math
import re
from collections.abc import Mapping
from datetime import datetime
from hashlib import sha256
from typing import Any

from camillo_cli.cutting import cut
from camillo_cli.hooks.endpoint import Endpoint
from camillo_cli.hooks.http_call import post
from camillo_cli.hooks.last_session import RULE_TAG
from camillo_cli.hooks.payload import clean
from camillo_cli.hooks.recorded import MAX_TEXT_CHARACTERS, RecordedEvents, message_text
from camillo_cli.hooks.rules import stated_rules
from camillo_cli.hooks.transcripts.entries import TranscriptEntry
from camillo_formats.fences import strip_fences

Event = dict[str, object]

OFFLOAD_SECONDS = 30.0
# Shorter than any text of so many tokens that the server would keep.
INLINE_CHARACTERS = 400
DEFAULT_OFFLOAD_TOKENS = 500
# Largest output that fits into a message to the server as base64.
MAX_OUTPUT_BYTES = 8 * 1024 * 1024
MAX_ARGUMENT_CHARACTERS = 4000
MAX_ARGUMENT_ITEMS = 200
# Below what an event takes, however it is written.
MAX_ARGUMENTS_CHARACTERS = 100_000
MAX_LEVELS = 12
MAX_EXACT_INTEGER = 2**53
TOOL_CHARACTERS = 128
ARTIFACT_TOOL_CHARACTERS = 64
COMMAND_CHARACTERS = 4000
# Memory's own tools, as the clients name those of an MCP server: what they store and recall is stored already.
OWN_TOOL = re.compile(r"(?:^|mcp_+)camillo[_.-]|\(camillo\b", re.IGNORECASE)
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z")


class TranscriptEvents:
    """Makes the events of one session. `tools`: the tools of calls by their ids, for results, which do not name
    them."""

    def __init__(self, client: str, session_id: str, endpoint: Endpoint, environ: Mapping[str, str]) -> None:
        self.endpoint = endpoint
        self.session_id = session_id
        self.tools: dict[str, str] = {}
        self.recorded = RecordedEvents()
        # How many the server has taken.
        self.sent = 0
        self.client = client
        self._commands: dict[str, str] = {}
        # `remember` keeps them at once; by default they are proposals, which the start of a session shows.
        self.are_rules_kept = environ.get("CAMILLO_HOOK_RULES", "").strip() == "remember"
        stated = environ.get("CAMILLO_HOOK_OFFLOAD_TOKENS", "").strip()
        self._offload_tokens = int(stated) if stated.isdecimal() else DEFAULT_OFFLOAD_TOKENS

    def request_id(self, *keys: str) -> str:
        """A request id that is the same for the same entries of a session, whoever sends them and when."""
        named = json.dumps([self.client, self.session_id, *keys])
        return f"hook-{sha256(named.encode()).hexdigest()[:40]}"

    def event(self, entry: TranscriptEntry) -> Event | None:
        """The event of an entry; None where nothing of it is to be recorded. Raises ServerAway and HttpRefused."""
        if entry.call_id and entry.kind == "call":
            self.tools[entry.call_id] = _name(entry.tool)
        content = None if self.recorded.take(entry) else self._content(entry)
        if content is None:
            return None
        event: Event = {"sessionId": self.session_id, "tags": [self.client], **content}
        if entry.kind == "user" and stated_rules(str(content["text"])):
            event["tags"] = [self.client, RULE_TAG]
        if _is_time(entry.occurred_at):
            event["occurredAt"] = entry.occurred_at
        return event

    def _content(self, entry: TranscriptEntry) -> Event | None:
        if entry.kind == "call":
            return self._call(entry)
        if entry.kind == "result":
            return self._result(entry)
        text = message_text(entry)
        if not text:
            return None
        if len(text) > MAX_TEXT_CHARACTERS:
            text = str(self._offloaded(text, entry, tool="", command="")["text"])
        return {"kind": "EVENT_KIND_MESSAGE", "actor": self._actor(entry), "text": text}

    def _actor(self, entry: TranscriptEntry) -> Event:
        if entry.kind == "user":
            return {"type": "ACTOR_TYPE_HUMAN", "id": "user"}
        return {"type": "ACTOR_TYPE_AGENT", "id": self.client}

    def _call(self, entry: TranscriptEntry) -> Event | None:
        tool = _name(entry.tool)
        if OWN_TOOL.search(tool):
            return None
        arguments = entry.arguments if isinstance(entry.arguments, dict) else {"input": entry.arguments}
        self._commands[entry.call_id] = _command(arguments)
        bounded = _bounded(arguments, MAX_LEVELS)
        written = json.dumps(bounded, ensure_ascii=False)
        if len(written) > MAX_ARGUMENTS_CHARACTERS:
            bounded = {"input": _bounded(written, MAX_LEVELS)}
        call = {"tool": tool, "callId": _call_id(entry), "arguments": bounded}
        return {"kind": "EVENT_KIND_TOOL_CALL", "actor": self._actor(entry), "toolCall": call}

    def _result(self, entry: TranscriptEntry) -> Event | None:
        tool = _name(entry.tool or self.tools.get(entry.call_id, ""))
        if OWN_TOOL.search(tool):
            return None
        # A page that a tool has read may hold a fence, too: what is in that one was not recalled.
        text = clean(strip_fences(entry.text, only_own=True))
        result: Event = {"tool": tool, "callId": _call_id(entry), "isError": entry.is_error}
        if len(text) <= INLINE_CHARACTERS:
            result["excerptText"] = text
        else:
            command = self._commands.get(entry.call_id, "")
            result |= _excerpt(self._offloaded(text, entry, tool=tool, command=command))
        actor = {"type": "ACTOR_TYPE_TOOL", "id": tool}
        return {"kind": "EVENT_KIND_TOOL_RESULT", "actor": actor, "toolResult": result}

    def _offloaded(self, text: str, entry: TranscriptEntry, *, tool: str, command: str) -> Event:
        output = text.encode()
        artifact: Event = {
            "tool": cut(tool, ARTIFACT_TOOL_CHARACTERS),
            "command": cut(command, COMMAND_CHARACTERS),
            "sessionId": self.session_id,
            "tags": [self.client],
        }
        if len(output) > MAX_OUTPUT_BYTES:
            artifact["description"] = f"the first {MAX_OUTPUT_BYTES:,} of {len(output):,} bytes"
            output = cut(text, len(output[:MAX_OUTPUT_BYTES].decode(errors="ignore"))).encode()
        request: Event = {
            "requestId": self.request_id("artifact", entry.key),
            "output": base64.b64encode(output).decode("ascii"),
            "artifact": artifact,
            "thresholdTokens": self._offload_tokens,
        }
        return self.offload(request)

    def offload(self, request: Event) -> Event:
        """The server's answer to an output. Raises ServerAway and HttpRefused."""
        return post(self.endpoint, "/v1/artifacts:offload", request, OFFLOAD_SECONDS)


def _excerpt(answer: Event) -> Event:
    """The fields of a result whose output the server has looked at: the whole of it, or its beginning and the
    artifact."""
    artifact = answer.get("artifact")
    if not isinstance(artifact, dict):
        return {"excerptText": answer.get("inline", "")}
    preview = answer.get("preview")
    head = preview.get("head", "") if isinstance(preview, dict) else ""
    return {"artifactId": artifact["artifactId"], "excerptText": head, "truncated": True}


def _name(tool: str) -> str:
    return cut(clean(tool).strip(), TOOL_CHARACTERS) or "tool"


def _call_id(entry: TranscriptEntry) -> str:
    return cut(clean(entry.call_id), TOOL_CHARACTERS)


def _command(arguments: dict[str, Any]) -> str:
    """The command of a shell, which tells the server how to sum up what it printed."""
    command = arguments.get("command", arguments.get("cmd"))
    if isinstance(command, list):
        command = " ".join(str(word) for word in command)
    return clean(command) if isinstance(command, str) else ""


def _bounded(value: Any, levels: int) -> Any:
    """Arguments as an event holds them: a file that is written whole is in the file, here is its beginning."""
    if isinstance(value, str):
        text = clean(strip_fences(value, only_own=True))
        if len(text) <= MAX_ARGUMENT_CHARACTERS:
            return text
        return f"{cut(text, MAX_ARGUMENT_CHARACTERS)}... ({len(text):,} characters)"
    if isinstance(value, (dict, list)) and levels == 0:
        return "..."
    if isinstance(value, dict):
        items = list(value.items())[:MAX_ARGUMENT_ITEMS]
        return {cut(clean(str(name)), TOOL_CHARACTERS): _bounded(each, levels - 1) for name, each in items}
    if isinstance(value, list):
        return [_bounded(each, levels - 1) for each in value[:MAX_ARGUMENT_ITEMS]]
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, float) and math.isfinite(value):
        return value
    is_exact = isinstance(value, int) and abs(value) <= MAX_EXACT_INTEGER
    return value if is_exact else str(value)[:TOOL_CHARACTERS]


def _is_time(stated: str) -> bool:
    if not TIME.fullmatch(stated):
        return False
    try:
        datetime.fromisoformat(stated[:19])
    except ValueError:
        return False
    return True
