"""Rates by key: each key has a bucket of tokens that fills up again with time."""

from datetime import datetime

from camillo_server.kernel.clock import Clock

_MAX_KEYS = 10_000


class TokenBuckets:
    """A bucket for each key, full where the key has not been seen for long; of too many keys the one longest unused goes."""

    def __init__(
        self, clock: Clock, per_second: float, burst: int, max_keys: int = _MAX_KEYS
    ) -> None:
        self._clock = clock
        self._per_second = per_second
        self._burst = burst
        self._max_keys = max_keys
        self._buckets: dict[str, tuple[float, datetime]] = {}

    def has_token(self, key: str) -> bool:
        """Whether something may be done for the key."""
        return self._tokens(key) >= 1

    def take(self, key: str) -> None:
        """Takes a token, also where none is left: what was begun meanwhile has to be paid, too."""
        tokens = self._tokens(key) - 1
        self._buckets.pop(key, None)
        if len(self._buckets) >= self._max_keys:
            del self._buckets[next(iter(self._buckets))]
        self._buckets[key] = tokens, self._clock.now()

    def _tokens(self, key: str) -> float:
        if (bucket := self._buckets.get(key)) is None:
            return self._burst
        tokens, at = bucket
        seconds = (self._clock.now() - at).total_seconds()
        return min(self._burst, tokens + max(0.0, seconds) * self._per_second)
