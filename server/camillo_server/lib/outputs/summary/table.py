"""Tables as tools print them: delimited, with bars, aligned, JSON lines; and lists of files and of lines found in
them."""

import csv
import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from camillo_server.lib.outputs.summary.json import merged
from camillo_server.lib.outputs.summary.sample import (
    HEADLINE_ROOM,
    ContentKind,
    Material,
    Recognized,
    Sample,
    counted,
    listed,
    one_line,
    shortened,
)

DELIMITERS = (",", "\t", ";", "|")
NAMES = {",": "CSV", "\t": "TSV", ";": "CSV", "|": "table"}
LOOKED_AT = 20
RULE = re.compile(r"(?=.*[-=]{2})[\s|+:=-]+$")
ROW_COUNT = re.compile(r"\((\d{1,18}) rows?\)$|(\d{1,18}) rows? in set")
GAP = re.compile(r"\s{2,}|\t")
UPPER_HEADER = re.compile(r"[A-Z%#][A-Z0-9_%#()/:-]*(?:\s+[A-Z%#][A-Z0-9_%#()/:-]*){2,}\s*$")
LOGGED_PREFIX = re.compile(r"\s*\[?\d{4}-\d\d-\d\d[T ]\d\d:|\s*at ")


@dataclass(frozen=True, slots=True)
class FoundTable:
    """The name of its format, its columns, the number of its rows, and the first row."""

    form: str
    columns: tuple[str, ...]
    row_count: int
    first_row: tuple[str, ...]


def recognize_json_lines(material: Material) -> Recognized | None:
    """A table whose first line is an object."""
    opening = next((line for line in material.lines if line.strip()), "")
    return recognize_table(material) if opening.startswith("{") else None


def recognize_table(material: Material) -> Recognized | None:
    """The table that the first lines of an output are the beginning of."""
    lines = [line for line in material.lines if line.strip()]
    if len(lines) < 2:
        return None
    for find in (_json_lines, _barred, _delimited, _aligned):
        if (found := find(lines, material.sample)) is not None:
            return Recognized.by_lines(ContentKind.TABLE, _table_lines(found))
    return None


def _table_lines(table: FoundTable) -> Iterator[str]:
    """`CSV of 1,204 rows: id, name, price`, then the columns and an example."""
    opening = f"{table.form} of {counted(table.row_count, 'row')}"
    if table.columns:
        yield f"{opening}: {listed(table.columns, HEADLINE_ROOM - len(opening))}"
        yield f"Columns ({len(table.columns):,}): {listed(table.columns, 400)}"
    else:
        yield opening
    if any(table.first_row):
        pairs = [
            (f"{column}=" if column else "") + shortened(one_line(cell), 60)
            for column, cell in zip(table.columns, table.first_row, strict=False)
        ]
        yield f"First row: {listed(pairs, 360)}"


def _json_lines(lines: Sequence[str], sample: Sample) -> FoundTable | None:
    if not lines[0].lstrip().startswith("{"):
        return None
    values = []
    for line in lines[:LOOKED_AT]:
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            values.append(value)
    if len(values) < 2 or len(values) < 0.8 * len(lines[:LOOKED_AT]):
        return None
    columns = tuple(merged(values))
    first = tuple(json.dumps(values[0].get(key), ensure_ascii=False)[:200] for key in columns)
    return FoundTable("JSON lines", columns, sample.line_count, first)


def _barred(lines: Sequence[str], sample: Sample) -> FoundTable | None:
    """Markdown, psql and mysql: a header, a rule of dashes, rows."""
    for position, line in enumerate(lines[:8]):
        if not ("|" in line or "+" in line) or not RULE.match(line[:500]):
            continue
        header = position - 1 if position and "|" in lines[position - 1] else position + 1
        if header >= len(lines) or "|" not in lines[header]:
            continue
        columns = _cells(lines[header])
        rows = [row for row in lines[max(position, header) + 1 :] if "|" in row and not RULE.match(row[:500])]
        if rows and abs(len(_cells(rows[0])) - len(columns)) <= 1:
            around = sample.line_count - len(lines) + len(rows)
            printed = next((found for row in lines[-4:] if (found := ROW_COUNT.match(row))), None)
            count = int(printed[1] or printed[2]) if printed else around
            return FoundTable("table", columns, count, _cells(rows[0]))
    return None


def _cells(line: str) -> tuple[str, ...]:
    return tuple(cell.strip() for cell in line.strip().strip("|").split("|"))


def _delimited(lines: Sequence[str], sample: Sample) -> FoundTable | None:
    for delimiter in DELIMITERS:
        if delimiter not in lines[0]:
            continue
        try:
            rows = [*csv.reader(lines[:LOOKED_AT], delimiter=delimiter)]
        except csv.Error:
            continue
        width = len(rows[0])
        alike = sum(len(row) == width for row in rows)
        named = sample.name.endswith((".csv", ".tsv")) or "csv" in sample.media_type
        # A quotation mark that is not closed makes one row of all lines.
        if width < 2 or len(rows) < 2 or alike < 0.9 * len(rows) or not (named or _is_credible(rows, delimiter)):
            continue
        columns = tuple(cell.strip() for cell in rows[0])
        return FoundTable(NAMES[delimiter], columns, max(sample.line_count - 1, 1), tuple(rows[1]))
    return None


def _is_credible(rows: Sequence[Sequence[str]], delimiter: str) -> bool:
    """Whether the first row looks like names of columns: sentences have commas, too."""
    header = [cell.strip() for cell in rows[0]]
    if len(rows) < 3 or not all(header) or len(set(header)) < len(header):
        return False
    if any(
        len(cell) > 40 or len(cell.split()) > 4 or cell[:1] in "{[\"'(" or cell.endswith(("(", ")", ".", ":"))
        for cell in header
    ):
        return False
    if any(cell.replace(".", "").isdigit() for cell in header) or LOGGED_PREFIX.match(rows[0][0]):
        return False
    return delimiter == "\t" or len(rows[0]) > 2 or all(len(cell.split()) <= 3 for row in rows for cell in row)


def _is_over_numbers(header: str, rows: Sequence[str]) -> bool:
    """Whether single words stand over rows that are numbers for the most part, as of `df` and `free`."""
    words = header.split()
    if len(words) < 4 or not all(word.strip("%-/").isalpha() for word in words) or len(rows) < 2:
        return False
    cells = [row.split() for row in rows]
    numbers = sum(cell[:1].isdigit() for row in cells for cell in row)
    return numbers >= 0.5 * sum(map(len, cells)) and all(len(row) >= len(words) - 2 for row in cells)


def _aligned(lines: Sequence[str], sample: Sample) -> FoundTable | None:
    """A table as `ps`, `docker ps`, `kubectl get`, `pip list` and `df` print it: a header whose columns begin below
    each other."""
    header, body = lines[0], lines[1:LOOKED_AT]
    ruled = bool(RULE.match(body[0][:300]))
    rows = [row for row in body if not RULE.match(row[:300])]
    if not rows:
        return None
    gapped = [cell for cell in GAP.split(header.strip()) if cell]
    is_upper = bool(UPPER_HEADER.match(header[:400]))
    if not is_upper and not (ruled and len(gapped) > 1) and not _is_over_numbers(header, rows):
        return None
    fits = all(len(GAP.split(row.strip())) == len(gapped) for row in rows)
    columns = gapped if ruled or (fits and len(gapped) > 1) else header.split()
    width = len(columns)
    if sum(len(row.split()) >= min(width, 3) for row in rows) < 0.8 * len(rows):
        return None
    by_gap = [cell for cell in GAP.split(rows[0].strip()) if cell]
    first = by_gap if len(by_gap) == width else rows[0].split(None, width - 1)
    return FoundTable("table", tuple(columns), max(sample.line_count - 1 - ruled, 1), tuple(first))


MATCH = re.compile(
    r"(?P<path>(?:[A-Za-z]:)?[^\s:][^:\t]{0,250}?):(?P<line>\d{1,8}):(?:(?P<column>\d{1,6}):)?(?P<text>.*)$"
)
LONG = re.compile(
    r"[-dlbcps][rwxsStT-]{9}[.+@]?\s+\d+\s+\S+\s+\S+\s+(?:\d+,\s+)?[\d.]+[KMGT]?\s+.{8,30}?\s(?P<name>\S.*)$"
)
PATH = re.compile(
    r"\s?(?:[├└│─|`\s+-]{2,60}\s)?(?P<path>(?:[\w.@~+#-]{0,100}/){0,40}[\w.@~+#()\[\]-]{1,120}/?[*@=|]?)(?: \(\d+ "
    r"match(?:es)?\))?$"
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
