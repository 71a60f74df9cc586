"""Finds by Hyperscan which rules may fit a text, and where."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache

import hyperscan
import re2

from camillo_server.lib.redaction.detector import Gate, Hint, Span, keyword_gate
from camillo_server.lib.redaction.readings import ByteRange, readings, start_of_run
from camillo_server.lib.redaction.rules import BEFORE, VAGUE, secret_rules
from camillo_server.lib.text.pattern_scan import PatternScan

# One step of a pattern, with how often it may come.
_STEP = re.compile(
    r"(?P<step>\(\?s:\.\)|\\.|\[\^?\]?(?:\\.|\[:\w+:\]|[^\]\\])*\]|\.|[^.\\\[])"
    r"(?:\{(?P<least>\d+)(?P<to>,(?P<most>\d*))?\}|(?P<sign>[*+?]))?",
    re.DOTALL,
)
_BYTES_OF_CHARACTER = 4
# Rules whose patterns begin with what many texts hold; their keywords are rare, and cost less to look for
# (docs/adr/secrets.md).
BY_KEYWORD = frozenset(
    {
        "sourcegraph-access-token",
        "maxmind-license-key",
        "facebook-access-token",
        "microsoft-teams-webhook",
        "private-key",
    }
)
# K (the Kelvin sign) and the long s: letters of other lengths that RE2 takes for k and s where case is ignored.
FOLDED = (b"\xe2\x84\xaa", b"\xc5\xbf")
# The bytes of a value of the vague rule, and the most bytes that stand before the value in a match.
VALUE = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.=+/-"
BEFORE_VALUE = 256
# The vague rule takes no value for a secret that has nothing of this.
WORDS, MORE_THAN_WORDS = r"^[a-zA-Z_.-]+$", re.compile(rb"[^a-zA-Z_.\-\s\"'`;\\]")


# Parts of patterns, as `in_bytes` has them, whose counts take Hyperscan a quarter of its time, and what stands in their
# place: it fits more, and has as few ends.
WIDER = {
    VAGUE: (
        (r"""(?:[ \t\w.-]{0,20})[\s'"\x60*_)]{0,4}""", r"""[\s\w.'"\x60*_)-]{0,24}"""),
        ("{0,32}(", "*("),
        ("{10,150}", "{10,}"),
    ),
    "url-password": (
        (r"""\b[A-Za-z][A-Za-z0-9+.-]{1,30}""", ""),
        (r"""[^\s/?#:@"'<>]{0,512}:""", ""),
        (r"""[^\s/?#@"'<>]{3,512}""", r"""[^\t\n\f\r /?#@"'<>]*"""),
    ),
}
# A text in which a reading may matter at more places is searched by keywords: each found costs as much as 50 bytes.
MAX_LOCATED = 10_000


class PatternGate:
    """Finds every pattern by Hyperscan, in one pass over a text, whatever keywords it has. Any number of threads may
    scan at once.

    Raises hyperscan.error on a machine that cannot run it.
    """

    def __init__(self) -> None:
        self._rules = secret_rules()
        self._keywords = keyword_gate()
        # None for rules that are looked for by keyword: the end of a match is not known.
        self._max_bytes = [None if rule.kind in BY_KEYWORD else max_bytes(rule.pattern) for rule in self._rules]
        self._scan = PatternScan(self._expressions())

    def scan(self, text: bytes) -> tuple[Iterable[Span], Iterable[Hint]]:
        try:
            ends, located = self._found(text)
        except hyperscan.ScanTerminated:
            return self._keywords.scan(text)
        spans: Iterable[Span] = ()
        if ends:
            is_folded = len(self._rules) in ends
            spans = self._keywords.scan(text)[0] if is_folded else self._fitting(text, ends)
        return spans, list(self._hints(text, ends, located)) if ends or located else ()

    def _hints(
        self, text: bytes, ends: Mapping[int, Sequence[int]], located: Mapping[int, Sequence[ByteRange]]
    ) -> Iterator[Hint]:
        for number, reading in enumerate(readings()):
            found = located.get(number, ())
            if len(self._rules) + 1 + number in ends:
                yield Hint(number)
            elif found and reading.ranges_at and (ranges := reading.ranges_at(text, sorted(found))):
                yield Hint(number, ranges)

    def _fitting(self, text: bytes, ends: Mapping[int, Sequence[int]]) -> Iterator[Span]:
        for number in sorted(number for number in ends if number < len(self._rules)):
            rule, most = self._rules[number], self._max_bytes[number]
            found: Iterable[tuple[int, int]] = [(0, len(text))]
            if rule.kind == VAGUE:
                found = windows(text, ends[number])
            elif most is not None:
                found = bounded_windows(ends[number], most)
            yield from (Span(rule, start, end) for start, end in found)

    def _found(self, text: bytes) -> tuple[Mapping[int, Sequence[int]], Mapping[int, Sequence[ByteRange]]]:
        """The ends of matches, by the numbers of the rules: all ends, or one for rules without windows. The number
        after the last rule is that of folded letters; those of the readings follow. Second, where located patterns
        fit, by the numbers of the readings. Raises hyperscan.ScanTerminated where one has more than MAX_LOCATED."""
        ends: dict[int, list[int]] = defaultdict(list)
        located: dict[int, list[ByteRange]] = defaultdict(list)
        first_located = len(self._rules) + 1 + len(readings())

        def keep(number: int, start: int, end: int, _flags: int, _context: object) -> bool | None:
            if number < first_located:
                ends[number].append(end)
                return None
            found = located[number - first_located]
            found.append((start, end))
            return len(found) > MAX_LOCATED or None

        self._scan(text, keep)
        return ends, located

    def _expressions(self) -> Iterator[tuple[bytes, int, int]]:
        once = hyperscan.HS_FLAG_SINGLEMATCH
        for number, rule in enumerate(self._rules):
            if rule.kind in BY_KEYWORD:
                for word in rule.keywords:
                    yield re2.escape(word).encode(), number, once | hyperscan.HS_FLAG_CASELESS
            else:
                pattern = in_bytes(rule.pattern).replace(BEFORE, "")
                for part, wider in WIDER.get(rule.kind, ()):
                    pattern = pattern.replace(part, wider)
                has_windows = rule.kind == VAGUE or self._max_bytes[number] is not None
                yield pattern.encode(), number, 0 if has_windows else once
        for letter in FOLDED:
            yield letter, len(self._rules), once
        for number, reading in enumerate(readings(), len(self._rules) + 1):
            for pattern in () if reading.located else reading.patterns:
                yield pattern.encode(), number, once
            # Many patterns that begin with a word cost as much as one; all of them as one pattern as much as the rest.
            for pattern in reading.located:
                yield pattern.encode(), number + len(readings()), hyperscan.HS_FLAG_SOM_LEFTMOST


@cache
def fastest_gate() -> Gate:
    """Makes the gate of Hyperscan, in about a second; the one of keywords on a machine that cannot run Hyperscan."""
    try:
        return PatternGate()
    except hyperscan.error:
        return keyword_gate()


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
    """Windows around matches of a rule that end at `ends` and have at most `most` bytes."""
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
    """Windows around matches of the vague rule that end at `ends`; none overlaps another, and no match reaches out of
    its own. Omits windows whose values are no more than words, which are no secrets."""
    window, is_worth_it = (0, 0), False
    for end in sorted(ends):
        # The last byte of the value is up to three before: a match ends with a quote, say, or an escaped newline.
        value = start_of_run(text, end - 2, VALUE)
        start = max(0, value - BEFORE_VALUE)
        if start >= window[1]:
            if is_worth_it:
                yield window
            window, is_worth_it = (start, end), False
        window = (min(start, window[0]), end)
        is_worth_it = is_worth_it or MORE_THAN_WORDS.search(text, value, end) is not None
    if is_worth_it:
        yield window
