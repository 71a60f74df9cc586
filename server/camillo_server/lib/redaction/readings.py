"""Other readings of a text, in which secrets are looked for as well: as a reader sees it, with escapes resolved;
decoded from base64 and hexadecimal digits; with the lines joined that a secret may be split over.

Each resolves one level. A reading is made only if one set of patterns, which looks at every text, says that there may
be something.
"""

import binascii
import re
from base64 import b64encode
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from html.entities import html5
from itertools import accumulate
from typing import Any, NamedTuple

import re2

from camillo_server.lib.redaction.rules import BEFORE, VAGUE, SecretRule, secret_rules
from camillo_server.lib.text.value_fingerprints import SHOWS_NOTHING

# A printable character of ASCII, of which secrets are made, in two hexadecimal digits.
_HEX = "[2-7][0-9A-Fa-f]"
# How far a character in full width lies behind its own.
_FULL_WIDTH = 0xFEE0
_INVISIBLE, _WIDE = SHOWS_NOTHING.pattern[1:-2], "\uff01-\uff5e"
_CODE = rf"%{_HEX}|\\(?:x|u00|U000000){_HEX}|\\u\{{0*{_HEX}\}}|&#[xX]0*{_HEX};"
_ENTITY = "&#[0-9]+;|&[A-Za-z]+;"
# It begins with one class, which is searched for several times faster than one of several patterns.
_ESCAPE = re.compile(
    rf"[%\\&{_INVISIBLE}{_WIDE}](?:(?<=[{_INVISIBLE}])(?P<nothing>)|(?<=[{_WIDE}])(?P<wide>)"
    rf"|(?<=%)(?P<percent>{_HEX})|(?<=\\)(?:x|u00|U000000)(?P<code>{_HEX})|(?<=\\)u\{{0{{0,4}}(?P<braces>{_HEX})\}}"
    rf"|(?<=&)#[xX]0{{0,4}}(?P<entity>{_HEX});|(?<=&)#0{{0,4}}(?P<decimal>[0-9]{{2,3}});"
    rf"|(?<=&)(?P<name>[A-Za-z]{{2,10}};))"
)
# Words beside which passwords stand, and what begins an address that may have one; of the rules that know a service
# their keywords serve.
_TELLING = (
    "password",
    "passwd",
    "secret",
    "token",
    "api_key",
    "apikey",
    "access_key",
    "credential",
)
_TELLING_URLS = ("https://", "postgres", "mysql://", "redis://", "mongodb", "amqp")
# Shorter words, and parts of encoded ones, stand in too many texts.
_MIN_WORD, _MIN_BASE64, _PLAIN = 3, 4, re.compile("[a-z]{5,}|[^a-zA-Z0-9]+")
_BASE64 = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/_-"
_BASE64_LINE = re.compile(rb"[A-Za-z0-9+/_-]+")
_BASE64_RUN = re.compile(rb"[A-Za-z0-9+/_-]+(?:[ \t]*\r?\n[ \t]*[A-Za-z0-9+/_-]{4,}){0,32}")
# The break between two lines of a secret, how many breaks there may be, and a character of its value.
_BREAK, _MAX_BREAKS, _VALUE = r"[ \t]*\\?(?:\r?\n|\\r\\n|\\n)[ \t]*", 4, r"[\w+/=.-]"
_BREAKS = re.compile(_BREAK.encode())


# The first byte of a range of a text, and its end.
ByteRange = tuple[int, int]
ByteRanges = Sequence[ByteRange] | None


class _Segment(NamedTuple):
    """The bytes of the text that a part comes from; `size` bytes of the text are read as `read` bytes."""

    start: int
    end: int
    size: int
    read: int


class DecodedText:
    """Another reading of a text, and where in the text each byte of it comes from."""

    def __init__(self) -> None:
        self.text = bytearray()
        self._starts: list[int] = []
        self._segments: list[_Segment] = []

    def add(self, read: bytes, start: int, end: int, sizes: tuple[int, int] = (1, 1)) -> None:
        """The bytes from `start` to `end` of the text are read as these; `sizes`: so many as so many."""
        self._starts.append(len(self.text))
        self._segments.append(_Segment(start, end, *sizes))
        self.text += read

    def separate(self) -> None:
        """Adds a border that nothing that is found reaches over."""
        self.text += b"\n"

    def origin(self, start: int, end: int) -> tuple[int, int]:
        """The bytes of the text that these bytes are read from."""
        return self._origin(start)[0], self._origin(end - 1)[1]

    def _origin(self, at: int) -> ByteRange:
        index = bisect_right(self._starts, at) - 1
        segment = self._segments[index]
        start = segment.start + (at - self._starts[index]) // segment.read * segment.size
        return min(start, segment.end), min(start + segment.size, segment.end)


class TextReading(NamedTuple):
    """How a text is read otherwise.

    It may matter where one of the patterns, of bytes, fits. They have no counted repeats, with which a set may run out
    of memory. A gate that tells cheaply where each match is takes the `located` ones instead: it asks `ranges_at` where
    among those, in their order, it matters, and hands that to `read`, which without it looks for itself. The first
    of several matches with one end will do."""

    patterns: Sequence[str]
    read: Callable[[bytes, ByteRanges], DecodedText]
    located: Sequence[str] = ()
    ranges_at: Callable[[bytes, Iterable[ByteRange]], Sequence[ByteRange]] | None = None


@cache
def readings() -> Sequence[TextReading]:
    """All readings, in the order of their numbers."""
    words = [re2.escape(word) for word in _known_words()]
    before_break = rf"{_VALUE}*[ \t]*\\?(?:[\r\n]|\\[rn])"
    return [
        TextReading([_CODE, _ENTITY, *_in_utf8(_INVISIBLE + _WIDE)], _as_shown),
        TextReading(_parts(_in_base64), _from_base64),
        TextReading(_parts(_in_hex), _from_hex),
        TextReading(
            [f"(?:{'|'.join(words)}){before_break}"],
            _joined,
            [word + before_break for word in words],
            _split_ranges_at,
        ),
    ]


def _as_shown(text: bytes, _: ByteRanges = None) -> DecodedText:
    """Reads the text without what shows nothing, in letters of one width, and with escapes resolved."""
    reading, offset, end = DecodedText(), 0, 0
    decoded = text.decode("utf-8", "surrogateescape")
    for escape in _ESCAPE.finditer(decoded):
        before = _encoded(decoded[end : escape.start()])
        reading.add(before, offset, offset + len(before))
        offset, end = offset + len(before), escape.end()
        written = _encoded(escape.group())
        shown = _shown(escape)
        read = written if shown is None else shown.encode()
        reading.add(read, offset, offset + len(written), (len(written), max(1, len(read))))
        offset += len(written)
    rest = _encoded(decoded[end:])
    reading.add(rest, offset, offset + len(rest))
    return reading


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _shown(escape: re.Match[str]) -> str | None:
    """A character of ASCII, or nothing; None for what stays as it is written."""
    form = escape.lastgroup or ""
    match form:
        case "nothing":
            return ""
        case "wide":
            return chr(ord(escape.group()) - _FULL_WIDTH)
        case "decimal":
            code = int(escape[form])
            return chr(code) if 0x20 <= code < 0x7F else None
        case "name":
            character = html5.get(escape[form], "")
            return character if len(character) == 1 and character.isascii() else None
    return chr(int(escape[form], 16))


def _from_base64(text: bytes, _: ByteRanges = None) -> DecodedText:
    """Decodes base64: at each position the first line alone, and all of its lines."""
    reading, done = DecodedText(), 0
    while hint := _in_base64_of_words().search(text, done):
        run = next(_BASE64_RUN.finditer(text, start_of_run(text, hint.start(), _BASE64)))
        lines = [line.span() for line in _BASE64_LINE.finditer(text, *run.span())]
        done = run.end()
        # Where the encoded text begins in it is not known: letters may stand directly before.
        for first in range(lines[0][0], lines[0][0] + 4):
            for count in {1, len(lines)}:
                for start, end in [(first, lines[0][1]), *lines[1:count]]:
                    reading.add(_decoded(text[start:end]), start, end, (4, 3))
                reading.separate()
    return reading


def start_of_run(text: bytes, inside: int, members: bytes) -> int:
    """Where those of these bytes begin that stand together directly before a position."""
    length = 64
    while True:
        before = text[max(0, inside - length) : inside]
        left = len(before.rstrip(members))
        if left or length >= inside:
            return inside - len(before) + left
        length *= 4


_STANDARD = bytes.maketrans(b"-_", b"+/")


def _decoded(letters: bytes) -> bytes:
    whole = letters[:-1] if len(letters) % 4 == 1 else letters
    return binascii.a2b_base64(whole.translate(_STANDARD) + b"==")


def _from_hex(text: bytes, _: ByteRanges = None) -> DecodedText:
    reading = DecodedText()
    for run in _hex_runs().finditer(text):
        for first in (run.start(), run.start() + 1):
            end = run.end() - (run.end() - first) % 2
            reading.add(bytes.fromhex(text[first:end].decode()), first, end, (2, 1))
            reading.separate()
    return reading


def _joined(text: bytes, ranges: ByteRanges = None) -> DecodedText:
    """Joins the lines of each range where a secret may be split: over one break, over two, and so on, since what
    follows a secret often tells that it has ended."""
    reading = _JoinedLines(text)
    for range_ in ranges or [each.span() for each in _split_ranges().finditer(text)]:
        reading.add_range(range_)
    return reading


class _JoinedLines(DecodedText):
    """The first two lines of each range, the first three, and so on. There may be tens of thousands of ranges, so
    lines are located only for what is found."""

    def __init__(self, source: bytes) -> None:
        super().__init__()
        self._source = source
        self._ranges: list[ByteRange] = []

    def add_range(self, range_: ByteRange) -> None:
        """Adds the next place of the text."""
        self._starts.append(len(self.text))
        self._ranges.append(range_)
        joined = accumulate([self._source[start:end] for start, end in self._lines(range_)])
        next(joined)
        self.text += b"\n".join(joined)
        self.separate()

    def _origin(self, at: int) -> ByteRange:
        index = bisect_right(self._starts, at) - 1
        at -= self._starts[index]
        lines = self._lines(self._ranges[index])
        for count in range(2, len(lines) + 1):
            read = sum(end - start for start, end in lines[:count]) + 1
            if at < read:
                break
            at -= read
        for start, end in lines[:count]:
            if at < end - start:
                return start + at, start + at + 1
            at -= end - start
        return end, end

    def _lines(self, range_: ByteRange) -> list[ByteRange]:
        breaks = [each.span() for each in _BREAKS.finditer(self._source, *range_)]
        starts = [range_[0], *(end for _, end in breaks)]
        return [*zip(starts, [*(start for start, _ in breaks), range_[1]], strict=True)]


def _split_ranges_at(text: bytes, located: Iterable[ByteRange]) -> Sequence[ByteRange]:
    """The matches of `_split_ranges` in the text, in order; the first line of each ends with one of these."""
    ranges, split, done = list[ByteRange](), _split_ranges(), 0
    for start, end in located:
        if end <= done:
            continue
        # The range before may end within a word; then one behind that may begin the next range.
        match = split.match(text, start) if start >= done else split.search(text, done)
        if match is not None:
            ranges.append(match.span())
            done = match.end()
    return ranges


@cache
def _split_ranges() -> Any:
    words = "|".join(map(re2.escape, _known_words()))
    lines = f"{_VALUE}*(?:{_BREAK}{_VALUE}+){{1,{_MAX_BREAKS}}}"
    return re2.compile(f"(?:{words}){lines}".encode())


@cache
def _in_base64_of_words() -> Any:
    # A pattern of whole lines takes RE2 forty times as long: their counts are more states than it keeps.
    return re2.compile(f"(?:{'|'.join(_parts(_in_base64))})[A-Za-z0-9+/_-]{{8}}".encode())


@cache
def _hex_runs() -> Any:
    digits, parts = "[0-9A-Fa-f]", "|".join(_parts(_in_hex))
    return re2.compile(f"{digits}*(?:{parts}){digits}{{16,}}".encode())


@cache
def _known_words() -> Sequence[str]:
    """Beginnings of secrets that show by themselves whose they are, in the case of the patterns."""
    rules = [rule for rule in secret_rules() if rule.kind != VAGUE]
    known = [rule for rule in rules if BEFORE not in rule.pattern]
    words = {"eyJ", *(word for rule in known for word in _as_written(rule))}
    return sorted(word for word in words if len(word) >= _MIN_WORD and not _PLAIN.fullmatch(word))


def _as_written(rule: SecretRule) -> Iterator[str]:
    """The keywords in the case that the pattern has them in."""
    pattern = rule.pattern.replace("\\", "")
    for word in rule.keywords:
        at = pattern.lower().find(word)
        yield pattern[at : at + len(word)] if at >= 0 else word


def _parts(encode: Callable[[bytes], Iterable[str]]) -> Sequence[str]:
    """All forms, in another encoding, of the words that tell of a secret."""
    telling = {form for word in _TELLING for form in (word, word.upper(), word.capitalize())}
    words = {*_known_words(), *_TELLING_URLS, *telling}
    return sorted({re2.escape(part) for word in words for part in encode(word.encode())})


def _in_base64(word: bytes) -> Iterator[str]:
    """The letters that any text with the word has, after none, one and two bytes of a group of three."""
    for before in range(3):
        written = b64encode(bytes(before) + word + b"\0\0").decode()
        part = written[-(-8 * before // 6) : 8 * (before + len(word)) // 6]
        if len(part) >= _MIN_BASE64:
            yield part
            yield part.replace("+", "-").replace("/", "_")


def _in_hex(word: bytes) -> Iterator[str]:
    yield word.hex()
    yield word.hex().upper()


def _in_utf8(characters: str) -> Iterator[str]:
    """A class of characters as patterns of bytes, one for each first part that several have in common."""
    last_bytes: dict[bytes, list[int]] = {}
    for first, last in re.findall("(.)(?:-(.))?", characters):
        for code in range(ord(first), ord(last or first) + 1):
            written = chr(code).encode()
            last_bytes.setdefault(written[:-1], []).append(written[-1])
    for before, last_ones in last_bytes.items():
        yield f"{_as_hex(before)}[{_as_hex(last_ones)}]"


def _as_hex(text: Iterable[int]) -> str:
    return "".join(f"\\x{byte:02x}" for byte in text)
