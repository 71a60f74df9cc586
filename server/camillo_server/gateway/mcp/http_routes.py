"""MCP on the HTTP port: `/mcp`, and `/mcp/{agent}` for a key that may act for several. Nothing is kept between two requests, so that
any worker answers any of them."""

import asyncio
from collections.abc import Mapping, Sequence
from importlib import import_module
from types import ModuleType
from typing import Any
from urllib.parse import parse_qs

from camillo.v1.admin_service_pb2 import WhoAmIRequest, WhoAmIResponse
from google.rpc.code_pb2 import Code
from google.rpc.status_pb2 import Status
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from camillo_server.gateway import http_answers as answers
from camillo_server.gateway.calls import Arrival, CallFailed, LocalMethods
from camillo_server.gateway.exchange import Receive, Scope, Send, peer_of, request_headers
from camillo_server.gateway.mcp.calls import method_path
from camillo_server.gateway.mcp.local_calls import LocalCalls, one_body
from camillo_server.gateway.mcp.profiles import DEFAULT_PROFILE, PROFILES
from camillo_server.gateway.mcp.protected_resource import ProtectedResource
from camillo_server.gateway.mcp.service import McpService
from camillo_server.kernel.errors import ScopeForbidden
from camillo_server.rpc.call import DEFAULT_AGENT_KEY
from camillo_server.rpc.errors import to_status
from camillo_server.server_settings import ServerSettings
from camillo_server.settings import Settings

PATH = "/mcp"
# Whoever reaches any agent acts for this one, as with the other clients.
DEFAULT_AGENT = "default"
SHARED = "@shared"


def mcp_routes(methods: LocalMethods, settings: Settings) -> Sequence[BaseRoute]:
    """The routes of MCP. The SDK is imported with the first request that has a valid credential."""
    resource = ProtectedResource(settings.identity.jwt)
    endpoint = McpEndpoint(methods, settings.server, resource)
    # By GET a client would wait for messages that come only in answers: POST is all there is.
    return [
        Route(PATH, endpoint, methods=["POST"]),
        Route(f"{PATH}/{{agent}}", endpoint, methods=["POST"]),
        *resource.routes(),
    ]


class McpEndpoint:
    """An ASGI application of MCP's requests."""

    def __init__(
        self, methods: LocalMethods, settings: ServerSettings, resource: ProtectedResource
    ) -> None:
        self._methods = methods
        self._settings = settings
        self._resource = resource
        self._serving: ModuleType | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request of HTTP. Without a valid credential it is answered before its body is read."""
        metadata = request_headers(scope)
        agent = scope["path_params"].get("agent", "")
        profile = _profile(scope)
        try:
            caller = await self._caller(metadata, scope)
            if agent and not caller.any_agent and agent != caller.agent_id:
                raise CallFailed(to_status(ScopeForbidden("this key does not act for that agent")))
            if profile not in PROFILES:
                message = f"profile must be one of {', '.join(PROFILES)}"
                raise CallFailed(Status(code=Code.INVALID_ARGUMENT, message=message))
        except CallFailed as error:
            await self._refusal(error.status, metadata, scope)(scope, receive, send)
            return
        calls = self._calls(metadata, scope, caller, agent)
        if self._serving is None:
            # In a thread: it takes over a second, and others wait for this loop.
            self._serving = await asyncio.to_thread(import_module, f"{__package__}.http_serving")
        await self._serving.serve(McpService(calls, profile), self._settings, scope, receive, send)

    async def _caller(self, metadata: Mapping[str, str], scope: Scope) -> WhoAmIResponse:
        """Raises CallFailed."""
        request = WhoAmIRequest()
        arrival = Arrival(
            [*metadata.items()],
            one_body(request.SerializeToString()),
            peer_of(scope),
            self._settings.default_deadline_seconds,
        )
        answer: Any = await self._methods.call(method_path(request), arrival)
        return answer  # type: ignore[no-any-return]

    def _calls(
        self, metadata: Mapping[str, str], scope: Scope, caller: WhoAmIResponse, agent: str
    ) -> LocalCalls:
        sent = dict(metadata)
        if agent == SHARED:
            # Whoever names no agent, and has no default, acts for the shared scope.
            sent.pop(DEFAULT_AGENT_KEY, None)
        elif caller.any_agent:
            sent.setdefault(DEFAULT_AGENT_KEY, DEFAULT_AGENT)
        return LocalCalls(
            self._methods,
            [*sent.items()],
            peer_of(scope),
            self._settings.default_deadline_seconds,
            "" if agent == SHARED else agent,
        )

    def _refusal(self, status: Status, metadata: Mapping[str, str], scope: Scope) -> Response:
        code, headers, body = answers.failure(status, metadata.get("accept", ""))
        if code == answers.HTTP_STATUS["UNAUTHENTICATED"]:
            headers["www-authenticate"] = self._resource.challenge(scope)
        headers["x-request-id"] = metadata["x-request-id"]
        return Response(body, code, headers)


def _profile(scope: Scope) -> str:
    query = parse_qs(scope["query_string"].decode("ascii", "replace"))
    stated: str = query.get("profile", [DEFAULT_PROFILE])[-1]
    return stated
