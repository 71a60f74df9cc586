"""Forgetting, wired: MemoryService and LifecycleService have its methods."""

from camillo_server.forgetting.forgetting import Forgetting
from camillo_server.forgetting.store.forgetting import ForgettingStore
from camillo_server.storage.receipts import ReceiptStore
from camillo_server.wiring import Kernel


def forgetting(kernel: Kernel) -> Forgetting:
    """The use cases of forgetting."""
    store = ForgettingStore(kernel.writes, kernel.keyring)
    return Forgetting(store, ReceiptStore(kernel.database), kernel.clock)
