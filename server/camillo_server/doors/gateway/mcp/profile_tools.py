"""Tools of single profiles: search and fetch, in the form that ChatGPT's connectors read, one text item that holds
JSON; and administrative reads."""

import json
from typing import Any

from camillo.v1.admin_service_pb2 import GetQuotasRequest, WhoAmIRequest
from camillo.v1.lifecycle_service_pb2 import GetUsageRequest
from camillo.v1.memory_service_pb2 import RecallRequest
from camillo.v1.spool_pb2 import SpoolState
from camillo.v1.spool_service_pb2 import ListSpooledRequest
from camillo_formats.fences import fenced
from camillo_formats.rendering import one_line, printable
from google.protobuf import json_format

from camillo_server.doors.gateway.mcp.calls import MemoryCalls
from camillo_server.doors.gateway.mcp.memory_tools import SOURCES, matching, read_beside
from camillo_server.doors.gateway.mcp.read_tools import artifact_page, first_page, is_record, whole_text
from camillo_server.doors.gateway.mcp.rendering import hit_entries, shortened
from camillo_server.doors.gateway.mcp.tool import Arguments, ToolAnswer, record_uri
from camillo_server.lib.text.memory_ref import artifact_id_of

MAX_RESULTS = 10
TITLE_CHARACTERS = 100
FETCH_TOKENS = 8_000


async def search(calls: MemoryCalls, arguments: Arguments) -> ToolAnswer:
    """Ids, titles and addresses of what was found."""
    request = RecallRequest(text=arguments["query"], sources=SOURCES, limit=MAX_RESULTS, include_shared=True)
    read_beside(calls, request)
    entries = hit_entries(matching(await calls.call(request)))
    return _result(
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
    return _result(id=ref, title=ref, text=text, url=record_uri(ref), metadata={})


def _result(**values: Any) -> ToolAnswer:
    return ToolAnswer(json.dumps(values, ensure_ascii=False))


async def server_info(calls: MemoryCalls, arguments: Arguments) -> ToolAnswer:
    """The caller and the server."""
    return await _as_json(await calls.call(WhoAmIRequest()))


async def usage(calls: MemoryCalls, arguments: Arguments) -> ToolAnswer:
    """Reports what is stored, and the quotas."""
    stored = await calls.call(GetUsageRequest(all_scopes=arguments.get("all_scopes", False)))
    return await _as_json(stored, await calls.call(GetQuotasRequest()))


async def spool_failures(calls: MemoryCalls, arguments: Arguments) -> ToolAnswer:
    """Lists failed writes, which stay in the spool. Their contents stand in a fence."""
    answer = await calls.call(ListSpooledRequest(state=SpoolState.SPOOL_STATE_FAILED))
    if not answer.writes:
        return ToolAnswer("no spooled write has failed", {"text": "no spooled write has failed"})
    return await _as_json(answer)


async def _as_json(*messages: Any) -> ToolAnswer:
    """The messages, cut where they are too long; of a list the first page, with a note that there are more."""
    has_more = any(getattr(each, "next_page_token", "") for each in messages)
    for each in messages:
        if hasattr(each, "next_page_token"):
            each.next_page_token = ""
    shown = [json_format.MessageToJson(each, ensure_ascii=False, preserving_proto_field_name=True) for each in messages]
    text = fenced(await shortened(printable("\n".join(shown)), FETCH_TOKENS))
    if has_more:
        text += "\nthere are more: the command line of the server lists them all"
    return ToolAnswer(text, {"text": text})
