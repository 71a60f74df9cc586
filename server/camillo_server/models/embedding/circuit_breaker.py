"""A circuit breaker: a provider that keeps failing is left alone for a while, and then tried with one call."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum

from camillo_server.models.embedding.embedder import EmbeddingUnavailable


class CircuitOpen(EmbeddingUnavailable):
    """The provider has failed too often of late to be asked now."""

    def __init__(self) -> None:
        super().__init__("the embedding provider keeps failing and is left alone for a while")


class BreakerState(StrEnum):
    """Whether calls go through: all of them, one to try, or none."""

    CLOSED = "closed"
    HALF_OPEN = "half_open"
    OPEN = "open"


@dataclass(slots=True)
class CircuitBreaker:
    """Opens after so many failures in a row; after a pause one call goes through, and decides.

    Every call that was let through is followed by `succeeded`, `failed` or `abandoned`.
    """

    max_failures: int
    pause_seconds: float
    monotonic: Callable[[], float] = time.monotonic
    # How often it has opened.
    openings: int = 0
    _failures: int = 0
    _opened_at: float | None = None
    _probing: bool = field(default=False)

    @property
    def state(self) -> BreakerState:
        """Open, closed, or half open from the end of the pause until the probe has ended."""
        if self._opened_at is None:
            return BreakerState.CLOSED
        over = self.monotonic() >= self._opened_at + self.pause_seconds
        return BreakerState.HALF_OPEN if over else BreakerState.OPEN

    def admit(self) -> None:
        """Lets a call through. Raises CircuitOpen."""
        state = self.state
        if state is BreakerState.OPEN or (state is BreakerState.HALF_OPEN and self._probing):
            raise CircuitOpen
        self._probing = state is BreakerState.HALF_OPEN

    def succeeded(self) -> None:
        """The provider has answered."""
        self._failures, self._opened_at, self._probing = 0, None, False

    def failed(self) -> None:
        """The provider has not answered, or not as it should."""
        self._failures += 1
        if self._probing or (self._opened_at is None and self._failures >= self.max_failures):
            self._opened_at = self.monotonic()
            self.openings += 1
        self._probing = False

    def abandoned(self) -> None:
        """The caller went away before the provider answered: that says nothing, and the next may try."""
        self._probing = False
