"""The gateway, wired: the methods of the gRPC server by HTTP, and what else the port serves."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from camillo_server.doors.gateway.bindings import Router, contract_bindings
from camillo_server.doors.gateway.calls import LocalMethods
from camillo_server.doors.gateway.http_service import HttpService
from camillo_server.doors.rpc.contract import CONTRACT
from camillo_server.doors.rpc.pipeline import Pipeline
from camillo_server.doors.rpc.server import Registration
from camillo_server.settings.sections import ServerSettings
from camillo_server.settings.settings import Settings

if TYPE_CHECKING:
    from camillo_server.doors.gateway.http_server import HttpServer


def http_server(
    settings: Settings,
    pipeline: Pipeline,
    services: Sequence[Registration],
    is_serving: Callable[[str], bool | None],
) -> "HttpServer | None":
    """Makes the server; None if the settings have no port for HTTP. `is_serving` tells the health of a part by gRPC."""
    server = settings.server
    if not server.http_listens_on:
        return None
    # A server without the port starts without these.
    from starlette.routing import BaseRoute
    from starlette.routing import Router as PathRouter

    from camillo_server.doors.gateway.artifact_bytes import artifact_routes
    from camillo_server.doors.gateway.design_paths import design_routes
    from camillo_server.doors.gateway.guard import Guard
    from camillo_server.doors.gateway.http_server import HttpServer
    from camillo_server.doors.gateway.mcp.http_routes import mcp_routes
    from camillo_server.doors.gateway.openapi_routes import HealthPaths, openapi_routes

    methods, router = LocalMethods(pipeline, services), Router(contract_bindings(CONTRACT))
    service = HttpService(methods, router, server.max_message_bytes, server.default_deadline_seconds)
    # Paths that are no method of the contract. A path without a route here is a method, or unknown.
    routes: list[BaseRoute] = [
        *artifact_routes(methods),
        *openapi_routes(),
        *design_routes(methods, server.max_message_bytes, server.default_deadline_seconds),
        *mcp_routes(methods, settings),
    ]
    site = PathRouter(routes, redirect_slashes=False, default=service)
    guarded = Guard(_shared(site, server), server)
    return HttpServer(HealthPaths(guarded, is_serving), server, settings.tls)


def _shared(site: Any, settings: ServerSettings) -> Any:
    """Adds the headers of CORS for pages of other origins, if settings name some."""
    if not settings.accepted_origins:
        return site
    from starlette.middleware.cors import CORSMiddleware

    return CORSMiddleware(
        site,
        allow_origins=sorted(settings.accepted_origins),
        allow_methods=["GET", "HEAD", "PUT", "POST", "PATCH", "DELETE"],
        # A credential is in a header that the page has set: no cookie ever is.
        allow_headers=["*"],
        expose_headers=["content-range", "etag", "location", "retry-after", "x-request-id"],
        max_age=600,
    )
