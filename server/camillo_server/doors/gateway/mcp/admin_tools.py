"""Administrative reads."""

from camillo.v1.admin_service_pb2 import GetQuotasRequest, WhoAmIRequest
from camillo.v1.lifecycle_service_pb2 import GetUsageRequest
from camillo.v1.spool_pb2 import SpoolState
from camillo.v1.spool_service_pb2 import ListSpooledRequest
from camillo_formats.fences import fenced
from google.protobuf import json_format
from google.protobuf.message import Message

from camillo_server.doors.gateway.mcp.calls import MemoryCalls
from camillo_server.doors.gateway.mcp.tool import Arguments, ToolAnswer


async def server_info(calls: MemoryCalls, arguments: Arguments) -> ToolAnswer:
    """The caller and the server."""
    return _json(await calls.call(WhoAmIRequest()))


async def usage(calls: MemoryCalls, arguments: Arguments) -> ToolAnswer:
    """Reports what is stored, and the quotas."""
    stored = await calls.call(GetUsageRequest(all_scopes=arguments.get("all_scopes", False)))
    return _json(stored, await calls.call(GetQuotasRequest()))


async def spool_failures(calls: MemoryCalls, arguments: Arguments) -> ToolAnswer:
    """Lists failed writes, which stay in the spool. Their contents stand in a fence."""
    answer = await calls.call(ListSpooledRequest(state=SpoolState.SPOOL_STATE_FAILED))
    if not answer.writes:
        return ToolAnswer("no spooled write has failed", {"text": "no spooled write has failed"})
    return _json(answer)


def _json(*messages: Message) -> ToolAnswer:
    shown = [json_format.MessageToJson(each, ensure_ascii=False, preserving_proto_field_name=True) for each in messages]
    text = fenced("\n".join(shown))
    return ToolAnswer(text, {"text": text})
