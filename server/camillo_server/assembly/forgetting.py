"""Forgetting, wired: MemoryService, EventService and LifecycleService have its methods."""

from camillo_server.across.forgetting.forgetting import Forgetting
from camillo_server.across.forgetting.servicer import ForgettingServicer
from camillo_server.across.forgetting.store.forgetting import ForgettingStore
from camillo_server.assembly.kernel import Kernel
from camillo_server.doors.rpc.call import CallReader
from camillo_server.features.artifacts.repeating_artifacts import RepeatingArtifacts


def forgetting_servicer(kernel: Kernel, calls: CallReader, artifacts: RepeatingArtifacts) -> ForgettingServicer:
    """The methods of all services that forget; each service takes its own."""
    store = ForgettingStore(kernel.writes, kernel.keyring, artifacts)
    forgetting = Forgetting(store, kernel.refusals, kernel.clock)
    max_without_plan = kernel.settings.lifecycle.forget_without_plan
    return ForgettingServicer(forgetting, max_without_plan, calls)
