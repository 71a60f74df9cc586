"""ListReceipts: what was removed, newest first."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from camillo_server.forgetting.ports import ReceiptStore
from camillo_server.kernel.scope import Scope
from camillo_server.storage.receipts import Receipt


class ListReceipts:
    """One page of a scope's receipts."""

    def __init__(self, receipts: ReceiptStore) -> None:
        self._receipts = receipts

    async def __call__(
        self, scope: Scope, after: tuple[datetime, UUID] | None, size: int
    ) -> Sequence[Receipt]:
        """At most `size`, behind the time and id of another. Raises StorageUnavailable."""
        return await self._receipts.page(scope, after, size)
