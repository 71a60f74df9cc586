"""MCP on the HTTP port: `/mcp`, and `/mcp/{agent}` for a key that may act for several. Nothing is kept between two
requests, so that any worker answers any of them. Where the server takes tokens of an issuer, a client learns where it
gets one (RFC 9728)."""

import asyncio
from collections.abc import Sequence
from importlib import import_module
from types import ModuleType
from typing import Any

from camillo.v1.admin_service_pb2 import WhoAmIRequest, WhoAmIResponse
from camillo_formats.space_routing import is_person
from google.rpc.code_pb2 import Code
from google.rpc.status_pb2 import Status
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from camillo_server.doors.gateway.calls import Arrival, CallFailed, LocalMethods, one_message
from camillo_server.doors.gateway.exchange import (
    DEFAULT_AGENT,
    CallerGone,
    Exchange,
    Receive,
    Scope,
    Send,
    peer_of,
)
from camillo_server.doors.gateway.http_answers import JSON
from camillo_server.doors.gateway.json_bodies import JsonBody
from camillo_server.doors.gateway.json_bounds import MESSAGE_BOUNDS, JsonBounds, JsonRefused, check
from camillo_server.doors.gateway.mcp import json_rpc
from camillo_server.doors.gateway.mcp.calls import method_path
from camillo_server.doors.gateway.mcp.local_calls import LocalCalls
from camillo_server.doors.gateway.mcp.offers import DEFAULT_PROFILE, PROFILES
from camillo_server.doors.gateway.mcp.service import McpService
from camillo_server.doors.rpc.call import DEFAULT_AGENT_KEY, SPACE_KEY
from camillo_server.doors.rpc.errors import to_status
from camillo_server.doors.rpc.request_bodies import HeldBody
from camillo_server.kernel.errors import DomainError, InvalidField, ScopeForbidden, invalid_field
from camillo_server.kernel.ids import TenantId
from camillo_server.kernel.scope import READ, SHARED, covers
from camillo_server.settings.sections import ServerSettings
from camillo_server.settings.settings import JwtSettings, Settings

WELL_KNOWN = "/.well-known/oauth-protected-resource"


class ProtectedResource:
    """The metadata of `/mcp` as a resource, and the challenge that points to them."""

    def __init__(self, settings: JwtSettings) -> None:
        self._settings = settings

    def routes(self) -> Sequence[BaseRoute]:
        """The routes of the metadata; empty without an issuer."""
        if not self._settings.enabled:
            return []
        paths = (WELL_KNOWN, f"{WELL_KNOWN}{PATH}", f"{WELL_KNOWN}{PATH}/{{agent:path}}")
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


PATH = "/mcp"


def mcp_routes(methods: LocalMethods, settings: Settings) -> Sequence[BaseRoute]:
    """The routes of MCP. The SDK is imported with the first request that has a valid credential."""
    resource = ProtectedResource(settings.identity.jwt)
    endpoint = McpEndpoint(methods, settings.server, resource)
    # By GET a client would wait for messages that come only in answers: POST is all there is.
    return [
        Route(PATH, endpoint, methods=["POST"]),
        Route(f"{PATH}/{{agent:path}}", endpoint, methods=["POST"]),
        *resource.routes(),
    ]


def named_space(agent: str, exchange: Exchange) -> str:
    """The agent or the space of the address, else of its query, else of the header; empty for none. Raises CallFailed
    where two of them are named and differ: one of them would be passed over in silence."""
    places = {"space": [value for name, value in exchange.query if name == "space"]}
    places[SPACE_KEY] = [exchange.headers[SPACE_KEY]] if SPACE_KEY in exchange.headers else []
    for place, values in places.items():
        for value in filter(None, values):
            if agent not in ("", value):
                error = invalid_field(place, "names another space than the address or the query")
                raise CallFailed(to_status(error))
            agent = value
    return agent


class McpEndpoint:
    """An ASGI application of MCP's requests."""

    def __init__(self, methods: LocalMethods, settings: ServerSettings, resource: ProtectedResource) -> None:
        self._methods = methods
        self._settings = settings
        self._resource = resource
        self._sdk: ModuleType | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request of HTTP. Without a valid credential it is answered before its body is read."""
        exchange = Exchange(scope, receive, send)
        options = dict(exchange.query)
        profile, person = options.get("profile", DEFAULT_PROFILE), options.get("person", "")
        try:
            caller = await self._caller(exchange, scope)
            agent = named_space(scope["path_params"].get("agent", ""), exchange)
            calls, tenant_id = (
                self._calls(exchange, peer_of(scope), caller, agent, person),
                TenantId(caller.tenant_id),
            )
            if profile not in PROFILES:
                raise _refused(f"profile must be one of {', '.join(PROFILES)}")
        except CallFailed as error:
            is_stranger = error.status.code == Code.UNAUTHENTICATED
            challenge = {"www-authenticate": self._resource.challenge(scope)}
            await exchange.refuse(error.status, more=challenge if is_stranger else None)
            return
        with self._methods.bodies.held(tenant_id) as held:
            try:
                body, arguments = await exchange.unless_gone(self._body(exchange, tenant_id, held))
            except CallerGone:
                return
            except DomainError as error:
                is_too_large = isinstance(error, InvalidField)
                await exchange.refuse(to_status(error), 413 if is_too_large else 0)
                return
            except JsonRefused as error:
                answer = json_rpc.encoded(json_rpc.error(None, json_rpc.refused_json(error)))
                await exchange.respond(400, {"content-type": JSON}, answer)
                return
            if self._sdk is None:
                # In a thread: it takes a second, and others wait for this loop.
                self._sdk = await asyncio.to_thread(import_module, f"{__package__}.sdk_server")
            service = McpService(calls, profile, arguments)
            await self._sdk.serve_request(service, body, scope, receive, send)

    async def _body(self, exchange: Exchange, tenant_id: TenantId, held: HeldBody) -> tuple[bytes, Any]:
        """The message that was sent, within the bounds of all of them; a large one without the arguments of its tool,
        which the SDK would look through on the event loop. Raises InvalidField, DeadlineExceeded, Overloaded,
        JsonRefused."""
        max_bytes, max_values = MESSAGE_BOUNDS
        bounds = JsonBounds(min(max_bytes, self._settings.max_message_bytes), max_values)
        reading = exchange.body(bounds, "", held)
        body: JsonBody = await self._methods.bodies.received(reading, tenant_id)
        if body.text.is_large:
            return await body.build(json_rpc.split)
        message = bytes(body.text.body) or b"{}"
        check(message, bounds)
        return message, None

    async def _caller(self, exchange: Exchange, scope: Scope) -> WhoAmIResponse:
        """Raises CallFailed."""
        request = WhoAmIRequest()
        arrival = Arrival(
            [*exchange.headers.items()],
            one_message(request),
            peer_of(scope),
            self._settings.default_deadline_seconds,
        )
        answer: Any = await self._methods.call(method_path(request), arrival)
        return answer  # type: ignore[no-any-return]

    def _calls(self, exchange: Exchange, peer: str, caller: WhoAmIResponse, agent: str, person: str) -> LocalCalls:
        """Raises CallFailed where the key does not act for the agent, or reaches nothing of the person."""
        if person and not is_person(person):
            raise _refused("person must be users/ and an id, or @shared")
        for space in (agent, "" if person == SHARED else person):
            is_own = caller.any_agent or space in ("", caller.agent_id)
            if not is_own and not covers(caller.spaces, space, READ):
                raise CallFailed(to_status(ScopeForbidden("this key does not act for that agent")))
        sent = dict(exchange.headers)
        # It is in each request that takes one.
        sent.pop(SPACE_KEY, None)
        if agent == SHARED:
            # Whoever names no agent, and has no default, acts for the shared scope.
            sent.pop(DEFAULT_AGENT_KEY, None)
        elif caller.any_agent:
            sent[DEFAULT_AGENT_KEY] = sent.get(DEFAULT_AGENT_KEY) or DEFAULT_AGENT
        return LocalCalls(
            self._methods,
            [*sent.items()],
            peer,
            self._settings.default_deadline_seconds,
            "" if agent == SHARED else agent,
            person,
        )


def _refused(message: str) -> CallFailed:
    return CallFailed(Status(code=Code.INVALID_ARGUMENT, message=message))
