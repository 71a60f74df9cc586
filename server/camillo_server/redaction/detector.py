"""Where in a text there are secrets, and of what kind."""

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import re2

from camillo_server.redaction.rules import Exclusion, SecretRule, secret_rules

# What only looks like a key of some service; a rule that knows the service says more.
VAGUE = "generic-api-key"


@dataclass(frozen=True, slots=True)
class Secret:
    """A secret in bytes `start` to `end` of a text."""

    start: int
    end: int
    kind: str


class SecretDetector:
    """Finds what the rules describe: first by keywords, then by the patterns of those rules alone."""

    def __init__(self) -> None:
        self._rules = secret_rules()
        keyed = [(word, rule) for rule in self._rules.rules for word in rule.keywords]
        self._of_keyword = [rule for _, rule in keyed]
        # All keywords in one pass over a text.
        self._keywords = re2.Set.SearchSet()
        for word, _ in keyed:
            self._keywords.Add(re2.escape(word))
        self._keywords.Compile()

    def find(self, text: bytes) -> list[Secret]:
        """The secrets in a text of UTF-8, in their order; none overlaps another."""
        return _merged(found for rule in self._fitting(text) for found in self._by(rule, text))

    def _fitting(self, text: bytes) -> Iterable[SecretRule]:
        places = self._keywords.Match(text.lower()) or ()
        return {rule.kind: rule for rule in map(self._of_keyword.__getitem__, places)}.values()

    def _by(self, rule: SecretRule, text: bytes) -> Iterator[Secret]:
        for match in rule.compiled.finditer(text):
            start, end = _secret_in(match, rule.group)
            secret = text[start:end]
            if rule.least_entropy and entropy(secret) <= rule.least_entropy:
                continue
            if not any(
                _holds(each, match, secret) for each in (*self._rules.exclusions, *rule.exclusions)
            ):
                yield Secret(start, end, rule.kind)


def entropy(text: bytes) -> float:
    """Shannon's, in bits for each byte."""
    length = len(text)
    return -sum(count / length * math.log2(count / length) for count in Counter(text).values())


def _secret_in(match: Any, group: int) -> tuple[int, int]:
    if not group:
        group = next((number for number, held in enumerate(match.groups(), 1) if held), 0)
    start, end = match.span(group)
    return start, end


def _holds(exclusion: Exclusion, match: Any, secret: bytes) -> bool:
    if exclusion.words:
        lower = secret.decode("utf-8", "replace").lower()
        if any(word in lower for word in exclusion.words):
            return True
    if not exclusion.patterns:
        return False
    searched = secret
    if exclusion.of == "match":
        searched = match.group()
    elif exclusion.of == "line":
        searched = _line_of(match)
    return any(pattern.search(searched) for pattern in exclusion.compiled)


def _line_of(match: Any) -> bytes:
    text = match.string
    start, end = text.rfind(b"\n", 0, match.start()) + 1, text.find(b"\n", match.end())
    line: bytes = text[start : end if end >= 0 else len(text)]
    return line


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
