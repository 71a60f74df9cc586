"""Cuts text into passages that a memory can hold: at headings and paragraphs, at worst between words.

Pure: text in, passages out. `ingest.py` finds the files.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, replace

# What a memory may hold, in characters.
LONGEST = 2000
# Short paragraphs of a section are joined up to this length: about the window of a small embedding model.
COMFORTABLE = 1000
LONGEST_HEADING = 200
SEPARATOR = "\n\n"

HEADING = re.compile(r" {0,3}(#{1,6})[ \t]+(.*)")
FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
# Where a text that is too long for one passage is best cut; the last of these that fits is taken.
CUTS = (
    re.compile(r"\n"),
    re.compile(r"(?<=[.!?…])[\"'”’)\]]*\s+|(?<=[。！？；])"),
    re.compile(r"\s+|(?<=[、，,])"),
)


@dataclass(frozen=True, slots=True)
class Passage:
    """Text for one memory, and the headings above it, outermost first, joined by ` > `."""

    heading: str
    text: str


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, list, table or code block, the headings that it stands under, and the number of that section."""

    headings: tuple[str, ...]
    text: str
    section: int = 0


def markdown_passages(text: str) -> Iterator[Passage]:
    """The passages of a Markdown document; each begins with its headings, so that it can be understood alone."""
    yield from _packed(_markdown_blocks(text))


def plain_passages(text: str) -> Iterator[Passage]:
    """The passages of a text without headings."""
    paragraphs = re.split(r"\n\s*\n", text)
    yield from _packed(Block((), part.strip("\n")) for part in paragraphs if part.strip())


def _markdown_blocks(text: str) -> Iterator[Block]:
    """Blocks with their headings; fences are respected, so that neither `#` nor blank lines in code count."""
    headings: dict[int, str] = {}
    lines: list[str] = []
    fence = ""
    section = 0

    def block() -> Iterator[Block]:
        found = "\n".join(lines).strip("\n")
        lines.clear()
        if found.strip():
            yield Block(tuple(headings[level] for level in sorted(headings)), found, section)

    for line in text.splitlines():
        if fence:
            lines.append(line)
            if _closes(line, fence):
                fence = ""
                yield from block()
        elif opened := FENCE.match(line):
            yield from block()
            fence = opened[1]
            lines.append(line)
        elif found := HEADING.fullmatch(line):
            yield from block()
            section += 1
            level = len(found[1])
            headings = {above: name for above, name in headings.items() if above < level}
            # Not by the pattern: it would try every way to part many spaces.
            headings[level] = found[2].rstrip(" \t").rstrip("#").rstrip(" \t")
        elif line.strip():
            lines.append(line)
        else:
            yield from block()
    yield from block()


def _closes(line: str, fence: str) -> bool:
    found = FENCE.match(line)
    return found is not None and found[1].startswith(fence) and not line.strip().strip(fence[0])


def _packed(blocks: Iterator[Block]) -> Iterator[Passage]:
    """Joins short neighbours under the same headings, cuts what is too long."""
    waiting: Block | None = None
    for block in blocks:
        if waiting is not None and waiting.section == block.section:
            joined = f"{waiting.text}{SEPARATOR}{block.text}"
            if len(joined) <= COMFORTABLE:
                waiting = replace(waiting, text=joined)
                continue
        yield from _passages(waiting)
        waiting = block
    yield from _passages(waiting)


def _passages(block: Block | None) -> Iterator[Passage]:
    if block is None:
        return
    trail = " > ".join(name for name in block.headings if name)
    if len(trail) > LONGEST_HEADING:
        trail = trail[: LONGEST_HEADING - 1] + "…"
    opening = f"{trail}{SEPARATOR}" if trail else ""
    for piece in cut(block.text, LONGEST - len(opening)):
        yield Passage(trail, opening + piece)


def cut(text: str, longest: int) -> Iterator[str]:
    """Pieces of at most `longest` characters, cut at line ends, else sentences, else words, else characters."""
    rest = text.strip("\n").rstrip()
    while len(rest) > longest:
        place = _place(rest, longest)
        if piece := rest[:place].strip():
            yield piece
        rest = rest[place:].strip("\n").rstrip()
    if rest.strip():
        yield rest


def _place(text: str, longest: int) -> int:
    """Where to cut: the last good place in the second half, for the best kind of place that has one there."""
    for pattern in CUTS:
        ends = [found.end() for found in pattern.finditer(text, 0, longest)]
        if ends and ends[-1] > longest // 2:
            return ends[-1]
    spaces = [found.end() for found in CUTS[-1].finditer(text, 0, longest)]
    return spaces[-1] if spaces else _between_characters(text, longest)


def _between_characters(text: str, place: int) -> int:
    """Not between a letter and its accents, nor inside an emoji of several parts."""
    earliest = max(1, place - 64)
    for candidate in range(place, earliest, -1):
        if not _joins(text[candidate]) and text[candidate - 1] != "\u200d":
            return candidate
    return place


def _joins(character: str) -> bool:
    return character == "\u200d" or unicodedata.category(character).startswith("M")
