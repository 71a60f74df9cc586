"""The rules by which secrets are known: those of gitleaks and a few of our own, read from the files beside this one."""

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any, NamedTuple

import re2

RULES = Path(__file__).parent / "secret_rules.json"
OWN_RULES = Path(__file__).parent / "secret_rules.own.json"
# The rule for what only looks like a key of some service; a rule that knows the service says more.
VAGUE = "generic-api-key"
# The kinds that say least: also of a value that a sentence states, "my key is VALUE".
WEAK_KINDS = frozenset({VAGUE, "stated-secret"})
# The part before a key word in many patterns; it may be empty, so that whether a pattern fits does not depend on it.
BEFORE = r"[\w.-]{0,50}?"


@dataclass(frozen=True, slots=True)
class Exclusion:
    """Text that looks like a secret and is none: known by patterns that are found in the `secret`, the `match` or the
    `line`, or by words, in lower case, that the secret has."""

    of: str
    patterns: Sequence[str]
    words: Sequence[str]


class SecretMatch(NamedTuple):
    """The first byte and the end of a match in a text, and of the secret in it."""

    start: int
    end: int
    secret_start: int
    secret_end: int


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
        """The pattern in RE2, whose time grows with the text and with nothing else, whatever a caller sends. Made when
        a text first has a keyword of it: most never are."""
        return re2.compile(self.pattern.encode())

    def matches(self, text: bytes, start: int, end: int) -> Iterator[SecretMatch]:
        """The matches of the pattern between these bytes."""
        find = self._vague_matches if self.kind == VAGUE else self._grouped_matches
        return find(text, start, end)

    def _grouped_matches(self, text: bytes, start: int, end: int) -> Iterator[SecretMatch]:
        for match in self.compiled.finditer(text, start, end):
            groups = (self.group,) if self.group else range(1, self.compiled.groups + 1)
            spans = (match.span(group) for group in groups)
            secret = next((span for span in spans if span[0] < span[1]), match.span())
            yield SecretMatch(*match.span(), *secret)

    def _vague_matches(self, text: bytes, start: int, end: int) -> Iterator[SecretMatch]:
        """Matches of the rule for whatever looks like `key=value`: RE2 takes three times as long for a group as for a
        match. Python's engine does not, and cannot run away in what RE2 has matched."""
        whole, grouped = self._vague_patterns
        for match in whole.finditer(text, start, end):
            first, last = match.span()
            # Letters that are no ASCII where case is ignored are known to RE2 alone.
            is_ascii = text[first:last].isascii()
            found = is_ascii and grouped.match(text, first, last)
            found = found or self.compiled.match(text, first, last)
            yield SecretMatch(first, last, *found.span(1))

    @cached_property
    def _vague_patterns(self) -> tuple[Any, re.Pattern[bytes]]:
        whole = re.sub(r"(?<!\\)\((?!\?)", "(?:", self.pattern)
        # Spaces, and the end, as RE2 understands them.
        grouped = self.pattern.replace(r"\s", r"\t\n\f\r ").replace("$", r"\Z")
        return re2.compile(whole.encode()), re.compile(grouped.encode())

    def excludes(self, of: str, text: bytes) -> bool:
        """Whether this `secret`, `match` or `line` says that what was found is no secret."""
        patterns = self._excluding.get(of)
        return patterns is not None and bool(patterns.Match(text))

    @cached_property
    def _excluding(self) -> Mapping[str, Any]:
        patterns = defaultdict[str, list[str]](list)
        for each in self.exclusions:
            # A text is excluded by a line if and only if one of its lines is.
            flags = "?m:" if each.of == "line" else "?:"
            patterns[each.of] += (f"({flags}{pattern})" for pattern in each.patterns)
            patterns["secret"] += (f"(?i:{re2.escape(word)})" for word in each.words)
        return {of: pattern_set(["|".join(found)]) for of, found in patterns.items()}


@cache
def secret_rules() -> Sequence[SecretRule]:
    """The rules that come with the server, each with what is excluded whatever the rule."""
    read, own = json.loads(RULES.read_text()), json.loads(OWN_RULES.read_text())
    excluded = [*read["exclusions"], *own["exclusions"]]
    return [
        SecretRule(**{**rule, "exclusions": _exclusions(rule["kind"], [*rule["exclusions"], *excluded])})
        for rule in (*read["rules"], *own["rules"])
    ]


def _exclusions(kind: str, stated: Iterable[Mapping[str, Any]]) -> list[Exclusion]:
    """Exclusions that hold for this kind: all that name none, or name it."""
    return [
        Exclusion(each["of"], each["patterns"], each["words"]) for each in stated if kind in each.get("kinds", (kind,))
    ]


def pattern_set(patterns: Iterable[str]) -> Any:
    """A set that finds in one pass which of these patterns of bytes a text has. A set is faster even for one."""
    options = re2.Options()
    options.encoding = re2.Options.Encoding.LATIN1
    compiled = re2.Set.SearchSet(options)
    for pattern in patterns:
        compiled.Add(pattern)
    compiled.Compile()
    return compiled
