"""Lists of files, and lines found in them: what stands where, counted."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from camillo_server.outputs.summary.sample import Sample
from camillo_server.outputs.summary.shorten import (
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
LINT_CODE = re.compile(
    r"\s*(?:(?:error|warning|note|info)\b:?\s*)?\[?(?P<code>[A-Z]{1,4}\d{2,5})\b"
)
MIN_SHARE = 0.8
SHOWN = 4


@dataclass(frozen=True, slots=True)
class Listing:
    """Paths, or matches in files: `texts` are empty where only names are listed."""

    paths: tuple[str, ...]
    texts: tuple[str, ...] = ()


def found_listing(lines: Sequence[str], sample: Sample) -> Listing | None:
    """The list, if nearly all lines belong to one."""
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
    if len(paths) >= 0.9 * len(lines) and sum(
        "/" in path or "." in path[1:] for path in paths
    ) >= 0.5 * len(paths):
        return Listing(tuple(paths))
    return None


def listing_lines(listing: Listing, sample: Sample, is_whole: bool) -> Iterator[str]:
    """Counts by file or directory, and the first ones."""
    yield headline(listing, sample, is_whole)
    if listing.texts:
        by_file = Counter(listing.paths)
        yield "By file: " + listed(
            [f"{path} {count:,}" for path, count in by_file.most_common(40)], 320, len(by_file)
        )
        codes = _codes(listing)
        if codes:
            yield "By code: " + listed(
                [f"{code} {count:,}" for code, count in codes.most_common(20)], 160, len(codes)
            )
        yield "First: " + " | ".join(
            shortened(one_line(text), 90) for text in dict.fromkeys(listing.texts[:SHOWN])
        )
        return
    folders = Counter(path.rstrip("/").rpartition("/")[0] or "." for path in listing.paths)
    if [*folders] != ["."]:
        yield "By directory: " + listed(
            [f"{path}/ {count:,}" for path, count in folders.most_common(40)], 280, len(folders)
        )
    kinds = Counter(
        path.rpartition(".")[2] for path in listing.paths if "." in path.rpartition("/")[2][1:]
    )
    if kinds:
        yield "By extension: " + listed(
            [f".{kind} {count:,}" for kind, count in kinds.most_common(12)], 120, len(kinds)
        )
    yield "First: " + listed(listing.paths[:12], 240, len(listing.paths))


def headline(listing: Listing, sample: Sample, is_whole: bool) -> str:
    """`12 matches in 3 files: a.py, b.py`."""
    if listing.texts:
        files = Counter(listing.paths)
        total = len(listing.texts) if is_whole else sample.line_count
        word = "problem" if sum(_codes(listing).values()) > 0.8 * len(listing.texts) else "match"
        opening = f"{counted(total, word, word + 's' if word == 'problem' else 'matches')} in {counted(len(files), 'file')}: "
        return opening + listed(
            [path for path, _ in files.most_common(20)], HEADLINE_ROOM - len(opening), len(files)
        )
    total = len(listing.paths) if is_whole else sample.line_count
    opening = f"list of {counted(total, 'path')}: "
    return opening + listed(listing.paths[:20], HEADLINE_ROOM - len(opening), total)


def _codes(listing: Listing) -> Counter[str]:
    return Counter(
        found["code"] for text in listing.texts if (found := LINT_CODE.match(text[:100]))
    )
