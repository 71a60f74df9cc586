"""Which rules may fit a text, and where: what a detector asks before it lets their patterns run."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from threading import Lock, Thread
from typing import Protocol

import re2

from camillo_server.redaction.rules import SecretRule, secret_rules


@dataclass(frozen=True, slots=True)
class Place:
    """A rule, and from which to which byte of a text its pattern has to run."""

    rule: SecretRule
    start: int
    end: int


class Gate(Protocol):
    """Never passes over a place where a pattern fits; it may name places where none does."""

    def places(self, text: bytes) -> Iterable[Place]:
        """In the order of the rules. No match of a pattern lies across the border of a place."""
        ...


class KeywordGate:
    """Rules whose keywords the text has, all of them in one pass; their patterns run over all of the text."""

    def __init__(self) -> None:
        self._rules: Sequence[SecretRule] = secret_rules().rules
        self._of_keyword: list[int] = []
        self._keywords = re2.Set.SearchSet()
        for number, rule in enumerate(self._rules):
            for word in rule.keywords:
                self._keywords.Add(re2.escape(word))
                self._of_keyword.append(number)
        self._keywords.Compile()

    def places(self, text: bytes) -> Iterable[Place]:
        found = self._keywords.Match(text.lower()) or ()
        numbers = sorted({self._of_keyword[each] for each in found})
        return [Place(self._rules[number], 0, len(text)) for number in numbers]


@cache
def keyword_gate() -> Gate:
    """One for all detectors of a process: to make it takes 7 ms."""
    return KeywordGate()


@cache
def fastest_gate() -> Gate:
    """By Hyperscan where it runs, which takes about a second to make, else by keywords."""
    try:
        from camillo_server.redaction.pattern_gate import PatternGate, engine_error
    except ImportError:
        return keyword_gate()
    try:
        return PatternGate()
    except engine_error:
        return keyword_gate()


class GateInTheMaking:
    """By keywords until the other gate is made, which begins with the first text: nobody waits for it, and who never
    asks never pays."""

    def __init__(self, make: Callable[[], Gate]) -> None:
        self._make = make
        self._gate = keyword_gate()
        self._begun = False
        self._beginning = Lock()

    def places(self, text: bytes) -> Iterable[Place]:
        with self._beginning:
            is_first, self._begun = not self._begun, True
        if is_first:
            Thread(target=self.complete, name="gate", daemon=True).start()
        return self._gate.places(text)

    def complete(self) -> None:
        """Returns when the other gate is in use."""
        self._begun = True
        self._gate = self._make()
