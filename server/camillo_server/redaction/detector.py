"""Where in a text there are secrets, and of what kind."""

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from camillo_server.redaction.exclusions import LookedThrough, excluded
from camillo_server.redaction.gate import Gate, Place, keyword_gate
from camillo_server.redaction.rules import VAGUE, SecretRule, secret_rules


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

    def find(self, text: bytes) -> list[Secret]:
        """The secrets in a text of UTF-8, in their order; none overlaps another."""
        looked = LookedThrough(text)
        places = self._gate.places(text)
        return _merged(found for place in places for found in self._in(place, looked))

    def _in(self, place: Place, looked: LookedThrough) -> Iterator[Secret]:
        rule = place.rule
        for match in rule.compiled.finditer(looked.text, place.start, place.end):
            start, end = _secret_in(match, rule.group)
            if self._is_secret(rule, match, looked.text[start:end], looked):
                yield Secret(start, end, rule.kind)

    def _is_secret(
        self, rule: SecretRule, match: Any, secret: bytes, looked: LookedThrough
    ) -> bool:
        # What sorts out most at the least cost comes first.
        if excluded(rule.exclusions[:1], match, secret, looked):
            return False
        if rule.least_entropy and entropy(secret) <= rule.least_entropy:
            return False
        others = (*self._exclusions, *rule.exclusions[1:])
        return not excluded(others, match, secret, looked) and looked.has_keyword_of(rule, match)


def entropy(text: bytes) -> float:
    """Shannon's, in bits for each byte."""
    length = len(text)
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
