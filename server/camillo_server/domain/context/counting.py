"""Token counts of texts that are met again and again."""

from functools import lru_cache

from camillo_server.domain.tokens import TokenCounter

_CACHED_TEXTS = 8_192
# Longer texts are rare, and a few of them would fill any cache.
_CACHED_CHARACTERS = 4_096


class CachedCounter:
    """A counter that remembers the texts that it met lately: 32 MiB of ASCII at most, four times that of emoji."""

    def __init__(self, counter: TokenCounter) -> None:
        self._counter = counter
        self._kept = lru_cache(maxsize=_CACHED_TEXTS)(counter.count)

    @property
    def name(self) -> str:
        """What counts."""
        return self._counter.name

    def count(self, text: str) -> int:
        """The tokens of the text."""
        return self._kept(text) if len(text) <= _CACHED_CHARACTERS else self._counter.count(text)

    def fits(self, text: str, budget: int) -> bool:
        """Whether the text has at most so many."""
        return self._counter.fits(text, budget)
