"""How many calls, or streams, take place at once: so many in all, and of one tenant no more than are left for the others."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from camillo_server.kernel.errors import Overloaded
from camillo_server.kernel.ids import TenantId
from camillo_server.telemetry.instruments import Instruments


class Admission:
    """A bound of what is under way. A tenant that is alone may have half of it, of two at their bound each a third."""

    def __init__(self, limit: int, what: str, instruments: Instruments) -> None:
        self._limit, self._what = limit, what
        self._instruments = instruments
        self._total = 0
        self._of_tenant = Counter[TenantId]()

    def begin(self, tenant_id: TenantId) -> None:
        """Counts one more; `end` it. Raises Overloaded."""
        free, own = self._limit - self._total, self._of_tenant[tenant_id]
        if own >= free:
            self._instruments.record_rejection("overloaded")
            raise (
                Overloaded(own, f"{self._what} of the tenant")
                if free
                else Overloaded(self._limit, self._what)
            )
        self._total += 1
        self._of_tenant[tenant_id] = own + 1

    @contextmanager
    def slot(self, tenant_id: TenantId) -> Iterator[None]:
        """One more, for as long as it lasts. Raises Overloaded."""
        self.begin(tenant_id)
        try:
            yield
        finally:
            self.end(tenant_id)

    def end(self, tenant_id: TenantId) -> None:
        self._total -= 1
        if self._of_tenant[tenant_id] > 1:
            self._of_tenant[tenant_id] -= 1
        else:
            del self._of_tenant[tenant_id]
