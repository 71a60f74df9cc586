"""Prose, Markdown and pages of the web: title, headings, how it begins."""

import html
import re
from collections.abc import Iterator, Sequence

from camillo_server.outputs.summary.shorten import counted, listed, one_line, shortened

HEADING = re.compile(r"(?P<level>#{1,6}) +(?P<text>\S.{0,200}?)#*$")
UNDERLINE = re.compile(r"(?:={3,}|-{3,}|~{3,})\s*$")
HTML_READ = 128 * 1024
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
    skipped = next(
        (position for position, line in enumerate(lines) if not METER.match(line[:200])), 0
    )
    return text.split("\n", skipped)[-1]


def is_html(head: str) -> bool:
    """Whether it begins as a page does."""
    return HTML_OPENING.match(head[:1_000]) is not None


def html_lines(head: str) -> Iterator[str]:
    """A page's title, headings and first words."""
    page = _seen(head[:HTML_READ])
    yield html_headline(head)
    headings = [one_line(_unescaped(text)) for text in HTML_HEADING.findall(page)]
    if headings:
        yield "Headings: " + listed([shortened(text, 80) for text in headings], 300)
    begin = page.lower().find("<body")
    words = one_line(_unescaped(TAG.sub(" ", page[max(begin, 0) :])))
    if words:
        yield "Text: " + shortened(words, WORDS_ROOM)


def html_headline(head: str) -> str:
    """`HTML page: 404 Not Found`."""
    title = TITLE.search(head[:HTML_READ])
    return f"HTML page: {shortened(one_line(_unescaped(title[1])), 90)}" if title else "HTML page"


def _unescaped(text: str) -> str:
    return html.unescape(LONG_REFERENCE.sub("&#1114112", text))


def _seen(page: str) -> str:
    """Without scripts and styles."""
    parts, position = [], 0
    while found := UNSEEN.search(page, position):
        parts.append(page[position : found.start()])
        end = page.find(f"</{found[1]}", found.end())
        if end < 0:
            return "".join(parts)
        position = end
    parts.append(page[position:])
    return "".join(parts)


def prose_lines(lines: Sequence[str], opening: str) -> Iterator[str]:
    """Headings and first sentences."""
    yield opening
    found = headings(lines)
    if found:
        yield f"Headings ({len(found):,}): {listed([shortened(text, 70) for text in found], 420)}"
    words = opening_sentences(lines)
    if words:
        yield "Begins: " + shortened(words, WORDS_ROOM)


def headline(lines: Sequence[str], line_count: int) -> str:
    """The first heading, or the first words."""
    found = headings(lines[:50])
    said = found[0] if found else opening_sentences(lines)
    return f"{counted(line_count, 'line')} of text: {shortened(said, 90)}" if said else "text"


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
    return (
        0 < len(above) <= 100
        and "|" not in above
        and (position < 2 or not lines[position - 2].strip())
    )


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
