"""Whether what a server holds grows: a line through samples, without those of the time in which it warms up."""

from collections.abc import Sequence
from dataclasses import dataclass

HOUR = 3600.0
# Share of the time at the beginning whose samples are left out.
WARM_UP = 1 / 3


@dataclass(frozen=True, slots=True)
class Flat:
    """Bounds of a quantity that does not grow: its rise in an hour, and how far it goes up and down."""

    per_hour: float
    noise: float

    def bound(self, seconds: float) -> float:
        """The steepest slope an hour that is flat, seen for so long: noise alone looks steep in a short time."""
        return self.per_hour + self.noise * HOUR / seconds


def settled(moments: Sequence[float]) -> int:
    """The index of the first sample after the warm-up."""
    end = moments[0] + (moments[-1] - moments[0]) * WARM_UP
    return next(index for index, moment in enumerate(moments) if moment >= end)


def slope(moments: Sequence[float], values: Sequence[float]) -> float:
    """The rise of the values in one unit of time, by least squares. Raises ValueError for fewer than two moments."""
    count = len(moments)
    middle, mean = sum(moments) / max(count, 1), sum(values) / max(count, 1)
    spread = sum((moment - middle) ** 2 for moment in moments)
    if not spread:
        raise ValueError("one moment has no slope")
    pairs = zip(moments, values, strict=True)
    return sum((moment - middle) * (value - mean) for moment, value in pairs) / spread
