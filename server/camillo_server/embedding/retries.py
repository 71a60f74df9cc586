"""Pauses between repeated calls."""

import random
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Retries:
    """The number of repeats of a call, and the pauses between them."""

    max_retries: int = 3
    first_seconds: float = 0.25
    max_seconds: float = 8.0

    def pause_seconds(self, failures: int, retry_after_seconds: float | None) -> float | None:
        """The pause after the n-th failure, at random so that callers do not return together; None to give up.

        Never shorter than the provider asks for; one that asks for more than the longest pause is not waited for.
        """
        if failures > self.max_retries:
            return None
        wanted = retry_after_seconds or 0.0
        if wanted > self.max_seconds:
            return None
        grown = min(self.max_seconds, self.first_seconds * 2 ** (failures - 1))
        return wanted + random.uniform(grown / 2, grown)  # noqa: S311
