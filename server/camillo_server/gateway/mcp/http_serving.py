"""One request of HTTP, served by the MCP SDK. Importing it takes over a second: see `sdk_server`."""

from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings

from camillo_server.gateway.http_service import Receive, Scope, Send
from camillo_server.gateway.mcp.sdk_server import sdk_server
from camillo_server.gateway.mcp.service import McpService
from camillo_server.server_settings import ServerSettings

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")


async def serve(
    service: McpService, settings: ServerSettings, scope: Scope, receive: Receive, send: Send
) -> None:
    """Answers the request; what it has begun ends with it. Its manager is its own: so nothing has to outlive it."""
    manager = StreamableHTTPSessionManager(
        sdk_server(service),
        json_response=True,
        stateless=True,
        security_settings=_security(settings),
        max_request_body_size=settings.max_message_bytes,
    )
    async with manager.run():
        await manager.handle_request(scope, receive, send)


def _security(settings: ServerSettings) -> TransportSecuritySettings:
    """On loopback, a page of the web must not reach the port by a name of its own (DNS rebinding). Elsewhere only the operator knows
    under which names it is reached."""
    if not settings.is_loopback:
        return TransportSecuritySettings(enable_dns_rebinding_protection=False)
    hosts = [*LOOPBACK, settings.host]
    return TransportSecuritySettings(
        enable_dns_rebinding_protection=True,
        allowed_hosts=[each for host in hosts for each in (host, f"{host}:*")],
        allowed_origins=[
            f"{scheme}://{host}{port}"
            for scheme in ("http", "https")
            for host in hosts
            for port in ("", ":*")
        ],
    )
