"""Brevity: the longer a text, the more it has in common with any query."""

import math

import numpy as np

from camillo_server.search.signals.signal import Column, Part, Raw, Signal, Weights

# In index terms: a few sentences, a full page.
BRIEF_TERMS, LONG_TERMS = 32, 320
BREVITY_WEIGHT = 2.0


def _brevity_by_length() -> Column:
    """1 - (log(terms / brief) / log(long / brief))^2 by terms: 1 up to 32, 0.91 at 64, 0.63 at 130, 0 at 320."""
    length = np.arange(LONG_TERMS + 1, dtype=np.float32).clip(BRIEF_TERMS)
    orders = np.log(length / BRIEF_TERMS) / math.log(LONG_TERMS / BRIEF_TERMS)
    return (1 - orders * orders).astype(np.float32, copy=False)


BREVITY_OF_LENGTH = _brevity_by_length()


def _weigh(term_counts: Raw, weights: Weights) -> Part:
    return Part(BREVITY_OF_LENGTH.take(term_counts, mode="clip"), BREVITY_WEIGHT if weights.arms else 0.0)


BREVITY = Signal("brevity", 0, _weigh)
"""Raw values: the number of index terms of each text. Every search by words or with neighbours reads it."""
