"""Memory refs, which stand for an artifact in a text: `[MemoryRef: <artifact id> - <description>]`."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

MAX_DESCRIPTION = 200
CUT = "\N{HORIZONTAL ELLIPSIS}"

_ID = r"[a-z0-9][a-z0-9_]{2,63}"
_ONLY_ID = re.compile(_ID)
# No bracket and no line's end in the description: where a ref ends is never in doubt.
_IN_LINE = r"[^\[\]\x00-\x1f\x7f-\x9f\u2028\u2029]"
_REF = re.compile(rf"\[MemoryRef: ({_ID})(?: - (?=\S)({_IN_LINE}*)(?<=\S))?\]")
# Without them, nothing in a description can turn around the text behind it.
_BIDI_CONTROLS = dict.fromkeys([0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)])
_CONTROLS = dict.fromkeys([*range(0x20), *range(0x7F, 0xA0), 0x2028, 0x2029], " ")
_BRACKETS = {ord("["): "(", ord("]"): ")"}
_SAFE = str.maketrans(_BIDI_CONTROLS | _CONTROLS | _BRACKETS)
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")

_ZERO_WIDTH_JOINER = "\u200d"
_VIRAMA = 9
_FLAG_HALVES = "".join(map(chr, range(0x1F1E6, 0x1F200)))


@dataclass(frozen=True, slots=True)
class MemoryRef:
    """The id of an artifact and its description."""

    artifact_id: str
    description: str


def render(artifact_id: str, description: str) -> str:
    """The ref of an artifact, its description made safe; ValueError for what is no artifact id."""
    if not _ONLY_ID.fullmatch(artifact_id):
        raise ValueError(f"{artifact_id!r} is no artifact id")
    safe = _safe(description)
    return f"[MemoryRef: {artifact_id} - {safe}]" if safe else f"[MemoryRef: {artifact_id}]"


def parse(text: str) -> MemoryRef | None:
    """The ref that the whole text is, apart from space around it; None for any other text."""
    match = _REF.fullmatch(text.strip())
    return _ref(match) if match else None


def find_all(text: str) -> Sequence[MemoryRef]:
    """The refs in a text, in their order."""
    return [_ref(match) for match in _REF.finditer(text)]


def artifact_id_of(text: str) -> str:
    """The artifact id in a text that is a whole ref; any other text, such as an id, as it is."""
    ref = parse(text)
    return ref.artifact_id if ref else text


def _ref(match: re.Match[str]) -> MemoryRef:
    return MemoryRef(match[1], match[2] or "")


def _safe(description: str) -> str:
    """One line without brackets, of at most MAX_DESCRIPTION characters."""
    whole = _LONE_SURROGATE.sub("\N{REPLACEMENT CHARACTER}", description).translate(_SAFE)
    line = " ".join(whole.split())
    return line if len(line) <= MAX_DESCRIPTION else _cut(line)


def _cut(line: str) -> str:
    longest = MAX_DESCRIPTION - len(CUT)
    borders = (at for at in range(longest, 0, -1) if _is_border(line, at))
    # A single character may have more marks than there is room for.
    return line[: next(borders, longest)].rstrip() + CUT


def _is_border(text: str, at: int) -> bool:
    """Whether what a reader takes for one character ends before `at`: the main rules of Unicode's annex 29."""
    before, after = text[at - 1], text[at]
    if _ZERO_WIDTH_JOINER in (before, after) or unicodedata.combining(before) == _VIRAMA:
        return False
    if after in _FLAG_HALVES:
        halves = len(text[:at]) - len(text[:at].rstrip(_FLAG_HALVES))
        return halves % 2 == 0
    return not _extends(after)


def _extends(character: str) -> bool:
    """A mark, a skin tone, a tag of a flag, the vowel or the end of a Korean syllable in parts."""
    return (
        unicodedata.category(character).startswith("M")
        or "\U0001f3fb" <= character <= "\U0001f3ff"
        or "\U000e0020" <= character <= "\U000e007f"
        or "\u1160" <= character <= "\u11ff"
        or character in "\u200c\uff9e\uff9f"
    )
