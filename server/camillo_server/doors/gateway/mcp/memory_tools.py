"""remember, recall, forget, set_memory."""

import json
from collections.abc import Iterable, Sequence
from typing import Any

from camillo.v1.memory_pb2 import (
    DegradedReason,
    MemoryFilter,
    NewMemory,
    RecallHit,
    Redaction,
    Source,
)
from camillo.v1.memory_service_pb2 import (
    ForgetMemoriesRequest,
    GetMemoryRequest,
    MemoryIds,
    RecallRequest,
    RecallResponse,
    RememberRequest,
)
from camillo.v1.slot_pb2 import SlotProvenance, SlotSource
from camillo.v1.slot_service_pb2 import SetMemoryRequest
from camillo_formats.fences import fenced
from camillo_formats.rendering import item
from camillo_formats.space_routing import space_of

from camillo_server.doors.gateway.mcp.arguments import moment
from camillo_server.doors.gateway.mcp.calls import MemoryCallFailed, MemoryCalls
from camillo_server.doors.gateway.mcp.rendering import budget, hit_entries, packed
from camillo_server.doors.gateway.mcp.tool import Arguments, ToolAnswer, ToolRefused
from camillo_server.kernel.scope import SHARED

RECALL_TOKENS = 2_000
MAX_HITS = 50
FORGET_HITS = 10
MAX_FORGOTTEN = 100
# Everything an agent stores by these tools, and what its tenant publishes.
SOURCES = (
    Source.SOURCE_MEMORY,
    Source.SOURCE_SLOT,
    Source.SOURCE_DECISION,
    Source.SOURCE_EVENT,
    Source.SOURCE_DOCUMENT,
)
NOTHING = "nothing is remembered about that"


async def remember(calls: MemoryCalls, arguments: Arguments) -> ToolAnswer:
    """Stores one memory."""
    kind = arguments.get("kind", "fact")
    memory = NewMemory(
        content=arguments["content"],
        session_id=arguments.get("session", ""),
        tags=arguments.get("tags", ()),
        kind=f"MEMORY_KIND_{kind.upper()}",
    )
    if "importance" in arguments:
        memory.importance = arguments["importance"]
    routed = space_of(kind, calls.person)
    answer = await calls.call(RememberRequest(memory=memory, agent_id=routed))
    stored = answer.memory.memory_id
    text = f"remembered as {stored}" if stored else "kept, to be stored when the database is back"
    structured = {"id": stored, "revision": answer.revision.token}
    if calls.person and (space := answer.memory.agent_id or routed):
        structured["space"] = space
        text += f", kept in {space}"
    return ToolAnswer(text + redacted(answer.redactions), structured)


async def recall(calls: MemoryCalls, arguments: Arguments) -> ToolAnswer:
    """Finds what answers the query best, and shows it in a fence."""
    max_tokens = budget(arguments, RECALL_TOKENS)
    filter_ = MemoryFilter(tags_any=arguments.get("tags", ()))
    if "since" in arguments:
        filter_.occurred_from.CopyFrom(moment("since", arguments["since"]))
    request = RecallRequest(
        text=arguments["query"],
        sources=SOURCES,
        filter=filter_,
        limit=max(1, min(int(arguments.get("limit", 5)), MAX_HITS)),
        include_shared=True,
    )
    return await found(calls, request, max_tokens)


async def found(calls: MemoryCalls, request: RecallRequest, max_tokens: int) -> ToolAnswer:
    """The hits of a recall."""
    read_beside(calls, request)
    answer = await calls.call(request)
    more = incomplete(answer.degraded)
    return await packed(hit_entries(matching(answer)), max_tokens, NOTHING, more)


def read_beside(calls: MemoryCalls, request: Any) -> None:
    """Has a request read what the person wants everywhere, too. The shared space is no space beside others: requests
    have a field of its own."""
    if calls.person and calls.person != SHARED:
        request.spaces.add(space=calls.person)


def matching(answer: RecallResponse) -> Sequence[RecallHit]:
    """The hits, unless the recall says that none of them is likely to answer: a model takes whatever it is given for an
    answer."""
    return () if answer.no_match else answer.hits


async def forget(calls: MemoryCalls, arguments: Arguments) -> ToolAnswer:
    """Shows what would be erased; erases only what is named by ids, and only where `dry_run` is false."""
    is_dry = arguments.get("dry_run", True)
    ids = list(dict.fromkeys(arguments.get("ids", ())))
    if len(ids) > MAX_FORGOTTEN:
        raise ToolRefused("TOO_MANY", f"erase at most {MAX_FORGOTTEN} at once")
    if is_dry:
        return await _would_forget(calls, ids, arguments.get("query", ""))
    if not ids:
        raise ToolRefused(
            "IDS_REQUIRED",
            "only memories named by ids are erased: find them with query and dry_run true first",
        )
    forgotten, gone = 0, list[str]()
    for agent_id in _spaces(calls):
        if left := [each for each in ids if each not in gone]:
            answer = await calls.call(ForgetMemoriesRequest(memory_ids=MemoryIds(ids=left), agent_id=agent_id))
            forgotten += answer.forgotten
            gone += answer.receipt.memory_ids
    text = f"erased {forgotten}: {', '.join(gone)}" if gone else "nothing was erased: no memory has such an id"
    return ToolAnswer(text, {"forgotten": forgotten, "ids": gone})


def _spaces(calls: MemoryCalls) -> Sequence[str]:
    """The spaces that `remember` may have stored a memory in; empty: the connection's own."""
    return ("", calls.person) if calls.person else ("",)


async def _would_forget(calls: MemoryCalls, ids: list[str], query: str) -> ToolAnswer:
    if bool(ids) == bool(query):
        raise ToolRefused("INVALID_ARGUMENTS", "give either ids or a query")
    if query:
        memories = [
            memory for agent_id in _spaces(calls) for memory in await _matching_memories(calls, query, agent_id)
        ]
    else:
        memories = [(await _existing(calls, each)) for each in ids]
    if not memories:
        return ToolAnswer("no memory matches", {"forgotten": 0, "ids": []})
    shown = fenced("\n".join(item(each.memory_id, each.content) for each in memories))
    text = f"dry run, nothing was erased. To erase, call forget with ids and dry_run false:\n{shown}"
    return ToolAnswer(text, {"forgotten": 0, "ids": [each.memory_id for each in memories]})


async def _matching_memories(calls: MemoryCalls, query: str, agent_id: str) -> Sequence[Any]:
    request = RecallRequest(text=query, sources=[Source.SOURCE_MEMORY], limit=FORGET_HITS, agent_id=agent_id)
    return [hit.memory for hit in matching(await calls.call(request))]


async def _existing(calls: MemoryCalls, memory_id: str) -> Any:
    for agent_id in _spaces(calls):
        try:
            return (await calls.call(GetMemoryRequest(memory_id=memory_id, agent_id=agent_id))).memory
        except MemoryCallFailed as error:
            if error.reason != "MEMORY_NOT_FOUND":
                raise
    raise ToolRefused("MEMORY_NOT_FOUND", f"{memory_id} is no memory of this agent")


def redacted(redactions: Iterable[Redaction]) -> str:
    """A note about secrets that were taken out; empty if there were none."""
    kinds = ", ".join(sorted({each.kind for each in redactions}))
    return f"; secrets were taken out first: {kinds}" if kinds else ""


def incomplete(degraded: Iterable[Any]) -> str:
    """A note about an answer that is less good than it could be; empty otherwise."""
    names = [DegradedReason.Name(each).removeprefix("DEGRADED_REASON_") for each in degraded]
    return f"this answer may be incomplete: {', '.join(names).lower()}" if names else ""


KINDS = ("user", "agent", "tool", "file", "web", "system")


async def set_memory(calls: MemoryCalls, arguments: Arguments) -> ToolAnswer:
    """Writes a slot, or a tombstone for null."""
    request = SetMemoryRequest(
        key=arguments["key"],
        json_content=json.dumps(arguments["json_content"], ensure_ascii=False),
        source=_source(arguments["source"]),
    )
    answer = await calls.call(request)
    slot = answer.slot
    done = "set" if arguments["json_content"] is not None else "removed"
    text = f"{done} {request.key}, version {slot.version}" if slot.version else f"kept {request.key}"
    return ToolAnswer(text + redacted(answer.redactions), {"version": slot.version})


def _source(stated: Any) -> SlotSource:
    if isinstance(stated, str):
        return SlotSource(text=stated)
    kind = str(stated.get("kind", ""))
    if kind not in KINDS:
        raise ToolRefused("INVALID_ARGUMENTS", f"source.kind must be one of {', '.join(KINDS)}")
    provenance = SlotProvenance(
        kind=f"PROVENANCE_KIND_{kind.upper()}",
        name=str(stated.get("name", "")),
    )
    if "retrieved_at" in stated:
        when = moment("source.retrieved_at", str(stated["retrieved_at"]))
        provenance.retrieved_at.CopyFrom(when)
    if isinstance(locator := stated.get("locator"), dict):
        provenance.locator.update(locator)
    return SlotSource(provenance=provenance)
