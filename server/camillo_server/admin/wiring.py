"""Administration, wired."""

from functools import partial
from importlib.metadata import version

from camillo.v1.admin_service_pb2_grpc import add_AdminServiceServicer_to_server

from camillo_server.admin.administration import Administration
from camillo_server.admin.servicer import AdminServicer, ServerIdentity
from camillo_server.admin.store.admin_store import AdminStore
from camillo_server.admin.store.tenant_store import TenantStore
from camillo_server.identity.credentials import Authenticator
from camillo_server.identity.key_signing import KeySigner
from camillo_server.rpc.call import CallReader
from camillo_server.rpc.server import Registration
from camillo_server.search.index.verification import CachedIndexes
from camillo_server.wiring import Kernel


def wire(
    kernel: Kernel,
    calls: CallReader,
    authenticator: Authenticator,
    signer: KeySigner,
    indexes: CachedIndexes,
) -> Registration:
    """AdminService."""
    serving = kernel.providers.serving
    store = AdminStore(kernel.database, kernel.notifier)
    servicer = AdminServicer(
        Administration(store, authenticator, signer, kernel.clock),
        TenantStore(kernel.database),
        kernel.quotas,
        indexes,
        ServerIdentity(version("camillo-server"), serving.model_id, serving.dimensions),
        calls,
    )
    return partial(add_AdminServiceServicer_to_server, servicer)
