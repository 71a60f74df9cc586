"""Diversity: an order in which a hit loses by how much it is like one before it."""

import numpy as np
from numpy.typing import NDArray


def diverse_order(
    scores: NDArray[np.float32], vectors: NDArray[np.float32], diversity: float, limit: int
) -> NDArray[np.intp]:
    """The places of the first `limit`, each the best of those left by (1 - diversity) * score - diversity * likeness.

    Maximal marginal relevance (Carbonell and Goldstein, "The use of MMR", 1998). Likeness is the greatest cosine to
    one chosen before; `vectors`, of shape (n, dimensions), are unit rows, or zeros where there is none, which are
    like nothing. Of equals the first place.
    """
    limit = min(limit, len(scores))
    if not diversity or limit < 1:
        return np.argsort(-scores, kind="stable")[: max(limit, 0)]
    merit = (1 - diversity) * scores.astype(np.float64)
    chosen = np.empty(limit, np.intp)
    likeness = np.zeros(len(scores))
    for rank in range(limit):
        place = int(np.argmax(merit - diversity * likeness))
        chosen[rank] = place
        cosines = vectors @ vectors[place]
        # To be unlike the first is no merit: what counts is the greatest cosine, below zero, too.
        likeness = np.maximum(likeness, cosines) if rank else cosines.astype(np.float64)
        merit[place] = -np.inf
    return chosen
