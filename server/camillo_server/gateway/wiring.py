"""The gateway, wired: the methods of the gRPC server by HTTP, and what else the port serves."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from camillo_server.gateway.bindings import Router, contract_bindings
from camillo_server.gateway.calls import LocalMethods
from camillo_server.gateway.http_service import HttpService
from camillo_server.rpc.pipeline import Pipeline
from camillo_server.rpc.server import CONTRACT, Registration
from camillo_server.settings import Settings

if TYPE_CHECKING:
    from camillo_server.gateway.http_server import HttpServer


def http_server(
    settings: Settings, pipeline: Pipeline, services: Sequence[Registration]
) -> "HttpServer | None":
    """None where the settings have no port for HTTP."""
    server = settings.server
    if not server.http_listens_on:
        return None
    # A server without the port starts without these.
    from starlette.routing import BaseRoute
    from starlette.routing import Router as PathRouter

    from camillo_server.gateway.http_server import HttpServer
    from camillo_server.gateway.mcp.http_routes import mcp_routes

    methods, router = LocalMethods(pipeline, services), Router(contract_bindings(CONTRACT))
    service = HttpService(
        methods, router, server.max_message_bytes, server.default_deadline_seconds
    )
    # What is no method of the contract. Each brings its routes; whatever has none is a method, or nothing.
    routes: list[BaseRoute] = [*mcp_routes(methods, settings)]
    site = PathRouter(routes, redirect_slashes=False, default=service)
    return HttpServer(site, server, settings.tls)
