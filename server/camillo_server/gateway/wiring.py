"""The gateway, wired: the methods of the gRPC server by HTTP, on a port of its own."""

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
    if not server.http_port:
        return None
    # A server without the port starts without uvicorn.
    from camillo_server.gateway.http_server import HttpServer

    service = HttpService(
        LocalMethods(pipeline, services),
        Router(contract_bindings(CONTRACT)),
        server.max_message_bytes,
        server.default_deadline_seconds,
    )
    return HttpServer(service, server, settings.tls)
