"""Source priority: the reliability of each source. Distilled texts have most, merely logged ones least."""

from collections.abc import Mapping

import numpy as np

from camillo_server.kernel.kinds import KINDS_OF_A_SOURCE, Source
from camillo_server.search.signals.order import OrderSignal, Scored, Values

SOURCE_PRIORITIES: Mapping[Source, float] = {
    Source.MEMORY: 1.0,
    Source.EVENT: 0.9,
    Source.DOCUMENT: 0.5,
    Source.SLOT: 1.0,
    Source.DECISION: 1.0,
    Source.AUDIT: 0.8,
    Source.WORKFLOW_STEP: 0.6,
    Source.ARTIFACT: 0.5,
}
PRIORITY_BY_SOURCE = np.array([SOURCE_PRIORITIES[source] for source in sorted(Source)])


def _priority(scored: Scored) -> Values:
    priority: Values = PRIORITY_BY_SOURCE[scored.pool.kinds // KINDS_OF_A_SOURCE]
    return priority


SOURCE_PRIORITY = OrderSignal("source_priority", _priority)
