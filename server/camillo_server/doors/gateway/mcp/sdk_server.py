"""A server of the MCP SDK around one caller's service, over HTTP or lines: the SDK speaks both eras of the protocol.
Importing it takes about a second, so only what answers a request imports this module."""

import logging
from collections.abc import Awaitable, MutableMapping
from functools import partial
from typing import Any

import mcp_types as types
from mcp.server import Server
from mcp.server.caching import CacheHint
from mcp.server.stdio import stdio_server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from mcp.shared.exceptions import MCPError

from camillo_server.doors.gateway.exchange import Receive, Scope, Send
from camillo_server.doors.gateway.json_bounds import MESSAGE_BOUNDS
from camillo_server.doors.gateway.mcp import offers, subscriptions
from camillo_server.doors.gateway.mcp.calls import MemoryCallFailed, failure_line
from camillo_server.doors.gateway.mcp.json_rpc import INTERNAL, Refused
from camillo_server.doors.gateway.mcp.service import UNAVAILABLE, McpService

# Hosts and origins are the guard's affair, before anything is served here.
SECURITY = TransportSecuritySettings(enable_dns_rebinding_protection=False)
# Lists change with the version of this server alone.
LIST_HINT = CacheHint(ttl_ms=3_600_000)
# Each request has a manager of sessions of its own, whose beginning and end are no news.
logging.getLogger("mcp").setLevel(logging.WARNING)

LOG = logging.getLogger(__name__)

Result = dict[str, Any]


class LenientToolCall(types.CallToolRequestParams):
    """A call with arguments in whatever form clients send them: `read_arguments` says what is wrong."""

    arguments: Any = None


def sdk_server(service: McpService) -> Server[Any]:
    """It keeps nothing between requests."""
    profile = service.profile
    server: Server[Any] = Server(
        offers.NAME,
        version=offers.server_version(),
        title=offers.TITLE,
        instructions=offers.instructions(profile),
        cache_hints={
            "tools/list": LIST_HINT,
            "prompts/list": LIST_HINT,
            "resources/templates/list": LIST_HINT,
            "resources/list": CacheHint(),
            "resources/read": CacheHint(),
        },
        get_tool_input_schema=partial(offers.input_schema, profile),
    )

    async def list_tools(_: Any, params: types.PaginatedRequestParams) -> Result:
        return _complete(offers.tools_listed(profile))

    async def call_tool(_: Any, params: LenientToolCall) -> Result:
        return await _result(service.call_tool(params.name, params.arguments))

    async def list_resources(_: Any, params: types.PaginatedRequestParams) -> Result:
        return await _result(service.list_resources())

    async def list_templates(_: Any, params: types.PaginatedRequestParams) -> Result:
        return _complete(offers.templates_listed())

    async def read_resource(_: Any, params: types.ReadResourceRequestParams) -> Result:
        return await _result(service.read_resource(str(params.uri)))

    async def list_prompts(_: Any, params: types.PaginatedRequestParams) -> Result:
        return _complete(offers.prompts_listed())

    async def get_prompt(_: Any, params: types.GetPromptRequestParams) -> Result:
        return await _result(service.get_prompt(params.name, params.arguments))

    async def listen(context: Any, params: types.SubscriptionsListenRequestParams) -> Any:
        try:
            return await subscriptions.listen(service.calls, context, params)
        except MemoryCallFailed as error:
            raise MCPError(UNAVAILABLE, failure_line(error)) from None

    server.add_request_handler("tools/list", types.PaginatedRequestParams, list_tools)
    server.add_request_handler("tools/call", LenientToolCall, call_tool)
    server.add_request_handler("resources/list", types.PaginatedRequestParams, list_resources)
    server.add_request_handler("resources/templates/list", types.PaginatedRequestParams, list_templates)
    server.add_request_handler("resources/read", types.ReadResourceRequestParams, read_resource)
    server.add_request_handler("prompts/list", types.PaginatedRequestParams, list_prompts)
    server.add_request_handler("prompts/get", types.GetPromptRequestParams, get_prompt)
    server.add_request_handler("subscriptions/listen", types.SubscriptionsListenRequestParams, listen)
    return server


async def serve_request(service: McpService, body: bytes, scope: Scope, receive: Receive, send: Send) -> None:
    """Answers one request of HTTP, whose body was received; what it has begun ends with it. Its manager is its own: so
    nothing has to outlive it."""
    parts = [{"type": "http.request", "body": body, "more_body": False}]

    async def received() -> MutableMapping[str, Any]:
        return parts.pop() if parts else await receive()

    manager = StreamableHTTPSessionManager(
        sdk_server(service),
        json_response=True,
        stateless=True,
        security_settings=SECURITY,
        # The length that the caller stated: that of the arguments, too.
        max_request_body_size=MESSAGE_BOUNDS.max_bytes,
    )
    async with manager.run():
        await manager.handle_request(scope, received, send)


async def serve_lines(service: McpService, lines: Any) -> None:
    """Serves until there are no more lines, in the era of the protocol that the first line opens."""
    server = sdk_server(service)
    # Both ends are of the same object: it leaves out answers to questions that it has answered itself.
    async with stdio_server(stdin=lines, stdout=lines) as (read, write):
        await server.run(read, write, server.create_initialization_options())


async def _result(answer: Awaitable[Result]) -> Result:
    """Raises MCPError."""
    try:
        return _complete(await answer)
    except Refused as error:
        raise MCPError(error.code, error.message) from None
    except Exception:
        # The SDK would send what the exception says to clients of the handshake.
        LOG.exception("a request of MCP failed")
        raise MCPError(types.INTERNAL_ERROR, INTERNAL) from None


def _complete(answer: Result) -> Result:
    # Part of the protocol since 2026-07-28; the SDK leaves it out for earlier versions.
    return {"resultType": "complete", **answer}
