"""Notes in the audit trail what bundles left out for their budget: tokens and items by section, and no text."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any

from camillo_server.across.context.bundle import BundleRequest, Omission, OmissionReason
from camillo_server.kernel.ids import TenantId
from camillo_server.kernel.scope import Scope

WORKING_MEMORY_RECIPE = "working_memory"
# Without copies, which are shown once; stale items, which would be wrong; items beyond a recipe's limit.
TRUNCATION = (
    OmissionReason.BUDGET,
    OmissionReason.TRIMMED,
    OmissionReason.TRUNCATED_TOOL_OUTPUT,
    OmissionReason.CONDENSED,
)
# Enters facts of the current call in the trail of a scope, after the call.
Note = Callable[[Scope, Mapping[str, Any]], None]


@dataclass(frozen=True, slots=True)
class Truncations:
    """Notes truncations: those of working memory always, those of other bundles if the tenant's reads are entered."""

    enter: Note
    reading: Set[TenantId]

    def note(self, request: BundleRequest, omissions: Sequence[Omission]) -> None:
        """Enters the omissions for want of room, if there are any."""
        if request.recipe != WORKING_MEMORY_RECIPE and request.scope.tenant_id not in self.reading:
            return
        cut = [each for each in omissions if each.reason in TRUNCATION]
        if cut:
            self.enter(request.scope, truncation_facts(request.recipe, cut))


def truncation_facts(recipe: str, cut: Sequence[Omission]) -> dict[str, Any]:
    """The facts that are entered: tokens and items by section."""
    tokens, items = Counter[str](), Counter[str]()
    for each in cut:
        tokens[each.section] += each.tokens
        items[each.section] += each.items
    return {
        "recipe": recipe,
        "tokens_removed": tokens.total(),
        "tokens_removed_of": dict(tokens),
        "items_removed_of": dict(items),
    }
