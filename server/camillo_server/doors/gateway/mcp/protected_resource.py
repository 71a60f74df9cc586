"""Where a client of MCP gets a token (RFC 9728): served where the server takes tokens of an issuer."""

from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from camillo_server.doors.gateway.exchange import Scope
from camillo_server.settings.settings import JwtSettings

WELL_KNOWN = "/.well-known/oauth-protected-resource"
PATH = "/mcp"


class ProtectedResource:
    """The metadata of `/mcp` as a resource, and the challenge that points to them."""

    def __init__(self, settings: JwtSettings) -> None:
        self._settings = settings

    def routes(self) -> Sequence[BaseRoute]:
        """The routes of the metadata; empty without an issuer."""
        if not self._settings.enabled:
            return []
        paths = (WELL_KNOWN, f"{WELL_KNOWN}{PATH}", f"{WELL_KNOWN}{PATH}/{{agent}}")
        return [Route(path, self._metadata, methods=["GET"]) for path in paths]

    def challenge(self, scope: Scope) -> str:
        """The header `WWW-Authenticate` of a request without a valid credential."""
        if not self._settings.enabled:
            return 'Bearer realm="camillo"'
        request = Request(scope)
        metadata = f"{request.base_url}".rstrip("/") + WELL_KNOWN + request.url.path
        return f'Bearer realm="camillo", resource_metadata="{metadata}"'

    async def _metadata(self, request: Request) -> Response:
        path = request.url.path.removeprefix(WELL_KNOWN) or PATH
        audience = self._settings.audience or ""
        # A token is for its audience: where that is an address, it names the resource, whatever proxy stands before
        # this port.
        is_address = audience.startswith(("https://", "http://"))
        resource = audience if is_address else f"{request.base_url}".rstrip("/") + path
        return JSONResponse(
            {
                "resource": resource,
                "authorization_servers": [self._settings.issuer],
                "bearer_methods_supported": ["header"],
                "resource_name": "Camillo memory",
            }
        )
