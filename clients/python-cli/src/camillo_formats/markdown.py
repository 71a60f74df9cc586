"""Sections and passages of Markdown and plain texts, in any script: a passage is a memory, and begins with the headings
above it."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import NamedTuple

from camillo_formats.characters import border_at_or_before, is_border

# In characters: the most that a memory may hold, and the length up to which short paragraphs of a section are joined.
MAX_MEMORY = 2_000
COMFORTABLE_MEMORY = 1_000
PARAGRAPH_SEPARATOR = "\n\n"
MAX_TRAIL = 200
TRAIL_SEPARATOR = " > "
_ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"
SENTENCE_END = re.compile(
    r"(?<=[.!?…])[\"'”’»)\]]*\s+|(?<=[。！？；｡．॥।؟۔።։។៖།])[」』”’）]*\s*",
)
WORD_END = re.compile(r"\s+|(?<=[、，,،;])")
# The borders within a paragraph or a block of code, from the strongest to the weakest; each is where a match ends.
INNER_BORDERS = (re.compile(r"\n"), SENTENCE_END, WORD_END)
# As in CommonMark: a fence is closed by one of the same kind, as long or longer, with nothing behind it. The possessive
# quantifiers keep the time linear in hostile texts.
_FENCED = (
    r"(?P<fence>`{3,}+(?![^\n]*`)|~{3,}+)[^\n]*+"
    r"(?:\n(?! {0,3}(?P=fence)[`~]*+[ \t\r]*+$)[^\n]*+)*+(?:\n[^\n]*+)?"
)
FENCED_BLOCK = re.compile(rf"^ {{0,3}}{_FENCED}", re.MULTILINE)
_HEADING_OR_FENCED = re.compile(rf"^ {{0,3}}(?:(?P<level>#{{1,6}})[ \t]++(?P<name>\S[^\n]*+)|{_FENCED})", re.MULTILINE)
# The id and the classes that Pandoc, kramdown and MkDocs read at the end of a heading: `{#setup .wide}`.
_ATTRIBUTES = re.compile(r"\{[#.][\w:.-]+(?: [#.][\w:.-]+)*\}")
MAX_ATTRIBUTES = 200
BLANK_LINES = re.compile(r"\n\s*\n")
_NEWLINES = re.compile(r"\n*")


class Cut(NamedTuple):
    """Where a passage ends, and whether a paragraph goes on behind it."""

    at: int
    is_inside: bool


@dataclass(frozen=True, slots=True)
class HeadedSection:
    """A part of a Markdown text: where its heading begins, where its body does, and all headings above the body."""

    start: int
    body: int
    trail: tuple[str, ...]


class Passage(NamedTuple):
    """Text for one memory, which begins with the headings above it."""

    heading: str
    text: str


def sections(text: str) -> Sequence[HeadedSection]:
    """The sections of a Markdown text in order; the first is what comes before any heading."""
    found = [HeadedSection(0, 0, ())]
    names: dict[int, str] = {}
    for match in _HEADING_OR_FENCED.finditer(text):
        if match["name"]:
            level = len(match["level"])
            names = {above: name for above, name in names.items() if above < level}
            # No more of it than a trail shows: each section below would join it again.
            names[level] = _without_closing(match["name"].rstrip())[: MAX_TRAIL + 1]
            found.append(HeadedSection(match.start(), match.end(), tuple(names.values())))
    return found


def has_more_headings(text: str, limit: int) -> bool:
    """Whether a Markdown text has more headings than this; it keeps none of them."""
    headings = (match for match in _HEADING_OR_FENCED.finditer(text) if match["name"])
    return next(islice(headings, limit, None), None) is not None


def trail_at(found: Sequence[HeadedSection], at: int) -> str:
    """The headings above an offset, outermost first; at a heading, those above it."""
    section = found[bisect_right(found, at, key=lambda each: each.start) - 1]
    return joined_trail(section.trail[:-1] if section.start == at else section.trail)


def markdown_passages(text: str) -> Iterator[Passage]:
    """Memories of a Markdown document; short blocks of a section are joined, and a block that fits is not split."""
    text = "\n".join(text.splitlines())
    found = sections(text)
    for section, following in pairwise([*found, HeadedSection(len(text), len(text), ())]):
        body = text[section.body : following.start]
        yield from _memories(joined_trail(section.trail), _blocks(body))


def plain_passages(text: str) -> Iterator[Passage]:
    """Memories of a text without headings."""
    yield from _memories("", _paragraphs(text))


def split_at_length(text: str, longest: int) -> Iterator[str]:
    """Pieces of at most `longest` characters, split at line ends, else sentences, else words, else characters."""
    end = len(text.rstrip())
    start = _behind_newlines(text, 0)
    while end - start > longest:
        highest = start + longest
        cut = last_border(text, start + longest // 2 + 1, highest, INNER_BORDERS)
        cut = cut or last_border(text, start + 1, highest, (WORD_END,))
        at = cut.at if cut else border_at_or_before(text, highest, start + 1)
        if piece := text[start:at].strip():
            yield piece
        start = _behind_newlines(text, at)
    if text[start:end].strip():
        yield text[start:end]


def last_border(text: str, lowest: int, highest: int, borders: Sequence[re.Pattern[str]]) -> Cut | None:
    for border in borders:
        found = [match.end() for match in border.finditer(text, lowest - 1, highest)]
        good = (at for at in reversed(found) if at >= lowest and may_cut(text, at))
        if at := next(good, 0):
            return Cut(at, is_inside=border in (SENTENCE_END, WORD_END))
    return None


def may_cut(text: str, at: int) -> bool:
    return at >= len(text) or is_border(text, at)


def _behind_newlines(text: str, at: int) -> int:
    found = _NEWLINES.match(text, at)
    return found.end() if found else at


def _without_closing(name: str) -> str:
    """A heading without the marks that may close it, and without attributes. Not by a pattern: many spaces would take
    it hours."""
    begin = name.rfind(" {", -MAX_ATTRIBUTES)
    if begin > 0 and _ATTRIBUTES.fullmatch(name, begin + 1):
        name = name[:begin].rstrip(" \t")
    kept = name.rstrip("#")
    return kept.rstrip(" \t") if kept.endswith((" ", "\t")) else name


def joined_trail(trail: Sequence[str]) -> str:
    """The headings in a line, outermost first, cut behind MAX_TRAIL characters."""
    joined = TRAIL_SEPARATOR.join(trail)
    return joined if len(joined) <= MAX_TRAIL else joined[: MAX_TRAIL - 1] + _ELLIPSIS


def _blocks(body: str) -> Iterator[str]:
    """Paragraphs and blocks of fenced code."""
    start = 0
    for fenced in FENCED_BLOCK.finditer(body):
        yield from _paragraphs(body[start : fenced.start()])
        yield fenced[0].strip("\n")
        start = fenced.end()
    yield from _paragraphs(body[start:])


def _paragraphs(text: str) -> Iterator[str]:
    return (part.strip("\n") for part in BLANK_LINES.split(text) if part.strip())


def _memories(heading: str, blocks: Iterable[str]) -> Iterator[Passage]:
    """One memory or more of a section: short blocks joined, long ones split."""
    opening = f"{heading}{PARAGRAPH_SEPARATOR}" if heading else ""
    for block in _packed(blocks):
        for piece in split_at_length(block, MAX_MEMORY - len(opening)):
            yield Passage(heading, opening + piece)


def _packed(blocks: Iterable[str]) -> Iterator[str]:
    waiting = ""
    for block in blocks:
        joined = f"{waiting}{PARAGRAPH_SEPARATOR}{block}" if waiting else block
        if waiting and len(joined) > COMFORTABLE_MEMORY:
            yield waiting
            joined = block
        waiting = joined
    if waiting:
        yield waiting
