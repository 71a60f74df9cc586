"""Administration, wired."""

from functools import partial
from importlib.metadata import version
from uuid import uuid4

from camillo.v1.admin_service_pb2_grpc import add_AdminServiceServicer_to_server

from camillo_server.admin.servicer import AdminServicer, AdminUseCases, KnownKeys, ServerIdentity
from camillo_server.admin.store.administration import PostgresAdministration
from camillo_server.admin.store.tenants import PostgresTenants
from camillo_server.admin.tenants import CreateKey, NewSecret
from camillo_server.identity.api_keys import digest, new_secret
from camillo_server.kernel.ids import KeyId
from camillo_server.rpc.call import CallReader
from camillo_server.rpc.server import Registration
from camillo_server.search.index.status import CachedIndexes
from camillo_server.wiring import Kernel


def wire(
    kernel: Kernel, calls: CallReader, known_keys: KnownKeys, indexes: CachedIndexes
) -> Registration:
    """AdminService."""
    change = PostgresAdministration(kernel.database, kernel.notifier)
    serving = kernel.providers.serving
    servicer = AdminServicer(
        AdminUseCases(
            read=PostgresTenants(kernel.database),
            change=change,
            create_key=CreateKey(change, new_key_secret, kernel.clock),
            known_keys=known_keys,
            indexes=indexes,
            clock=kernel.clock,
        ),
        ServerIdentity(version("camillo-server"), serving.model_id, serving.dimensions),
        calls,
    )
    return partial(add_AdminServiceServicer_to_server, servicer)


def new_key_secret() -> NewSecret:
    """A fresh key id and secret."""
    secret = new_secret()
    return NewSecret(KeyId(str(uuid4())), secret, digest(secret))
