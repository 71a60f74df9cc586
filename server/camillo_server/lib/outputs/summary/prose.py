"""Prose, Markdown and pages of the web: title, headings, how it begins; and lines of any output that look like
failures."""

import html
import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache

import hyperscan

from camillo_server.lib.outputs.summary.code import file_read_by
from camillo_server.lib.outputs.summary.sample import (
    ContentKind,
    Material,
    NotableLine,
    Recognized,
    counted,
    listed,
    one_line,
    shortened,
)
from camillo_server.lib.text.characters import newline_count
from camillo_server.lib.text.pattern_scan import PatternScan

HEADING = re.compile(r"(?P<level>#{1,6}) +(?P<text>\S.{0,200}?)#*$")
UNDERLINE = re.compile(r"(?:={3,}|-{3,}|~{3,})\s*$")
HTML_READ = 128 * 1024
PROSE_READ, PROSE_LINES = 256 * 1024, 8_000
HTML_OPENING = re.compile(
    r"\s{0,200}(?:<\?xml[^>]{0,200}>\s{0,20})?(?:<!--.{0,400}?-->\s{0,20})?<(?:!DOCTYPE\s|html|head|body)",
    re.IGNORECASE | re.DOTALL,
)
TITLE = re.compile(r"<title[^>]{0,200}>([^<]{1,300})", re.IGNORECASE)
HTML_HEADING = re.compile(r"<h[1-3][^>]{0,300}>([^<]{1,200})", re.IGNORECASE)
UNSEEN = re.compile(r"<(script|style)\b", re.IGNORECASE)
TAG = re.compile(r"<[^<>]{0,2000}>")
# More digits are no character, and Python reads no number of thousands of them.
LONG_REFERENCE = re.compile(r"&#[0-9]{100,}")
METER = re.compile(r"\s*(?:$|% Total|Dload|[\d.]+[kMG]?\s+[\d.]+[kMG]?\s+[\d.]+[kMG]?\s.*\d)")
WORDS_ROOM = 320


def response_body(text: str) -> str:
    """The text that curl received, without the meter that it prints before."""
    if not text[:40].lstrip().startswith("% Total"):
        return text
    lines = text[:8_000].split("\n")
    skipped = next((position for position, line in enumerate(lines) if not METER.match(line[:200])), 0)
    return text.split("\n", skipped)[-1]


def recognize_page(material: Material) -> Recognized | None:
    """Recognizes a web page by its beginning."""
    if HTML_OPENING.match(material.body[:1_000]) is None:
        return None
    return Recognized.by_lines(ContentKind.TEXT, html_lines(material.body))


def html_lines(page: str) -> Iterator[str]:
    """`HTML page: 404 Not Found`, then its headings and first words."""
    title = TITLE.search(page[:HTML_READ])
    yield f"HTML page: {shortened(one_line(_unescaped(title[1])), 90)}" if title else "HTML page"
    visible = _without_scripts(page[:HTML_READ])
    headings = [one_line(_unescaped(text)) for text in HTML_HEADING.findall(visible)]
    if headings:
        yield "Headings: " + listed([shortened(text, 80) for text in headings], 300)
    begin = visible.lower().find("<body")
    words = one_line(_unescaped(TAG.sub(" ", visible[max(begin, 0) :])))
    if words:
        yield "Text: " + shortened(words, WORDS_ROOM)


def _unescaped(text: str) -> str:
    return html.unescape(LONG_REFERENCE.sub("&#1114112", text))


def _without_scripts(page: str) -> str:
    """The page without scripts and styles."""
    parts, position = [], 0
    while found := UNSEEN.search(page, position):
        parts.append(page[position : found.start()])
        position = page.find(f"</{found[1]}", found.end())
        if position < 0:
            return "".join(parts)
    return "".join(parts) + page[position:]


def recognize_named_prose(material: Material) -> Recognized | None:
    """Recognizes prose by the name of its file, or by its media type."""
    name = material.sample.name or file_read_by(material.sample.command)
    is_prose = name.lower().endswith((".md", ".rst", ".txt", ".adoc"))
    is_prose = is_prose or material.sample.media_type == "text/markdown"
    return recognize_prose(material) if is_prose else None


def recognize_prose(material: Material) -> Recognized:
    """The first heading or the first words; headings, and how it begins."""
    lines = material.many_lines(PROSE_READ)[:PROSE_LINES]
    opening = f"{counted(material.sample.line_count, 'line')} of text"
    described = [opening]
    if found := headings(lines):
        shown = listed([shortened(text, 70) for text in found], 420)
        described.append(f"Headings ({len(found):,}): {shown}")
    if words := opening_sentences(lines):
        described.append("Begins: " + shortened(words, WORDS_ROOM))
    first = next(iter(headings(lines[:50])), words)
    headline = f"{opening}: {shortened(first, 90)}" if first else "text"
    return Recognized(ContentKind.TEXT, headline, tuple(described), holds_messages=True)


def headings(lines: Sequence[str]) -> list[str]:
    """Headings of Markdown and of underlined text, in order, without those of fenced code."""
    found: list[str] = []
    fenced = False
    for position, line in enumerate(lines):
        if line.startswith("```"):
            fenced = not fenced
        elif fenced:
            continue
        elif match := HEADING.match(line[:300]):
            found.append(one_line(match["text"]))
        elif position and UNDERLINE.match(line[:200]) and _is_title(lines, position):
            found.append(one_line(lines[position - 1]))
    return found


def _is_title(lines: Sequence[str], position: int) -> bool:
    above = lines[position - 1].strip()
    return 0 < len(above) <= 100 and "|" not in above and (position < 2 or not lines[position - 2].strip())


def opening_sentences(lines: Sequence[str]) -> str:
    """The first paragraph that is no heading."""
    sentences: list[str] = []
    for line in lines[:60]:
        plain = line.strip()
        if not plain or HEADING.match(plain[:300]) or UNDERLINE.match(plain[:200]):
            if sum(map(len, sentences)) > 60:
                break
            continue
        sentences.append(plain[:600])
    return one_line(" ".join(sentences))[: 2 * WORDS_ROOM]


MAX_FIRST = 100
MAX_LAST = 200
MAX_CHARACTERS = 500
# A word that stands further into a line than this says nothing about the part of it that is kept.
READ = 4 * MAX_CHARACTERS
FAILURE_WORDS = (b"rror:", b"FAIL", b"ERROR", b"Exception", b"panic")
# A text with more of them is searched from both its ends instead: each position found costs about as much as 2 KiB.
MAX_POSITIONS = 2_000

# Returns where in a text failure words end, in order; None where there are too many to tell.
FailurePositions = Callable[[bytes], Sequence[int] | None]


def one_by_one(_: bytes) -> None:
    """`FailurePositions` that leave each word to be searched for by itself, which takes about six times as long."""


class NotableLines:
    """Fed all parts of a stream in order, keeps its first 100 and its last 200 such lines, each up to 500
    characters."""

    def __init__(self, positions: FailurePositions = one_by_one) -> None:
        self._positions = positions
        self._first: list[NotableLine] = []
        self._last: deque[NotableLine] = deque(maxlen=MAX_LAST)
        self._line_count = 0
        # The beginning of the line that the last part ended in.
        self._open = b""

    def feed(self, part: bytes) -> None:
        """Reads the next part; it may begin and end anywhere, within a character, too."""
        end = part.rfind(b"\n") + 1
        if not end:
            self._open = (self._open + part[:READ])[:READ]
            return
        start = 0
        if self._open:
            start = part.find(b"\n") + 1
            opened = (self._open + part[:start])[:READ]
            self._line_count += 1
            if _has_failure_word(opened):
                self._keep(NotableLine(self._line_count, _text(opened)))
        self._read_lines(part, start, end)
        self._open = part[end : end + READ]

    def lines(self) -> Sequence[NotableLine]:
        """The lines kept until now, in order; an open last line is judged as it is."""
        found = [*self._first, *self._last]
        if _has_failure_word(self._open):
            found.append(NotableLine(self._line_count + 1, _text(self._open)))
        return tuple(found)

    def _read_lines(self, part: bytes, start: int, end: int) -> None:
        """Whole lines of a part."""
        counted = start
        for position in sorted(self._line_starts(part, start, end)):
            self._line_count += newline_count(part, counted, position)
            counted = position
            line = part[position : min(part.find(b"\n", position), position + READ)]
            self._keep(NotableLine(self._line_count + 1, _text(line)))
        self._line_count += newline_count(part, counted, end)

    def _line_starts(self, part: bytes, start: int, end: int) -> set[int]:
        """The starts of those lines with a word that could be kept: so many from each end are enough."""
        positions = self._positions(part)
        if positions is not None:
            return set(_starts_before(part, positions, start, end))
        found: set[int] = set()
        for word in FAILURE_WORDS:
            if part.find(word, start, end) < 0:
                continue
            if len(self._first) < MAX_FIRST:
                found.update(_from_front(part, word, start, end))
            found.update(_from_back(part, word, start, end))
        return found

    def _keep(self, line: NotableLine) -> None:
        if len(self._first) < MAX_FIRST:
            self._first.append(line)
        else:
            self._last.append(line)


def _starts_before(part: bytes, positions: Sequence[int], start: int, end: int) -> Iterable[int]:
    """The starts of the lines in which these positions are."""
    for position in positions:
        line_start = part.rfind(b"\n", start, position) + 1 or start
        if start < position <= end and position - line_start < READ:
            yield line_start


def _from_front(part: bytes, word: bytes, start: int, end: int) -> Iterator[int]:
    position = start
    for _ in range(MAX_FIRST):
        position = part.find(word, position, end)
        if position < 0:
            return
        line_start = part.rfind(b"\n", start, position) + 1 or start
        if position - line_start < READ:
            yield line_start
        position = part.find(b"\n", position)


def _from_back(part: bytes, word: bytes, start: int, end: int) -> Iterator[int]:
    position = end
    for _ in range(MAX_LAST):
        position = part.rfind(word, start, position)
        if position < 0:
            return
        line_start = part.rfind(b"\n", start, position) + 1 or start
        first = part.find(word, line_start, position + len(word))
        if first - line_start < READ:
            yield line_start
        position = line_start


def _has_failure_word(line: bytes) -> bool:
    return any(word in line for word in FAILURE_WORDS)


def _text(line: bytes) -> str:
    return line.decode("utf-8", "replace").rstrip("\r\n")[:MAX_CHARACTERS]


class FailureWords:
    """`FailurePositions` by Hyperscan; for any number of threads."""

    def __init__(self) -> None:
        """Raises hyperscan.error on a machine that cannot run it."""
        self._scan = PatternScan((word, number, 0) for number, word in enumerate(FAILURE_WORDS))

    def __call__(self, part: bytes) -> Sequence[int] | None:
        """The positions where words end, in order; None where there are too many to tell."""
        found: list[int] = []

        def keep(_word: int, _start: int, end: int, _flags: int, _context: object) -> bool | None:
            found.append(end)
            return len(found) > MAX_POSITIONS or None

        try:
            self._scan(part, keep)
        except hyperscan.ScanTerminated:
            return None
        return found


@cache
def failure_positions() -> FailurePositions:
    """By Hyperscan where it runs, else each word by itself."""
    try:
        return FailureWords()
    except hyperscan.error:
        return one_by_one
