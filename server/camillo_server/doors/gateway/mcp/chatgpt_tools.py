"""search and fetch, in the form that ChatGPT's connectors read: one text item that holds JSON."""

import json
from typing import Any

from camillo.v1.memory_service_pb2 import RecallRequest
from camillo_formats.fences import fenced
from camillo_formats.rendering import one_line, printable

from camillo_server.doors.gateway.mcp.calls import MemoryCalls
from camillo_server.doors.gateway.mcp.memory_tools import SOURCES, matching
from camillo_server.doors.gateway.mcp.read_tools import artifact_page, first_page, is_record, whole_text
from camillo_server.doors.gateway.mcp.rendering import hit_entries, shortened
from camillo_server.doors.gateway.mcp.tool import Arguments, ToolAnswer
from camillo_server.doors.gateway.mcp.uris import record_uri
from camillo_server.lib.text.memory_ref import artifact_id_of

MAX_RESULTS = 10
TITLE_CHARACTERS = 100
FETCH_TOKENS = 8_000


async def search(calls: MemoryCalls, arguments: Arguments) -> ToolAnswer:
    """Ids, titles and addresses of what was found."""
    request = RecallRequest(text=arguments["query"], sources=SOURCES, limit=MAX_RESULTS, include_shared=True)
    entries = hit_entries(matching(await calls.call(request)))
    return _json(
        results=[
            {
                "id": each.ref,
                "title": one_line(each.text)[:TITLE_CHARACTERS],
                "url": record_uri(each.ref),
            }
            for each in entries
        ]
    )


async def fetch(calls: MemoryCalls, arguments: Arguments) -> ToolAnswer:
    """One record: its text stands in a fence."""
    ref = artifact_id_of(arguments["id"].strip())
    if is_record(ref):
        whole = await whole_text(calls, ref)
        text = fenced(await shortened(printable(whole), FETCH_TOKENS))
    else:
        text = (await artifact_page(calls, ref, first_page(FETCH_TOKENS))).text
    return _json(id=ref, title=ref, text=text, url=record_uri(ref), metadata={})


def _json(**values: Any) -> ToolAnswer:
    return ToolAnswer(json.dumps(values, ensure_ascii=False))
