"""set_memory."""

import json
from typing import Any

from camillo.v1.slot_pb2 import SlotProvenance, SlotSource
from camillo.v1.slot_service_pb2 import SetMemoryRequest

from camillo_server.doors.gateway.mcp.arguments import moment
from camillo_server.doors.gateway.mcp.calls import MemoryCalls
from camillo_server.doors.gateway.mcp.memory_tools import redacted
from camillo_server.doors.gateway.mcp.tool import Arguments, ToolAnswer, ToolRefused

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
