"""Tools by the names and arguments that agent designs in use have for them, for agents whose prompts are written for
these names."""

from camillo_server.doors.gateway.mcp.standard_tools import FOUND, MAX_TOKENS, SET_MEMORY
from camillo_server.doors.gateway.mcp.tool import (
    ToolDefinition,
    choice,
    number,
    result,
    text,
    texts,
)

CHANNEL = choice("public", "private", "team", "agent")

STORE_MEMORY = ToolDefinition(
    name="store_memory",
    title="Store memory",
    description="Store a long output; put the returned memory_ref into the context in its place.",
    arguments={"content": text(), "description": text(), "type": text()},
    required=("content", "description"),
    output=result(memory_key=text(), memory_ref=text()),
    answered_by="design_tools:store_memory",
)
RETRIEVE_MEMORY = ToolDefinition(
    name="retrieve_memory",
    title="Retrieve memory",
    description="Read what a [MemoryRef: …] or its key stands for, page by page.",
    arguments={"memory_key": text(), "page": text("next of the answer before")},
    required=("memory_key",),
    output=result(text=text(), next=text()),
    answered_by="design_tools:retrieve_memory",
    reads_only=True,
)
SEARCH_MEMORY = ToolDefinition(
    name="search_memory",
    title="Search memory",
    description="Find stored outputs and memories: summaries and keys.",
    arguments={"query": text(), "thread_id": text()},
    required=("query",),
    output=FOUND,
    answered_by="design_tools:search_memory",
    reads_only=True,
)
SEARCH_MY_MEMORIES = ToolDefinition(
    name="search_my_memories",
    title="Search my memories",
    description="Search memories, audit log, workflow steps and documents at once.",
    arguments={"query": text(), "limit": number()},
    required=("query",),
    output=FOUND,
    answered_by="design_tools:search_my_memories",
    reads_only=True,
)
RECORD_EVENT = ToolDefinition(
    name="memory.record_event",
    title="Record event",
    description="Append an event: something said, a tool's call or result, a decision.",
    arguments={
        "session_id": text(),
        "channel": CHANNEL,
        "actor": {"type": "object", "description": "{type: human|agent|tool|system, id}"},
        "kind": choice("message", "tool_call", "tool_result", "decision", "task_update"),
        "sensitivity": choice("none", "low", "high", "public", "internal", "confidential"),
        "tags": texts(),
        "content": {"type": "object", "description": "{text}, or {tool, path, excerpt_text}"},
        "refs": texts(),
    },
    required=("session_id", "actor", "content"),
    output=result(event_id=text(), chunk_ids=texts()),
    answered_by="design_tools:record_event",
)
BUILD_ACB = ToolDefinition(
    name="memory.build_acb",
    title="Build context bundle",
    description="Build the active context bundle for the next call of a model.",
    arguments={
        "session_id": text(),
        "channel": CHANNEL,
        "intent": text(),
        "query_text": text(),
        "max_tokens": MAX_TOKENS,
    },
    required=("query_text",),
    output=result(text=text(), acb_id=text()),
    answered_by="design_tools:build_acb",
    reads_only=True,
)
GET_ARTIFACT = ToolDefinition(
    name="memory.get_artifact",
    title="Get artifact",
    description="Read an artifact, page by page.",
    arguments={"artifact_id": text(), "page": text("next of the answer before")},
    required=("artifact_id",),
    output=result(text=text(), next=text()),
    answered_by="design_tools:get_artifact",
    reads_only=True,
)
QUERY_DECISIONS = ToolDefinition(
    name="memory.query_decisions",
    title="Query decisions",
    description="Find decisions in force, with their reasons and refs.",
    arguments={"query": text(), "max_tokens": MAX_TOKENS},
    required=("query",),
    output=FOUND,
    answered_by="context_tools:decisions",
    reads_only=True,
)
DESIGNS = (
    STORE_MEMORY,
    RETRIEVE_MEMORY,
    SEARCH_MEMORY,
    SEARCH_MY_MEMORIES,
    SET_MEMORY,
    RECORD_EVENT,
    BUILD_ACB,
    GET_ARTIFACT,
    QUERY_DECISIONS,
)
