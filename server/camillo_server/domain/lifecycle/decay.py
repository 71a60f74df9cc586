"""How an importance fades while nobody uses the memory."""

import math
from datetime import datetime, timedelta

WEEK = timedelta(weeks=1)
# Far below any bound, and far above what a double cannot hold: Postgres refuses to compute what is smaller than that.
LEAST_EXPONENT = -300.0


def decayed_importance(
    importance: float, weekly_decay: float, last_used_at: datetime, now: datetime
) -> float:
    """importance x weekly_decay^(weeks since the last use); a use in the future counts as one now.

    The formula, with 0.95 a week, is that of the design for engines with episodic and semantic memory
    (docs/adr/0030-lifecycle.md). Postgres computes the same for whole scopes: the fragment `decayed_importance`.
    """
    weeks = max((now - last_used_at) / WEEK, 0.0)
    return importance * math.exp(max(math.log(weekly_decay) * weeks, LEAST_EXPONENT))
