"""Where in a text there are secrets, and of what kind."""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from camillo_server.redaction.gates import Gate, Span, keyword_gate
from camillo_server.redaction.readings import readings
from camillo_server.redaction.rules import VAGUE, Exclusion, SecretRule, secret_rules

# No rule takes less for a secret; most ids and tags are shorter.
MIN_BYTES = 10
# How many bytes of a text are looked through at once, and how far before and behind them: the longest secret that is
# found for certain. Neither a block's memory nor a step that keeps the interpreter's lock grows with a text.
BLOCK_BYTES, REACH_BYTES = 1024 * 1024, 64 * 1024


# The count of a byte times its binary logarithm: of secrets that are as short as most.
_COUNT_BITS = (0.0, *(count * math.log2(count) for count in range(1, 256)))


class SearchedText:
    """A text, with what is asked about it again and again."""

    def __init__(self, text: bytes) -> None:
        self.text = text
        # The line that was asked for last, and which exclusions hold in it, by their `id`.
        self._line = (-1, -1)
        self._line_holds_by_id: dict[int, bool] = {}
        # By rule, whether the text has a keyword of it: it may be as long as the text, and asked for at each match.
        self._has: dict[str, bool] = {}

    @cached_property
    def _lower(self) -> bytes:
        return self.text.lower()

    def has_keyword_of(self, rule: SecretRule, match: Any) -> bool:
        """Most matches hold one themselves; for the others the text needs to."""
        near = match.group().lower()
        words = rule.encoded_keywords
        if any(word in near for word in words):
            return True
        if rule.kind not in self._has:
            self._has[rule.kind] = any(word in self._lower for word in words)
        return self._has[rule.kind]

    def is_excluded(self, exclusions: Sequence[Exclusion], match: Any, secret: bytes) -> bool:
        """Whether one of them says that it is no secret."""
        return any(self._holds(each, match, secret) for each in exclusions)

    def _holds(self, exclusion: Exclusion, match: Any, secret: bytes) -> bool:
        if exclusion.has_word(secret):
            return True
        if not exclusion.patterns:
            return False
        if exclusion.of == "line":
            return self._line_holds(exclusion, match)
        return exclusion.fits(match.group() if exclusion.of == "match" else secret)

    def _line_holds(self, exclusion: Exclusion, match: Any) -> bool:
        """Whether the exclusion is found in the line, or lines, of the match; remembered for the next one, as a line
        may be as long as the text."""
        start, end = self._line
        if not (start <= match.start() and match.end() <= end):
            self._line, self._line_holds_by_id = self._line_of(match), {}
            start, end = self._line
        known = self._line_holds_by_id.get(id(exclusion))
        if known is None:
            known = exclusion.fits(self.text[start:end])
            self._line_holds_by_id[id(exclusion)] = known
        return known

    def _line_of(self, match: Any) -> tuple[int, int]:
        end = self.text.find(b"\n", match.end())
        start = self.text.rfind(b"\n", 0, match.start()) + 1
        return start, end if end >= 0 else len(self.text)


@dataclass(frozen=True, slots=True)
class Secret:
    """A secret in bytes `start` to `end` of a text."""

    start: int
    end: int
    kind: str


class SecretDetector:
    """Finds what the rules describe: first the rules that may fit, then what the patterns of those alone say.

    What is found is the same with every gate; they differ in what they cost.
    """

    def __init__(self, gate: Gate | None = None) -> None:
        self._exclusions = secret_rules().exclusions
        self._gate = gate or keyword_gate()
        self._readings = [read for _, read in readings()]

    def find(self, text: bytes) -> list[Secret]:
        """The secrets in a text of UTF-8, in their order; none overlaps another. A long text is looked through in
        blocks: its secrets are found as those of a stream are."""
        if len(text) < MIN_BYTES:
            return []
        if len(text) <= BLOCK_BYTES + 2 * REACH_BYTES:
            return _merged(self._find(text))
        return _merged(
            secret
            for start in range(0, len(text), BLOCK_BYTES)
            for secret in self._in_block(text, start)
        )

    def _in_block(self, text: bytes, start: int) -> Iterator[Secret]:
        first = max(0, start - REACH_BYTES)
        for found in self._find(text[first : start + BLOCK_BYTES + REACH_BYTES]):
            if start <= first + found.start < start + BLOCK_BYTES:
                yield Secret(first + found.start, first + found.end, found.kind)

    def _find(self, text: bytes) -> list[Secret]:
        """Also those that show only in another reading of the text."""
        found = _merged(self._as_written(text))
        # A secret that is found as it is written ends there: what stands in the next line is no part of it.
        ends = {secret.start: secret.end for secret in found if secret.kind != VAGUE}
        for number in self._gate.hints(text):
            reading = self._readings[number](text)
            for secret in self._as_written(bytes(reading.text)):
                start, end = reading.origin(secret.start, secret.end)
                if secret.kind == VAGUE or ends.setdefault(start, end) == end:
                    found.append(Secret(start, end, secret.kind))
        return found

    def _as_written(self, text: bytes) -> list[Secret]:
        searched = SearchedText(text)
        return [found for span in self._gate.spans(text) for found in self._in(span, searched)]

    def _in(self, span: Span, searched: SearchedText) -> Iterator[Secret]:
        rule = span.rule
        for match in rule.compiled.finditer(searched.text, span.start, span.end):
            start, end = _secret_in(match, rule.group)
            secret = searched.text[start:end]
            # What sorts out most at the least cost comes first.
            if searched.is_excluded(rule.exclusions[:1], match, secret):
                continue
            if rule.least_entropy and entropy(secret) <= rule.least_entropy:
                continue
            others = (*self._exclusions, *rule.exclusions[1:])
            if not searched.is_excluded(others, match, secret) and searched.has_keyword_of(
                rule, match
            ):
                yield Secret(start, end, rule.kind)


def entropy(text: bytes) -> float:
    """Shannon's, in bits for each byte."""
    length = len(text)
    if length < len(_COUNT_BITS):
        return (
            math.log2(length) - sum(map(_COUNT_BITS.__getitem__, Counter(text).values())) / length
        )
    return -sum(count / length * math.log2(count / length) for count in Counter(text).values())


def _secret_in(match: Any, group: int) -> tuple[int, int]:
    if not group:
        group = next((number for number, held in enumerate(match.groups(), 1) if held), 0)
    start, end = match.span(group)
    return start, end


def _merged(found: Iterable[Secret]) -> list[Secret]:
    """Those that overlap become one, of the kind that says most."""
    merged: list[Secret] = []
    for secret in sorted(found, key=lambda each: (each.start, each.end)):
        if merged and secret.start < merged[-1].end:
            last = merged.pop()
            kind = secret.kind if last.kind == VAGUE else last.kind
            secret = Secret(last.start, max(last.end, secret.end), kind)
        merged.append(secret)
    return merged
