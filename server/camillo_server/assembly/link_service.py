"""LinkService: door -> `features/links/servicer.py` -> `features/links/links.py` -> `features/links/store.py`."""

from functools import partial

from camillo.v1.link_service_pb2_grpc import add_LinkServiceServicer_to_server

from camillo_server.assembly.kernel import Kernel
from camillo_server.doors.rpc.call import CallReader
from camillo_server.doors.rpc.server import Registration
from camillo_server.features.links.links import Links
from camillo_server.features.links.servicer import LinkServicer
from camillo_server.features.links.store import LinkStore


def wire(kernel: Kernel, calls: CallReader) -> Registration:
    """LinkService."""
    links = Links(LinkStore(kernel.writes), kernel.database, kernel.keyring, kernel.clock)
    servicer = LinkServicer(links, calls, kernel.channels)
    return partial(add_LinkServiceServicer_to_server, servicer)
