"""LinkService: door -> `features/links/servicer.py` -> `features/links/links.py` -> `features/links/store.py`; its
entities: `features/links/entity_servicer.py` -> `features/links/entities.py` -> `features/links/entity_store.py`."""

from functools import partial

from camillo.v1.link_service_pb2_grpc import add_LinkServiceServicer_to_server

from camillo_server.assembly.kernel import Kernel
from camillo_server.doors.rpc.call import CallReader
from camillo_server.doors.rpc.server import Registration, joined
from camillo_server.features.links.entities import Entities
from camillo_server.features.links.entity_servicer import EntityServicer
from camillo_server.features.links.entity_store import EntityStore
from camillo_server.features.links.links import Links
from camillo_server.features.links.servicer import LinkServicer
from camillo_server.features.links.store import LinkStore


def wire(kernel: Kernel, calls: CallReader) -> Registration:
    """LinkService."""
    links = Links(LinkStore(kernel.writes), kernel.database, kernel.keyring, kernel.clock)
    store = EntityStore(kernel.writes, kernel.keyring)
    entities = Entities(store, kernel.database, kernel.keyring, kernel.clock)
    servicer = joined(LinkServicer(links, calls, kernel.channels), EntityServicer(entities, calls, kernel.channels))
    return partial(add_LinkServiceServicer_to_server, servicer)
