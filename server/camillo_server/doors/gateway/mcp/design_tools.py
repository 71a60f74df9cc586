"""Tools of agent designs in use, by what the contract has for each."""

from typing import Any

from camillo.v1.actor_pb2 import Actor
from camillo.v1.artifact_pb2 import NewArtifact
from camillo.v1.artifact_service_pb2 import OffloadOutputRequest
from camillo.v1.event_pb2 import LinesHeld, NewEvent, ToolCall, ToolResult
from camillo.v1.event_service_pb2 import RecordEventRequest
from camillo.v1.memory_pb2 import MemoryFilter, ScoringProfile, Source
from camillo.v1.memory_service_pb2 import RecallRequest
from camillo.v1.snapshot_service_pb2 import BuildBundleRequest

from camillo_server.doors.gateway.design_requests import SENSITIVITIES
from camillo_server.doors.gateway.mcp.arguments import enum_value
from camillo_server.doors.gateway.mcp.calls import MemoryCalls
from camillo_server.doors.gateway.mcp.context_tools import bundle_answer
from camillo_server.doors.gateway.mcp.memory_tools import RECALL_TOKENS, found, redacted
from camillo_server.doors.gateway.mcp.read_tools import artifact_page, page_or_first
from camillo_server.doors.gateway.mcp.rendering import FENCE_TOKENS, budget
from camillo_server.doors.gateway.mcp.tool import Arguments, ToolAnswer, ToolRefused
from camillo_server.lib.text.memory_ref import artifact_id_of

ACTOR_TYPES = ("human", "agent", "tool", "system")
BUNDLE_TOKENS = 32_000
FOUND_OUTPUTS = 10
FOUR_SOURCES = (
    Source.SOURCE_MEMORY,
    Source.SOURCE_AUDIT,
    Source.SOURCE_WORKFLOW_STEP,
    Source.SOURCE_DOCUMENT,
)


async def store_memory(calls: MemoryCalls, arguments: Arguments) -> ToolAnswer:
    """Stores an output whole, however short it is."""
    artifact = NewArtifact(description=arguments["description"])
    if kind := arguments.get("type", ""):
        artifact.tags.append(kind)
    request = OffloadOutputRequest(output=arguments["content"].encode(), artifact=artifact, threshold_tokens=1)
    answer = await calls.call(request)
    stored = answer.artifact
    if not stored.artifact_id:
        raise ToolRefused("TOO_SHORT", "keep so short a text in the context itself")
    structured = {"memory_key": stored.artifact_id, "memory_ref": stored.memory_ref}
    return ToolAnswer(stored.memory_ref + redacted(answer.field_redactions), structured)


async def retrieve_memory(calls: MemoryCalls, arguments: Arguments) -> ToolAnswer:
    """A page of what was stored."""
    key = artifact_id_of(arguments["memory_key"].strip())
    return await artifact_page(calls, key, page_or_first(arguments))


async def get_artifact(calls: MemoryCalls, arguments: Arguments) -> ToolAnswer:
    """Reads an artifact by the name that another design has for this tool."""
    key = artifact_id_of(arguments["artifact_id"].strip())
    return await artifact_page(calls, key, page_or_first(arguments))


async def search_memory(calls: MemoryCalls, arguments: Arguments) -> ToolAnswer:
    """Summaries of stored outputs, and memories."""
    request = RecallRequest(
        text=arguments["query"],
        sources=[Source.SOURCE_ARTIFACT, Source.SOURCE_MEMORY],
        filter=MemoryFilter(session_id=arguments.get("thread_id", "")),
        limit=FOUND_OUTPUTS,
    )
    return await found(calls, request, RECALL_TOKENS)


async def search_my_memories(calls: MemoryCalls, arguments: Arguments) -> ToolAnswer:
    """Four sources at once, by similarity, recency, importance and how far a source is relied on."""
    request = RecallRequest(
        text=arguments["query"],
        sources=FOUR_SOURCES,
        profile=ScoringProfile(name="blended"),
        limit=max(1, min(int(arguments.get("limit", 5)), 50)),
    )
    return await found(calls, request, RECALL_TOKENS)


async def record_event(calls: MemoryCalls, arguments: Arguments) -> ToolAnswer:
    """Appends an event as it is described."""
    content, actor = arguments["content"], arguments["actor"]
    level = arguments.get("sensitivity", "unspecified")
    event = NewEvent(
        session_id=arguments["session_id"],
        actor=_actor(actor),
        channel=_channel(arguments),
        kind=f"EVENT_KIND_{arguments.get('kind', 'unspecified').upper()}",
        sensitivity=SENSITIVITIES.get(level) or f"SENSITIVITY_{level.upper()}",  # type: ignore[arg-type]
        tags=arguments.get("tags", ()),
        refs=arguments.get("refs", ()),
    )
    _set_content(event, arguments.get("kind", "message"), content)
    recorded = (await calls.call(RecordEventRequest(event=event))).recorded
    structured: dict[str, Any] = {
        "event_id": recorded.event_id,
        "chunk_ids": list(recorded.chunk_ids),
        "created_at": recorded.recorded_at.ToJsonString(),
    }
    if recorded.artifact_id:
        structured["artifact_id"] = recorded.artifact_id
    return ToolAnswer(f"recorded as {recorded.event_id}{redacted(recorded.redactions)}", structured)


async def build_acb(calls: MemoryCalls, arguments: Arguments) -> ToolAnswer:
    """The active context bundle as a prompt."""
    request = BuildBundleRequest(
        session_id=arguments.get("session_id", ""),
        channel=_channel(arguments),
        intent=arguments.get("intent", ""),
        query_text=arguments["query_text"],
        max_tokens=budget(arguments, BUNDLE_TOKENS, 1_000_000) - FENCE_TOKENS,
    )
    bundle = (await calls.call(request)).bundle
    answer = bundle_answer(bundle)
    structured = {"acb_id": bundle.bundle_id, "token_used_est": bundle.tokens}
    return ToolAnswer(answer.text, {**answer.structured, **structured})


def _actor(stated: Arguments) -> Actor:
    kind = enum_value(ACTOR_TYPES, str(stated.get("type", "")))
    name = str(stated.get("id", ""))
    if kind not in ACTOR_TYPES or not name:
        raise ToolRefused("INVALID_ARGUMENTS", "actor must be {type: human, agent, tool or system, id: a name}")
    return Actor(type=f"ACTOR_TYPE_{kind.upper()}", id=name)


def _channel(arguments: Arguments) -> str:
    return f"CHANNEL_{arguments.get('channel', 'unspecified').upper()}"


def _set_content(event: NewEvent, kind: str, content: Arguments) -> None:
    """Raises ToolRefused for a content of no known form."""
    tool = str(content.get("tool", ""))
    if kind == "tool_call" and tool:
        event.tool_call.CopyFrom(ToolCall(tool=tool, call_id=str(content.get("call_id", ""))))
        if isinstance(given := content.get("arguments"), dict):
            event.tool_call.arguments.update(given)
    elif kind == "tool_result" and tool:
        event.tool_result.CopyFrom(
            ToolResult(
                tool=tool,
                path=str(content.get("path", "")),
                excerpt_text=str(content.get("excerpt_text", content.get("text", ""))),
            )
        )
        match content.get("line_range"):
            case [int(first), int(last)]:
                event.tool_result.line_range.CopyFrom(LinesHeld(first=first, last=last))
    elif isinstance(content.get("text"), str):
        event.text = content["text"]
    elif content:
        event.json.update(content)
    else:
        raise ToolRefused("INVALID_ARGUMENTS", "content must be {text: …} or another object")
