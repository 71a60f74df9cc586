"""Links, wired."""

from functools import partial

from camillo.v1.link_service_pb2_grpc import add_LinkServiceServicer_to_server

from camillo_server.links.links import Links
from camillo_server.links.servicer import LinkServicer
from camillo_server.links.store import LinkStore
from camillo_server.rpc.call import CallReader
from camillo_server.rpc.server import Registration
from camillo_server.wiring import Kernel


def wire(kernel: Kernel, calls: CallReader) -> Registration:
    """LinkService."""
    links = Links(LinkStore(kernel.writes), kernel.database, kernel.keyring, kernel.clock)
    servicer = LinkServicer(links, calls, kernel.channels)
    return partial(add_LinkServiceServicer_to_server, servicer)
