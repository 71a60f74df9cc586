"""AdminService: door -> `across/admin/servicer.py` -> `across/admin/administration.py` ->
`across/admin/store/admin_store.py`."""

from functools import partial
from importlib.metadata import version

from camillo.v1.admin_service_pb2_grpc import add_AdminServiceServicer_to_server

from camillo_server.across.admin.administration import Administration
from camillo_server.across.admin.servicer import AdminServicer, ServerIdentity
from camillo_server.across.admin.store.admin_store import AdminStore
from camillo_server.across.admin.store.tenant_store import TenantStore
from camillo_server.assembly.declared import FORGETTABLES
from camillo_server.assembly.kernel import Kernel
from camillo_server.doors.identity.credentials import Authenticator
from camillo_server.doors.identity.key_cache import KeySigner
from camillo_server.doors.rpc.call import CallReader
from camillo_server.doors.rpc.server import Registration
from camillo_server.search.index.verification import CachedIndexes


def administration(kernel: Kernel, authenticator: Authenticator, signer: KeySigner) -> Administration:
    """The use cases, which deleting a space takes part in."""
    store = AdminStore(kernel.database, kernel.notifier, FORGETTABLES)
    return Administration(store, authenticator, signer, kernel.clock)


def wire(kernel: Kernel, calls: CallReader, use_cases: Administration, indexes: CachedIndexes) -> Registration:
    """AdminService."""
    serving = kernel.providers.serving
    servicer = AdminServicer(
        use_cases,
        TenantStore(kernel.database),
        kernel.quotas,
        indexes,
        ServerIdentity(version("camillo-server"), serving.model_id, serving.dimensions),
        calls,
    )
    return partial(add_AdminServiceServicer_to_server, servicer)
