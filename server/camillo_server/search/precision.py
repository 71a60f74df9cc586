"""Where the scores of an answer fall off: a precise recall ends there, however many hits it might have."""

import numpy as np
from numpy.typing import NDArray

Column = NDArray[np.floating]
# A hit is as good as the best one while it has this share of its relevance, and is this close to it in order.
MIN_SHARE = 0.5
MAX_DISTANCE = 0.15


def fall_off(relevance: Column, order_score: Column) -> int:
    """How many of the hits, best first, come before the scores fall off; 0 for none that is relevant."""
    if not len(order_score):
        return 0
    close = order_score >= order_score[0] - MAX_DISTANCE
    relevant = relevance >= MIN_SHARE * relevance.max()
    passing = close & relevant
    return int(np.argmin(passing)) if not passing.all() else len(passing)
