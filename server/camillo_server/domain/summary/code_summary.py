"""Code: its language, what it says of itself, what it defines and where."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from camillo_server.domain.summary.shorten import counted, listed, one_line, shortened

READ = 256 * 1024
MOST_LINES = 8_000
MOST_DEFINITIONS = 60
DEFINITIONS_ROOM = 520
# As `cat -n`, `nl`, `grep -n` and the viewers of agents number lines.
NUMBERED = re.compile(r"\s{0,8}(\d{1,7})(?:: ?|\t|→|\| ?|  )(.*)$")
DEFINITION = re.compile(
    r"""(?:export\s+(?:default\s+)?|pub(?:\(\w+\))?\s+|public\s+|private\s+|protected\s+|internal\s+|static\s+|abstract\s+|final\s+
    |sealed\s+|data\s+|async\s+|unsafe\s+|partial\s+|declare\s+|extern\s+(?:"C"\s+)?){0,5}
    (?:def|class|function\*?|func(?:\s+\([^)]{0,80}\))?|fn|struct|enum|interface|trait|module|mod|impl(?:<[^>]{0,80}>)?|type|record|object|namespace
    |defmodule|protocol|message|service|sub|contract|macro_rules!|(?i:create\s+(?:or\s+replace\s+)?(?:table|view|function|index)(?:\s+if\s+not\s+exists)?))
    \s+(?P<name>[A-Za-z_$][\w$.:]{0,80}[?!]?)""",
    re.VERBOSE,
)  # fmt: skip
ARROW = re.compile(
    r"(?:export\s+)?(?:const|let|var)\s+(?P<name>[\w$]{1,80})\s*(?::[^=]{0,80})?=\s*(?:async\s*)?(?:\([^)]{0,200}\)|\w{1,40})\s*(?::[^=]{0,80})?=>"
)
C_FUNCTION = re.compile(
    r"[A-Za-z_][\w:<>,\s*&]{0,100}?[\s*&](?P<name>~?[A-Za-z_][\w:]{0,80})\s*\([^;]{0,200}\)?\s*(?:const)?\s*\{?$"
)
NOT_DEFINED = frozenset((
    "if", "for", "while", "switch", "return", "else", "do", "case", "new", "in", "is", "and",
    "the", "of", "a", "an",
))  # fmt: skip
COMMENT = re.compile(
    r"(?:\"\"\"|'''|/\*\*?|//[/!]?|#(?!!|include|define|if|pragma|\[)|--|;;)\s?(?P<said>.*?)(?:\"\"\"|'''|\*/)?$"
)
DIFF_FILE = re.compile(r"diff --git \"?a/(?P<old>.{1,300}?)\"? \"?b/(?P<new>.{1,300}?)\"?$")
PLAIN_FILE = re.compile(r"\+\+\+ (?:b/)?(?P<new>[^\t]{1,300})")


@dataclass(frozen=True, slots=True)
class Unnumbered:
    """Lines with their numbers, and those around them that have none, such as a viewer's header."""

    numbers: Sequence[int]
    lines: Sequence[str]
    around: Sequence[str]


def unnumbered(lines: Sequence[str]) -> Unnumbered | None:
    """The lines that a viewer printed with numbers, in one run or several, if they are most of an output."""
    numbers, contents, around = [], [], []
    for line in lines:
        if found := NUMBERED.match(line[:2_000]):
            numbers.append(int(found[1]))
            contents.append(found[2])
        elif line.strip():
            around.append(line)
    steps = sum(after - before == 1 for before, after in pairwise(numbers))
    if len(numbers) < 5 or len(numbers) < len(around) or steps < 0.8 * (len(numbers) - 2):
        return None
    return Unnumbered(numbers, contents, around)


def code_lines(opening: str, lines: Sequence[str], numbers: Sequence[int]) -> Iterator[str]:
    """What a file begins by saying, and its definitions with the numbers of their lines."""
    yield opening
    said = opening_words(lines)
    if said:
        yield f"Opens: {shortened(said, 200)}"
    found = definitions(lines, numbers)
    if found:
        yield f"Defines: {listed(found, DEFINITIONS_ROOM)}"


def definitions(lines: Sequence[str], numbers: Sequence[int]) -> list[str]:
    """Names at the margin as `login:12`; where nothing stands there, those of the least indentation."""
    found: dict[int, dict[str, None]] = {}
    for number, line in zip(numbers, lines, strict=False):
        bare = line.lstrip()
        indent = len(line) - len(bare)
        if indent > 8 or not bare or not (bare[0].isalpha() or bare[0] == "_"):
            continue
        name = _defined(bare[:400], indent)
        if name:
            found.setdefault(indent, {})[f"{name}:{number}"] = None
            if len(found[indent]) >= MOST_DEFINITIONS:
                break
    return [*found[min(found)]] if found else []


def _defined(line: str, indent: int) -> str:
    match = DEFINITION.match(line) or ARROW.match(line)
    if match is None and not indent and line.endswith(("{", ")")):
        match = C_FUNCTION.match(line)
    name = match["name"].rstrip(":") if match else ""
    return "" if name in NOT_DEFINED else name


def opening_words(lines: Sequence[str]) -> str:
    """The first comment or docstring, of up to four lines."""
    for place, line in enumerate(lines[:12]):
        found = COMMENT.match(line[:300])
        if found:
            block = [found["said"]]
            for more in lines[place + 1 : place + 4]:
                if not more.strip() or not (
                    line.startswith(('"""', "'''", "/*")) or COMMENT.match(more[:300])
                ):
                    break
                if line.rstrip().endswith(('"""', "'''", "*/")) and len(line.strip()) > 3:
                    break
                block.append(more[:300].strip(" *#/\"'-"))
            return one_line(" ".join(block)).strip()
        if line.strip() and not line.startswith(("#!", "# -*-", "package ", "<?php")):
            return ""
    return ""


def is_diff(lines: Sequence[str]) -> bool:
    """Whether it is a patch, as git and diff write them."""
    plain = any(line.startswith("@@ -") for line in lines) and any(
        PLAIN_FILE.match(line[:400]) for line in lines
    )
    return plain or any(DIFF_FILE.match(line[:800]) for line in lines[:30])


def diff_lines(opening: str, lines: Sequence[str]) -> Iterator[str]:
    """Files with the lines added and removed."""
    changes = changed_files(lines)
    yield f"{opening}{diff_headline(lines)}"
    yield from (f"- {path} +{added:,} -{removed:,}" for path, added, removed in changes[:12])
    if len(changes) > 12:
        yield f"- and {len(changes) - 12:,} more"


def diff_headline(lines: Sequence[str]) -> str:
    """`diff of 2 files, +10 -3: a.py, b.py`."""
    changes = changed_files(lines)
    added, removed = sum(change[1] for change in changes), sum(change[2] for change in changes)
    paths = listed([change[0] for change in changes], 80)
    return f"diff of {counted(len(changes), 'file')}, +{added:,} -{removed:,}: {paths}"


def changed_files(lines: Sequence[str]) -> list[tuple[str, int, int]]:
    """Path, lines added, lines removed, in order."""
    changes: dict[str, list[int]] = {}
    current: list[int] = [0, 0]
    for line in lines:
        sign = line[:1]
        if sign == "d" and (found := DIFF_FILE.match(line[:800])):
            current = changes.setdefault(found["new"], [0, 0])
        elif sign == "+":
            if line.startswith("+++ ") and (found := PLAIN_FILE.match(line[:400])):
                if found["new"].strip() != "/dev/null":
                    current = changes.setdefault(found["new"].strip(), [0, 0])
            else:
                current[0] += 1
        elif sign == "-" and not line.startswith("--- "):
            current[1] += 1
    return [(path, added, removed) for path, (added, removed) in changes.items()]
