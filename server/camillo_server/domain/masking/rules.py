"""Which texts are masked where they are shown, and how much of them."""

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from camillo_server.domain.ids import TenantId
from camillo_server.domain.memory import Sensitivity


class Mask(enum.Enum):
    """How much of a text is taken out: nothing, what tells of persons, or all."""

    NONE = "none"
    PARTIAL = "partial"
    FULL = "full"


Rules = Mapping[Sensitivity, Mask]

DEFAULT_RULES: Rules = MappingProxyType(
    {
        Sensitivity.PUBLIC: Mask.NONE,
        Sensitivity.INTERNAL: Mask.NONE,
        Sensitivity.CONFIDENTIAL: Mask.PARTIAL,
        Sensitivity.RESTRICTED: Mask.FULL,
    }
)


@dataclass(frozen=True, slots=True)
class MaskingPolicy:
    """What an operator may choose; each set of rules names every sensitivity."""

    default: Rules = field(default_factory=lambda: DEFAULT_RULES)
    tenants: Mapping[TenantId, Rules] = field(default_factory=dict)

    def rules_of(self, tenant_id: TenantId) -> Rules:
        """The tenant's own, or else those of everyone."""
        return self.tenants.get(tenant_id, self.default)
