"""What looks like a secret and is none."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from camillo_server.redaction.rules import Exclusion, SecretRule


class LookedThrough:
    """A text, with what is asked about it again and again."""

    def __init__(self, text: bytes) -> None:
        self.text = text
        # The line that was asked for last, and by whom what held in it.
        self._line = (-1, -1)
        self._held: dict[int, bool] = {}
        # By rule, whether the text has a keyword of it: it may be as long as the text, and asked for at each match.
        self._has: dict[str, bool] = {}

    @cached_property
    def _lower(self) -> bytes:
        return self.text.lower()

    def has_keyword_of(self, rule: SecretRule, match: Any) -> bool:
        """Most matches hold one themselves; for the others the text needs to."""
        near = match.group().lower()
        words = [word.encode() for word in rule.keywords]
        if any(word in near for word in words):
            return True
        if rule.kind not in self._has:
            self._has[rule.kind] = any(word in self._lower for word in words)
        return self._has[rule.kind]

    def line_holds(self, exclusion: Exclusion, match: Any) -> bool:
        """Whether the exclusion is found in the line, or lines, of the match; remembered for the next one, as a line
        may be as long as the text."""
        start, end = self._line
        if not (start <= match.start() and match.end() <= end):
            self._line, self._held = self._line_of(match), {}
            start, end = self._line
        known = self._held.get(id(exclusion))
        if known is None:
            known = exclusion.fits(self.text[start:end])
            self._held[id(exclusion)] = known
        return known

    def _line_of(self, match: Any) -> tuple[int, int]:
        end = self.text.find(b"\n", match.end())
        start = self.text.rfind(b"\n", 0, match.start()) + 1
        return start, end if end >= 0 else len(self.text)


def excluded(
    exclusions: Sequence[Exclusion], match: Any, secret: bytes, looked: LookedThrough
) -> bool:
    """Whether one of them says that it is no secret."""
    return any(_holds(each, match, secret, looked) for each in exclusions)


def _holds(exclusion: Exclusion, match: Any, secret: bytes, looked: LookedThrough) -> bool:
    if exclusion.has_word(secret):
        return True
    if not exclusion.patterns:
        return False
    if exclusion.of == "line":
        return looked.line_holds(exclusion, match)
    return exclusion.fits(match.group() if exclusion.of == "match" else secret)
