"""The tools of the profiles `minimal` and `standard`. Every word here stands in the context of every conversation: few,
and each says when to call."""

from camillo_server.doors.gateway.mcp.tool import (
    ToolDefinition,
    choice,
    number,
    result,
    text,
    texts,
    yes_or_no,
)

MAX_TOKENS = number()
FOUND = result(text=text(), ids=texts())
ANY_JSON = {"type": ["object", "array", "string", "number", "boolean", "null"]}

REMEMBER = ToolDefinition(
    name="remember",
    title="Remember",
    description="Keep what later sessions need: preference, fact, decision, outcome, lesson. Call unasked as soon as "
    "you learn it. "
    "One statement each, up to 2000 characters.",
    arguments={
        "content": text(),
        "kind": choice("fact", "preference", "task_outcome", "decision", "error", "instruction"),
        "tags": texts(),
        "importance": number("0 to 1", "number"),
        "session": text(),
    },
    required=("content",),
    output=result(id=text()),
    answered_by="memory_tools:remember",
)
RECALL = ToolDefinition(
    name="recall",
    title="Recall",
    description="Search memory. Call before answering anything that earlier sessions may bear on.",
    arguments={
        "query": text(),
        "limit": number(),
        "tags": texts("any of"),
        "since": text("date"),
        "max_tokens": MAX_TOKENS,
    },
    required=("query",),
    output=FOUND,
    answered_by="memory_tools:recall",
    reads_only=True,
)
FORGET = ToolDefinition(
    name="forget",
    title="Forget",
    description="Erase memories for good. A dry run first shows what would go: repeat with its ids and dry_run false.",
    arguments={
        "ids": texts(),
        "query": text("to find ids, in a dry run"),
        "dry_run": yes_or_no(),
    },
    required=(),
    output=result(forgotten=number(), ids=texts()),
    answered_by="memory_tools:forget",
    destroys=True,
    is_idempotent=True,
)
CONTEXT = ToolDefinition(
    name="context",
    title="Context",
    description="All that memory has for a task: rules, tasks, decisions, evidence, recent turns. Call when a task "
    "begins.",
    arguments={"query": text("the task"), "session": text(), "max_tokens": MAX_TOKENS},
    required=("query",),
    output=result(text=text()),
    answered_by="context_tools:context",
    reads_only=True,
)
RECORD_EVENT = ToolDefinition(
    name="record_event",
    title="Record event",
    description="Append what was said, done or decided to the session; long tool output becomes a ref. "
    "kind decision also enters the ledger.",
    arguments={
        "content": text(),
        "kind": choice("message", "tool_result", "decision", "task_update"),
        "actor": choice("user", "assistant", "tool"),
        "session": text(),
    },
    required=("content",),
    output=result(id=text()),
    answered_by="context_tools:record_event",
)
READ = ToolDefinition(
    name="read",
    title="Read",
    description="Read what a [MemoryRef: …], an id or a slot key stands for; of a ref also lines, matches, pages.",
    arguments={
        "ref": text(),
        "lines": text("10-40"),
        "grep": text("regex"),
        "page": text("next of the answer before"),
        "max_tokens": MAX_TOKENS,
    },
    required=("ref",),
    output=result(text=text(), next=text()),
    answered_by="read_tools:read",
    reads_only=True,
)
DECISIONS = ToolDefinition(
    name="decisions",
    title="Decisions",
    description="Decisions in force, with reasons. Call before you decide or reopen something.",
    arguments={"query": text(), "max_tokens": MAX_TOKENS},
    required=("query",),
    output=FOUND,
    answered_by="context_tools:decisions",
    reads_only=True,
)
SET_MEMORY = ToolDefinition(
    name="set_memory",
    title="Set memory",
    description="Set JSON under a key such as /user/style; the last write counts, null removes.",
    arguments={
        "key": text(),
        "json_content": ANY_JSON,
        "source": {"type": ["object", "string"], "description": "who said so, or {kind, name}"},
    },
    required=("key", "json_content", "source"),
    output=result(version=number()),
    answered_by="memory_tools:set_memory",
    destroys=True,
    is_idempotent=True,
)
MINIMAL = (REMEMBER, RECALL, FORGET)
STANDARD = (*MINIMAL, CONTEXT, RECORD_EVENT, READ, DECISIONS, SET_MEMORY)
