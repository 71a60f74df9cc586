"""The rules by which secrets are known: those of gitleaks and a few of our own, read from the files beside this one."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import re2

RULES = Path(__file__).parent / "secret_rules.json"
OWN_RULES = Path(__file__).parent / "secret_rules.own.json"
# What only looks like a key of some service; a rule that knows the service says more.
VAGUE = "generic-api-key"
# What stands before a key word in many patterns; it may be empty, so that whether one fits does not hang on it.
BEFORE = r"[\w.-]{0,50}?"


@dataclass(frozen=True)
class Exclusion:
    """What looks like a secret and is none: known by patterns that are found in the `secret`, the `match` or the
    `line`, or by words, in lower case, that the secret has."""

    of: str
    patterns: Sequence[str]
    words: Sequence[str]

    def fits(self, text: bytes) -> bool:
        """Whether any of the patterns is found in it."""
        return bool(self._any_pattern.Match(text))

    def has_word(self, secret: bytes) -> bool:
        """Whether the secret has any of the words, in whatever case."""
        if not self.words:
            return False
        lower = secret.decode("utf-8", "replace").lower()
        return bool(self._any_word.Match(lower.encode()))

    @cached_property
    def _any_pattern(self) -> Any:
        """All in one: a search for each would cost more than the search for the secret."""
        return _any_of(f"(?:{pattern})" for pattern in self.patterns)

    @cached_property
    def _any_word(self) -> Any:
        return _any_of(map(re2.escape, self.words))


@dataclass(frozen=True)
class SecretRule:
    """One kind of secret. A text without any of the keywords, which are in lower case, holds none of it.

    The secret is the group of this number; with 0, the first group that holds something, else the whole match.
    `least_entropy` is in bits for each byte; 0 asks for none.
    """

    kind: str
    pattern: str
    keywords: Sequence[str]
    group: int
    least_entropy: float
    exclusions: Sequence[Exclusion]

    @cached_property
    def encoded_keywords(self) -> Sequence[bytes]:
        return [word.encode() for word in self.keywords]

    @cached_property
    def compiled(self) -> Any:
        """Made when a text first has a keyword of it: most never are."""
        return _compiled(self.pattern)


@dataclass(frozen=True, slots=True)
class SecretRules:
    """All rules, and what is excluded whatever the rule."""

    rules: Sequence[SecretRule]
    exclusions: Sequence[Exclusion]


@cache
def secret_rules() -> SecretRules:
    """The rules that come with the server."""
    read, own = json.loads(RULES.read_text()), json.loads(OWN_RULES.read_text())
    rules = [
        SecretRule(**{**rule, "exclusions": _exclusions(rule)})
        for rule in (*read["rules"], *own["rules"])
    ]
    return SecretRules(rules, _exclusions(read))


def _exclusions(read: Mapping[str, Any]) -> list[Exclusion]:
    return [Exclusion(**each) for each in read["exclusions"]]


def _any_of(patterns: Iterable[str]) -> Any:
    """A set of one pattern: whether it fits is asked at each match, and a set answers in half the time."""
    compiled = re2.Set.SearchSet()
    compiled.Add("|".join(patterns))
    compiled.Compile()
    return compiled


def _compiled(pattern: str) -> Any:
    """By RE2: its time grows with the text and with nothing else, whatever a caller sends."""
    return re2.compile(pattern.encode())
