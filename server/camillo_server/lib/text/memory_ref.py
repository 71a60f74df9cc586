"""Memory refs: what stands for an artifact in a text, `[MemoryRef: <artifact id> - <description>]`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from camillo_formats.characters import border_at_or_before

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


@dataclass(frozen=True, slots=True)
class MemoryRef:
    """The id of an artifact and what is said about it."""

    artifact_id: str
    description: str


def render(artifact_id: str, description: str) -> str:
    """The ref of an artifact, its description made safe. Raises ValueError if the id is no artifact id."""
    if not _ONLY_ID.fullmatch(artifact_id):
        raise ValueError(f"{artifact_id!r} is no artifact id")
    safe = _safe(description)
    return f"[MemoryRef: {artifact_id} - {safe}]" if safe else f"[MemoryRef: {artifact_id}]"


def parse(text: str) -> MemoryRef | None:
    """The ref that the text is, space around it aside; None for any other text."""
    match = _REF.fullmatch(text.strip())
    return _ref(match) if match else None


def find_all(text: str) -> Sequence[MemoryRef]:
    return [_ref(match) for match in _REF.finditer(text)]


def artifact_id_of(text: str) -> str:
    """The id in a text that is a whole ref; any other text as it is, such as an id."""
    ref = parse(text)
    return ref.artifact_id if ref else text


def _ref(match: re.Match[str]) -> MemoryRef:
    return MemoryRef(match[1], match[2] or "")


def _safe(description: str) -> str:
    """The description as one line without brackets, of at most MAX_DESCRIPTION characters."""
    whole = _LONE_SURROGATE.sub("\N{REPLACEMENT CHARACTER}", description).translate(_SAFE)
    line = " ".join(whole.split())
    if len(line) <= MAX_DESCRIPTION:
        return line
    return line[: border_at_or_before(line, MAX_DESCRIPTION - len(CUT), 0)].rstrip() + CUT
