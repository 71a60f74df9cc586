"""Which rules may fit a text, and where: what a detector asks before it lets their patterns run."""

import re
import threading
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Protocol

import hyperscan
import re2

from camillo_server.redaction.readings import readings
from camillo_server.redaction.rules import BEFORE, VAGUE, SecretRule, secret_rules

# One step of a pattern, with how often it may come.
_STEP = re.compile(
    r"(?P<step>\(\?s:\.\)|\\.|\[\^?\]?(?:\\.|\[:\w+:\]|[^\]\\])*\]|\.|[^.\\\[])"
    r"(?:\{(?P<least>\d+)(?P<to>,(?P<most>\d*))?\}|(?P<sign>[*+?]))?",
    re.DOTALL,
)
_BYTES_OF_CHARACTER = 4
# Rules whose patterns begin with what many texts hold; their keywords are rare, and cost less to look for
# (docs/adr/0020).
BY_KEYWORD = frozenset(
    {
        "sourcegraph-access-token",
        "maxmind-license-key",
        "facebook-access-token",
        "microsoft-teams-webhook",
    }
)
# K (the Kelvin sign) and the long s: letters of other lengths that RE2 takes for k and s where case is ignored.
FOLDED = (b"\xe2\x84\xaa", b"\xc5\xbf")
# What a value of the vague rule is made of, and the most that stands before one in a match of it.
VALUE = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.=+/-"
BEFORE_VALUE = 256
# The vague rule takes no value for a secret that has nothing of this.
WORDS, MORE_THAN_WORDS = r"^[a-zA-Z_.-]+$", re.compile(rb"[^a-zA-Z_.\-\s\"'`;\\]")
# Patterns of bytes, whatever text they are of.
_BYTES = re2.Options()
_BYTES.encoding = re2.Options.Encoding.LATIN1


@dataclass(frozen=True, slots=True)
class Span:
    """A rule, and from which to which byte of a text its pattern has to run."""

    rule: SecretRule
    start: int
    end: int


class Gate(Protocol):
    """Never passes over bytes that a pattern fits; it may name spans where none does."""

    def spans(self, text: bytes) -> Iterable[Span]:
        """In the order of the rules. No match of a pattern lies across the border of a span."""
        ...

    def hints(self, text: bytes) -> Iterable[int]:
        """The numbers of the other readings of the text in which there may be secrets."""
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
        self._hints = re2.Set.SearchSet(_BYTES)
        for patterns, _ in readings():
            self._hints.Add("|".join(patterns))
        self._hints.Compile()

    def spans(self, text: bytes) -> Iterable[Span]:
        found = self._keywords.Match(text.lower()) or ()
        numbers = sorted({self._of_keyword[each] for each in found})
        return [Span(self._rules[number], 0, len(text)) for number in numbers]

    def hints(self, text: bytes) -> Iterable[int]:
        return sorted(self._hints.Match(text) or ())


@cache
def keyword_gate() -> Gate:
    """One for all detectors of a process: to make it takes 7 ms."""
    return KeywordGate()


class PatternGate:
    """By Hyperscan: every pattern in one pass over a text, whatever keywords it has. For any number of threads.

    Raises hyperscan.error on a machine that cannot run it.
    """

    def __init__(self) -> None:
        self._rules: Sequence[SecretRule] = secret_rules().rules
        self._keywords = keyword_gate()
        # Of those that are looked for by keyword, the end of a match is not known.
        self._max_bytes = [
            None if rule.kind in BY_KEYWORD else max_bytes(rule.pattern) for rule in self._rules
        ]
        self._database = hyperscan.Database(mode=hyperscan.HS_MODE_BLOCK)
        expressions, ids, flags = zip(*self._expressions(), strict=True)
        self._database.compile(expressions=expressions, ids=ids, elements=len(ids), flags=flags)
        self._hints = hyperscan.Database(mode=hyperscan.HS_MODE_BLOCK)
        hints = [
            (pattern.encode(), number, hyperscan.HS_FLAG_SINGLEMATCH)
            for number, (patterns, _) in enumerate(readings())
            for pattern in patterns
        ]
        expressions, ids, flags = zip(*hints, strict=True)
        self._hints.compile(expressions=expressions, ids=ids, elements=len(ids), flags=flags)
        self._of_thread = threading.local()

    def spans(self, text: bytes) -> Iterable[Span]:
        ends = self._ends(text)
        if len(self._rules) in ends:
            return self._keywords.spans(text)
        return self._fitting(text, ends)

    def hints(self, text: bytes) -> Iterable[int]:
        found: set[int] = set()

        def keep(number: int, *_: object) -> None:
            found.add(number)

        self._hints.scan(text, match_event_handler=keep, scratch=self._scratch(self._hints))
        return sorted(found)

    def _fitting(self, text: bytes, ends: Mapping[int, Sequence[int]]) -> Iterator[Span]:
        for number in sorted(ends):
            rule, most = self._rules[number], self._max_bytes[number]
            found: Iterable[tuple[int, int]] = [(0, len(text))]
            if rule.kind == VAGUE:
                found = windows(text, ends[number])
            elif most is not None:
                found = bounded_windows(ends[number], most)
            yield from (Span(rule, start, end) for start, end in found)

    def _ends(self, text: bytes) -> Mapping[int, Sequence[int]]:
        """By the numbers of the rules, where matches end: all, or one of those without windows. The number after the
        last is that of folded letters."""
        found: dict[int, list[int]] = defaultdict(list)

        def keep(number: int, _start: int, end: int, _flags: int, _context: object) -> None:
            found[number].append(end)

        self._database.scan(text, match_event_handler=keep, scratch=self._scratch(self._database))
        return found

    def _scratch(self, database: hyperscan.Database) -> hyperscan.Scratch:
        """One for each thread: two scans at once may not share it."""
        name = "hints" if database is self._hints else "rules"
        scratch: hyperscan.Scratch | None = getattr(self._of_thread, name, None)
        if scratch is None:
            scratch = hyperscan.Scratch(database)
            setattr(self._of_thread, name, scratch)
        return scratch

    def _expressions(self) -> Iterator[tuple[bytes, int, int]]:
        once = hyperscan.HS_FLAG_SINGLEMATCH
        for number, rule in enumerate(self._rules):
            if rule.kind in BY_KEYWORD:
                for word in rule.keywords:
                    yield re2.escape(word).encode(), number, once | hyperscan.HS_FLAG_CASELESS
            else:
                pattern = in_bytes(rule.pattern).replace(BEFORE, "")
                has_windows = rule.kind == VAGUE or self._max_bytes[number] is not None
                yield pattern.encode(), number, 0 if has_windows else once
        for letter in FOLDED:
            yield letter, len(self._rules), once


@cache
def fastest_gate() -> Gate:
    """By Hyperscan, which takes about a second to make; by keywords on a machine that cannot run it."""
    try:
        return PatternGate()
    except hyperscan.error:
        return keyword_gate()


class WarmingGate:
    """By keywords until the other gate is made, which a thread begins with the first text: nobody waits for it, and
    who never asks never pays."""

    def __init__(self, make: Callable[[], Gate]) -> None:
        self._make = make
        self._gate = keyword_gate()
        self._begun = False
        self._beginning = threading.Lock()

    def hints(self, text: bytes) -> Iterable[int]:
        return self._gate.hints(text)

    def spans(self, text: bytes) -> Iterable[Span]:
        with self._beginning:
            is_first, self._begun = not self._begun, True
        if is_first:
            threading.Thread(target=self.complete, name="gate", daemon=True).start()
        return self._gate.spans(text)

    def complete(self) -> None:
        """Returns when the other gate is in use."""
        self._begun = True
        self._gate = self._make()


def in_bytes(pattern: str) -> str:
    """The pattern for an engine that counts bytes: what one character may be, up to four bytes may be."""
    return _STEP.sub(_step_in_bytes, pattern)


def _step_in_bytes(step: re.Match[str]) -> str:
    text, sign = step["step"], step["sign"]
    is_negated = re.search(r"\\[SWD]", text) is not None and text.startswith(("\\", "["))
    if not (is_negated or text == "." or (len(text) > 1 and text.startswith(("[^", "(")))):
        return step.group()
    if is_negated:
        # Which spaces there are differs between engines.
        text = "(?s:.)"
    if sign in ("*", "+"):
        return text + sign
    least = "0" if sign == "?" else step["least"] or "1"
    most = int(step["most"] or step["least"] or "1") * _BYTES_OF_CHARACTER
    return f"{text}{{{least},}}" if step["to"] == "," else f"{text}{{{least},{most}}}"


def max_bytes(pattern: str) -> int | None:
    """A length that no match exceeds, often far too large; None where matches may have any length."""
    total, repeated = 0, 1
    for step in _STEP.finditer(pattern):
        if step["sign"] in ("*", "+") or step["to"] == ",":
            return None
        most = int(step["most"] or step["least"] or "1")
        if step["step"] == ")":
            repeated *= most
        total += most * _BYTES_OF_CHARACTER
    return total * repeated


def bounded_windows(ends: Sequence[int], most: int) -> Iterator[tuple[int, int]]:
    """What lies around matches of a rule that end there and have at most so many bytes."""
    window = (0, 0)
    for end in sorted(ends):
        start = max(0, end - most)
        if start >= window[1]:
            if window[1]:
                yield window
            window = (start, end)
        window = (window[0], end)
    if window[1]:
        yield window


def windows(text: bytes, ends: Sequence[int]) -> Iterator[tuple[int, int]]:
    """What lies around matches of the vague rule that end there; none overlaps another, and no match reaches out of
    its own. Where no value is more than words, which are no secrets, there is none."""
    window, is_worth_it = (0, 0), False
    for end in sorted(ends):
        # The last byte of the value is up to three before: a match ends with a quote, say, or an escaped newline.
        value = _start_of_value(text, end - 2)
        start = max(0, value - BEFORE_VALUE)
        if start >= window[1]:
            if is_worth_it:
                yield window
            window, is_worth_it = (start, end), False
        window = (min(start, window[0]), end)
        is_worth_it = is_worth_it or MORE_THAN_WORDS.search(text, value, end) is not None
    if is_worth_it:
        yield window


def _start_of_value(text: bytes, inside: int) -> int:
    length = 64
    while True:
        before = text[max(0, inside - length) : inside]
        left = len(before.rstrip(VALUE))
        if left or length >= inside:
            return inside - len(before) + left
        length *= 4
