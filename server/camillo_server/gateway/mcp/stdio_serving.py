"""Lines of standard input, served by the MCP SDK. Importing it takes over a second: see `sdk_server`."""

from typing import Any

from mcp.server.stdio import stdio_server

from camillo_server.gateway.mcp.remote_calls import Connection, RemoteCalls
from camillo_server.gateway.mcp.sdk_server import sdk_server
from camillo_server.gateway.mcp.service import McpService


async def serve(lines: Any, profile: str, connection: Connection) -> None:
    """Until there are no more lines, in the era of the protocol that the first one opens."""
    server = sdk_server(McpService(RemoteCalls(connection), profile))
    # Both ends are of the same object: it leaves out answers to questions that it has answered itself.
    async with stdio_server(stdin=lines, stdout=lines) as (read, write):
        await server.run(read, write, server.create_initialization_options())
