"""Prose, Markdown and pages of the web: title, headings, how it begins."""

import html
import re
from collections.abc import Iterator, Sequence

from camillo_server.lib.outputs.summary.code import file_read_by
from camillo_server.lib.outputs.summary.sample import ContentKind, Material, Recognized
from camillo_server.lib.outputs.summary.shorten import counted, listed, one_line, shortened

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
