"""Where in a text there are secrets, and of what kind: gates tell cheaply which rules may fit, then their patterns
run."""

import math
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cache, cached_property
from operator import itemgetter
from typing import NamedTuple, Protocol

import re2

from camillo_server.lib.redaction.readings import ByteRanges, readings
from camillo_server.lib.redaction.rules import WEAK_KINDS, SecretRule, pattern_set, secret_rules

# No rule takes less for a secret; most ids and tags are shorter.
MIN_BYTES = 10
# How many bytes of a text are looked through at once, and how far before and behind them: the longest secret that is
# found for certain. Neither a block's memory nor a step that keeps the interpreter's lock grows with a text.
BLOCK_BYTES, REACH_BYTES = 1024 * 1024, 64 * 1024


# The count of a byte times its binary logarithm, of secrets that are as short as most.
_COUNT_BITS = (0.0, *(count * math.log2(count) for count in range(1, 256)))
# By keywords a shorter text costs less than a millisecond.
LONG_BYTES = 16 * 1024


class Span(NamedTuple):
    """A rule, and from which to which byte of a text its pattern has to run."""

    rule: SecretRule
    start: int
    end: int


class Hint(NamedTuple):
    """The number of a reading that may show secrets, and the ranges that it is of; None where those are not known."""

    number: int
    ranges: ByteRanges = None


class Gate(Protocol):
    """Never passes over bytes that a pattern fits; it may name spans where none does."""

    def scan(self, text: bytes) -> tuple[Iterable[Span], Iterable[Hint]]:
        """Where there may be secrets: spans of the text in the order of the rules, no match of a pattern across the
        border of one; and the text's other readings, in their order."""
        ...


class KeywordGate:
    """Rules whose keywords the text has, all of them in one pass; their patterns run over all of the text."""

    def __init__(self) -> None:
        self._rules = secret_rules()
        # One pattern for each rule and each reading: of as many as the text has, the set remembers the combination.
        keywords = ("|".join(map(re2.escape, rule.keywords)) for rule in self._rules)
        hints = ("|".join(reading.patterns) for reading in readings())
        self._patterns = pattern_set([*(f"(?i:{each})" for each in keywords), *hints])

    def scan(self, text: bytes) -> tuple[Iterable[Span], Iterable[Hint]]:
        found, rules = sorted(self._patterns.Match(text) or ()), self._rules
        spans = [Span(rules[number], 0, len(text)) for number in found if number < len(rules)]
        return spans, [Hint(number - len(rules)) for number in found if number >= len(rules)]


@cache
def keyword_gate() -> Gate:
    """One for all detectors of a process: to make it takes 7 ms."""
    return KeywordGate()


class WarmingGate:
    """Scans by keywords until the other gate is made. A thread makes it from the first long text on: nobody waits for
    it, and a process without long texts never pays."""

    def __init__(self, make: Callable[[], Gate]) -> None:
        self._make = make
        self._gate: Gate | None = None
        self._begun = False
        self._beginning = threading.Lock()

    def scan(self, text: bytes) -> tuple[Iterable[Span], Iterable[Hint]]:
        if len(text) >= LONG_BYTES and not self._begun:
            self._begin()
        return (self._gate or keyword_gate()).scan(text)

    def _begin(self) -> None:
        with self._beginning:
            is_first, self._begun = not self._begun, True
        if is_first:
            threading.Thread(target=self.complete, name="gate", daemon=True).start()

    def complete(self) -> None:
        """Returns when the other gate is in use."""
        self._begun = True
        self._gate = self._make()


def _pattern_gate() -> Gate:
    # Late: a process without long texts never loads Hyperscan.
    from camillo_server.lib.redaction.pattern_gate import fastest_gate

    return fastest_gate()


# The gate of the process.
GATE = WarmingGate(_pattern_gate)


class Secret(NamedTuple):
    """A secret in bytes `start` to `end` of a text."""

    start: int
    end: int
    kind: str


class SearchedText:
    """A text, with what is asked about it again and again."""

    def __init__(self, text: bytes) -> None:
        self._text = text
        # The line that was asked for last, and by rule whether it is excluded there: it may be as long as the text.
        self._line, self._line_excludes = (-1, -1), dict[str, bool]()
        # By rule, whether any line may exclude it, and whether the text has a keyword of it.
        self._lines_exclude, self._has_keyword = dict[str, bool](), dict[str, bool]()

    def find(self, span: Span) -> Iterator[Secret]:
        """Yields the secrets that the rule finds in the span and nothing excludes."""
        rule = span.rule
        for first, last, start, end in rule.matches(self._text, span.start, span.end):
            secret = self._text[start:end]
            # The check that sorts out most at the least cost comes first.
            if rule.excludes("secret", secret):
                continue
            if rule.least_entropy and not exceeds_entropy(secret, rule.least_entropy):
                continue
            match = self._text[first:last]
            is_excluded = rule.excludes("match", match) or self._is_excluded(rule, first, last)
            if not is_excluded and self._has_keyword_of(rule, match):
                yield Secret(start, end, rule.kind)

    @cached_property
    def _lower(self) -> bytes:
        return self._text.lower()

    def _has_keyword_of(self, rule: SecretRule, match: bytes) -> bool:
        """Most matches hold one themselves; for the others the text needs to."""
        near = match.lower()
        for word in rule.encoded_keywords:
            if word in near:
                return True
        if rule.kind not in self._has_keyword:
            has_any = any(word in self._lower for word in rule.encoded_keywords)
            self._has_keyword[rule.kind] = has_any
        return self._has_keyword[rule.kind]

    def _is_excluded(self, rule: SecretRule, first: int, last: int) -> bool:
        """Whether the line, or lines, of a match from the first byte to the last exclude the rule."""
        if rule.kind not in self._lines_exclude:
            self._lines_exclude[rule.kind] = rule.excludes("line", self._text)
        if not self._lines_exclude[rule.kind]:
            return False
        start, end = self._line
        # The end of a line may end a match: the next one has nothing to say then.
        last -= 1
        if not (start <= first and last <= end):
            end = self._text.find(b"\n", last)
            start, end = self._text.rfind(b"\n", 0, first) + 1, end if end >= 0 else len(self._text)
            self._line, self._line_excludes = (start, end), {}
        if rule.kind not in self._line_excludes:
            self._line_excludes[rule.kind] = rule.excludes("line", self._text[start:end])
        return self._line_excludes[rule.kind]


class SecretDetector:
    """Finds what the rules describe: first the rules that may fit, then what the patterns of those alone say.

    Every gate leads to the same findings; gates differ in what they cost.
    """

    def __init__(self, gate: Gate | None = None) -> None:
        self._gate = gate or GATE
        self._readings = [reading.read for reading in readings()]

    def find(self, text: bytes) -> list[Secret]:
        """The secrets in a text of UTF-8, in their order; none overlaps another. A long text is looked through in
        blocks: its secrets are found as those of a stream are."""
        if len(text) < MIN_BYTES:
            return []
        if len(text) <= BLOCK_BYTES + 2 * REACH_BYTES:
            return _merged(self._find(text))
        return _merged(secret for start in range(0, len(text), BLOCK_BYTES) for secret in self._in_block(text, start))

    def may_find(self, text: bytes) -> bool:
        """Whether there may be secrets in the text, or in one that it holds; costs a part of `find`."""
        spans, hints = self._gate.scan(text)
        return next(iter(spans), None) is not None or next(iter(hints), None) is not None

    def _in_block(self, text: bytes, start: int) -> Iterator[Secret]:
        first = max(0, start - REACH_BYTES)
        for found in self._find(text[first : start + BLOCK_BYTES + REACH_BYTES]):
            if start <= first + found.start < start + BLOCK_BYTES:
                yield Secret(first + found.start, first + found.end, found.kind)

    def _find(self, text: bytes) -> list[Secret]:
        """Also those that show only in another reading of the text."""
        spans, hints = self._gate.scan(text)
        found = _merged(_in_spans(text, spans))
        # A secret that is found as it is written ends there: what stands in the next line is no part of it.
        ends = {secret.start: secret.end for secret in found if secret.kind not in WEAK_KINDS}
        for hint in hints:
            reading = self._readings[hint.number](text, hint.ranges)
            read = bytes(reading.text)
            for secret in _in_spans(read, self._gate.scan(read)[0]):
                start, end = reading.origin(secret.start, secret.end)
                if secret.kind in WEAK_KINDS or ends.setdefault(start, end) == end:
                    found.append(Secret(start, end, secret.kind))
        return found


def _in_spans(text: bytes, spans: Iterable[Span]) -> Iterator[Secret]:
    searched = SearchedText(text)
    for span in spans:
        yield from searched.find(span)


def exceeds_entropy(text: bytes, least: float) -> bool:
    """Whether the entropy is higher; of most that have one, the number of different bytes says so."""
    length, different = len(text), len(set(text))
    if length < len(_COUNT_BITS):
        # It is lowest where all but one of them come once.
        lowest = math.log2(length) - _COUNT_BITS[length - different + 1] / length
        if lowest > least:
            return True
    return entropy(text) > least


def entropy(text: bytes) -> float:
    """Shannon's, in bits for each byte."""
    length, counts = len(text), Counter(text).values()
    if length < len(_COUNT_BITS):
        return math.log2(length) - sum(map(_COUNT_BITS.__getitem__, counts)) / length
    return -sum(count / length * math.log2(count / length) for count in counts)


def _merged(found: Iterable[Secret]) -> list[Secret]:
    """Merges secrets that overlap into one, of the kind that says most."""
    merged: list[Secret] = []
    for secret in sorted(found, key=itemgetter(0, 1)):
        if merged and secret.start < merged[-1].end:
            last = merged.pop()
            kind = secret.kind if last.kind in WEAK_KINDS else last.kind
            secret = Secret(last.start, max(last.end, secret.end), kind)
        merged.append(secret)
    return merged
