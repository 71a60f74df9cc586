"""SpaceService: door -> `across/spaces/servicer.py` -> `across/spaces/spaces.py` -> `across/spaces/store/spaces.py`."""

from functools import partial

from camillo.v1.space_service_pb2_grpc import add_SpaceServiceServicer_to_server

from camillo_server.across.admin.administration import Administration
from camillo_server.across.forgetting.store.elsewhere import ElsewhereStore
from camillo_server.across.forgetting.store.forgetting import ForgettingStore
from camillo_server.across.lifecycle.maintenance import GetUsage
from camillo_server.across.lifecycle.plan import LifecyclePolicy
from camillo_server.across.lifecycle.store.usage import UsageStore
from camillo_server.across.spaces.forget_space import ForgetSpace
from camillo_server.across.spaces.servicer import SpaceServicer
from camillo_server.across.spaces.spaces import Retention, Spaces
from camillo_server.across.spaces.store.spaces import SpaceStore
from camillo_server.assembly.declared import FORGETTABLES
from camillo_server.assembly.kernel import Kernel
from camillo_server.doors.rpc.call import CallReader
from camillo_server.doors.rpc.server import Registration
from camillo_server.features.artifacts.repeating_artifacts import RepeatingArtifacts
from camillo_server.features.links.entity_store import EntityStore
from camillo_server.search.index.verification import CachedIndexes
from camillo_server.storage.token_usage import TokenUsageStore, UsageSweep


def wire(
    kernel: Kernel,
    calls: CallReader,
    indexes: CachedIndexes,
    administration: Administration,
    artifacts: RepeatingArtifacts,
) -> Registration:
    """SpaceService."""
    store = SpaceStore(kernel.database, kernel.clock)
    names = EntityStore(kernel.writes, kernel.keyring)
    elsewhere = ElsewhereStore(ForgettingStore(kernel.writes, kernel.keyring, FORGETTABLES, artifacts.find))
    forgetting = ForgetSpace(administration, elsewhere, store, names.names_beside, kernel.clock)
    policy = LifecyclePolicy.of(kernel.settings.lifecycle)
    spaces = Spaces(
        store,
        GetUsage(UsageStore(kernel.database), indexes, policy, kernel.clock),
        Retention.of(policy, kernel.settings.artifacts.retention_days),
    )
    usage = TokenUsageStore(kernel.database)
    servicer = SpaceServicer(spaces, forgetting, calls, usage, kernel.model_budget)
    return partial(add_SpaceServiceServicer_to_server, servicer)


def usage_sweep(kernel: Kernel) -> UsageSweep:
    """Bounds the account of tokens."""
    settings = kernel.settings.lifecycle
    return UsageSweep(kernel.background_database, kernel.clock, settings.usage_days, settings.usage_spaces)
