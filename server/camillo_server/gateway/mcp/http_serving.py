"""One request of HTTP, served by the MCP SDK. Importing it takes over a second: see `sdk_server`."""

from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings

from camillo_server.gateway.exchange import Receive, Scope, Send
from camillo_server.gateway.mcp.sdk_server import sdk_server
from camillo_server.gateway.mcp.service import McpService
from camillo_server.server_settings import ServerSettings

# Hosts and origins are the guard's affair, before anything is served here.
SECURITY = TransportSecuritySettings(enable_dns_rebinding_protection=False)


async def serve(
    service: McpService, settings: ServerSettings, scope: Scope, receive: Receive, send: Send
) -> None:
    """Answers the request; what it has begun ends with it. Its manager is its own: so nothing has to outlive it."""
    manager = StreamableHTTPSessionManager(
        sdk_server(service),
        json_response=True,
        stateless=True,
        security_settings=SECURITY,
        max_request_body_size=settings.max_message_bytes,
    )
    async with manager.run():
        await manager.handle_request(scope, receive, send)
