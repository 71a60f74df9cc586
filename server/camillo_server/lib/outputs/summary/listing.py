"""Lists of files, and lines found in them: what stands where, counted."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from camillo_server.lib.outputs.summary.sample import ContentKind, Material, Recognized
from camillo_server.lib.outputs.summary.shorten import (
    HEADLINE_ROOM,
    counted,
    listed,
    one_line,
    shortened,
)

MATCH = re.compile(
    r"(?P<path>(?:[A-Za-z]:)?[^\s:][^:\t]{0,250}?):(?P<line>\d{1,8}):(?:(?P<column>\d{1,6}):)?(?P<text>.*)$"
)
LONG = re.compile(
    r"[-dlbcps][rwxsStT-]{9}[.+@]?\s+\d+\s+\S+\s+\S+\s+(?:\d+,\s+)?[\d.]+[KMGT]?\s+.{8,30}?\s(?P<name>\S.*)$"
)
PATH = re.compile(
    r"\s?(?:[├└│─|`\s+-]{2,60}\s)?(?P<path>(?:[\w.@~+#-]{0,100}/){0,40}[\w.@~+#()\[\]-]{1,120}/?[*@=|]?)(?: \(\d+ match(?:es)?\))?$"
)
LINT_CODE = re.compile(r"\s*(?:(?:error|warning|note|info)\b:?\s*)?\[?(?P<code>[A-Z]{1,4}\d{2,5})\b")
MIN_SHARE = 0.8
SHOWN = 4
# A list of as many lines is not counted as a whole: only its first lines are.
MAX_COUNTED = 20_000


@dataclass(frozen=True, slots=True)
class Listing:
    """Paths, or matches in files: `texts` are empty where only names are listed."""

    paths: tuple[str, ...]
    texts: tuple[str, ...] = ()


def recognize_listing(material: Material) -> Recognized | None:
    """Files, or matches in files, where nearly all lines are of the same form."""
    if _found(material.lines) is None:
        return None
    sample, lines, is_whole = material.sample, material.lines, False
    if material.text.is_whole and sample.line_count < MAX_COUNTED:
        lines = material.many_lines()
        is_whole = len(lines) >= sample.line_count
    if (found := _found(lines)) is None:
        return None
    total = len(found.paths) if is_whole else sample.line_count
    described = _match_lines(found, total) if found.texts else _path_lines(found.paths, total)
    return Recognized.by_lines(ContentKind.LOG, described)


def _found(lines: Sequence[str]) -> Listing | None:
    lines = [line for line in lines if line.strip()]
    if len(lines) < 3:
        return None
    matches = [found for line in lines if (found := MATCH.match(line[:1_000]))]
    if len(matches) >= MIN_SHARE * len(lines) and any(
        "." in found["path"] or "/" in found["path"] for found in matches
    ):
        return Listing(
            tuple(found["path"] for found in matches),
            tuple(found["text"].strip() for found in matches),
        )
    long = [found["name"] for line in lines if (found := LONG.match(line[:600]))]
    if len(long) >= 0.6 * len(lines):
        return Listing(tuple(name for name in long if name not in (".", "..")))
    paths = [found["path"] for line in lines if (found := PATH.match(line[:400]))]
    if len(paths) >= 0.9 * len(lines) and sum("/" in path or "." in path[1:] for path in paths) >= 0.5 * len(paths):
        return Listing(tuple(paths))
    return None


def _match_lines(found: Listing, total: int) -> Iterator[str]:
    """`12 matches in 3 files: a.py, b.py`, then counts and the first texts."""
    files = Counter(found.paths)
    codes = Counter(match["code"] for text in found.texts if (match := LINT_CODE.match(text[:100])))
    are_problems = codes.total() > 0.8 * len(found.texts)
    count = counted(total, "problem") if are_problems else counted(total, "match", "matches")
    opening = f"{count} in {counted(len(files), 'file')}: "
    names = [path for path, _ in files.most_common(20)]
    yield opening + listed(names, HEADLINE_ROOM - len(opening), len(files))
    yield "By file: " + _counts(files, 40, 320)
    if codes:
        yield "By code: " + _counts(codes, 20, 160)
    texts = dict.fromkeys(found.texts[:SHOWN])
    yield "First: " + " | ".join(shortened(one_line(text), 90) for text in texts)


def _path_lines(paths: Sequence[str], total: int) -> Iterator[str]:
    """`list of 12 paths: a.py, b.py`, then counts and the first paths."""
    opening = f"list of {counted(total, 'path')}: "
    yield opening + listed(paths[:20], HEADLINE_ROOM - len(opening), total)
    folders = Counter(f"{path.rstrip('/').rpartition('/')[0] or '.'}/" for path in paths)
    if [*folders] != ["./"]:
        yield "By directory: " + _counts(folders, 40, 280)
    endings = Counter(f".{path.rpartition('.')[2]}" for path in paths if "." in path.rpartition("/")[2][1:])
    if endings:
        yield "By extension: " + _counts(endings, 12, 120)
    yield "First: " + listed(paths[:12], 240, len(paths))


def _counts(counts: Counter[str], most: int, room: int) -> str:
    """The most frequent with their counts, as many as fit."""
    return listed([f"{name} {count:,}" for name, count in counts.most_common(most)], room, len(counts))
