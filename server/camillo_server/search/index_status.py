"""The indexes that the answering process holds in memory, as an operator sees them."""

import enum
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.scope import Scope


class Agreement(enum.IntEnum):
    """What a comparison of an index with Postgres gave. The numbers are those of the contract."""

    NOT_COMPARED = 1
    AGREES = 2
    DIFFERS = 3
    NEVER_STILL = 4


@dataclass(frozen=True, slots=True)
class HeldIndex:
    """The index of one scope; `difference` names the first thing that differs."""

    scope: Scope
    revision: int
    memories: int
    nbytes: int
    agreement: Agreement = Agreement.NOT_COMPARED
    difference: str = ""


class Indexes(Protocol):
    """What is held."""

    def of_tenant(
        self, tenant_id: TenantId, after: AgentId | None, size: int
    ) -> Sequence[HeldIndex]:
        """The indexes of a tenant by agent id, behind this one (None: from the first)."""
        ...

    def of_scope(self, scope: Scope) -> HeldIndex | None:
        """The index of a scope, if it is held."""
        ...

    async def compare(self, index: HeldIndex) -> HeldIndex | None:
        """Compares with Postgres, and drops an index that differs; None where it is no longer held. Raises
        StorageUnavailable."""
        ...
