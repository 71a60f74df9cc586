"""Recency: 1 for what has just happened, a half after one half life."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from camillo_server.search.signals.order import OrderSignal, Scored, Values

HOUR = 3_600_000_000


def _recency(scored: Scored) -> Values:
    # A time in the future is as new as the present.
    age: Values = np.maximum(scored.present - scored.pool.occurred_at, 0) / HOUR
    fresh: Values = np.exp2(age / -scored.half_life_hours)
    return fresh


def _explain(signal: OrderSignal, scored: Scored, values: Values, index: int) -> Mapping[str, Any]:
    age = max(scored.present - int(scored.pool.occurred_at[index]), 0)
    return {signal.name: float(values[index]), "age_hours": age / HOUR}


RECENCY = OrderSignal("recency", _recency, boost=0.02, explain=_explain)
