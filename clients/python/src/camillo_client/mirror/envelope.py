"""Lines of `log.jsonl` and `state.jsonl`: one version of a slot each, as the server stored it."""

import json
from dataclasses import dataclass
from typing import Final

_encoded = json.encoder.encode_basestring
_decode = json.JSONDecoder().raw_decode
# Between the values of a JSON text, a line break is the same as a blank; within a string there is none.
_ONE_LINE: Final = str.maketrans("\r\n", "  ")
_UNINDEXED = '"unindexed": true, '
_BEGIN, _CONTENT, _END = '{"key": ', ', "content": ', "}\n"


@dataclass(frozen=True, slots=True)
class Envelope:
    """One version of a slot.

    `ts`: when it was written, in ISO 8601. `source` and `content` are JSON texts; `content` is the one that was sent,
    with blanks for line breaks, and `null` where `valid` is false."""

    key: str
    ts: str
    version: int
    slot_id: str
    valid: bool
    source: str
    content: str
    # Left out of searches and digests; a line says so only where it is so.
    unindexed: bool = False

    @property
    def line(self) -> bytes:
        """The line of the log, with its line break."""
        return (
            f"{_BEGIN}{_encoded(self.key)}, "
            f'"ts": "{self.ts}", "version": {self.version}, "slot_id": "{self.slot_id}", '
            f'"valid": {"true" if self.valid else "false"}, {_UNINDEXED if self.unindexed else ""}'
            f'"source": {one_line(self.source)}'
            f"{_CONTENT}{one_line(self.content)}{_END}"
        ).encode()

    @property
    def file(self) -> bytes:
        """The content of the key's file."""
        return f"{one_line(self.content)}\n".encode()


def one_line(text: str) -> str:
    """A JSON text without line breaks, its values spelled as they are."""
    return text.translate(_ONE_LINE)


def read_line(line: bytes) -> Envelope:
    """The envelope of a line that `Envelope.line` made. Raises ValueError for any other."""
    text = line.decode()
    fields: list[object] = []
    source, unindexed = (0, 0), False
    at = len(_BEGIN)
    for name in ("ts", "version", "slot_id", "valid", "source", "content"):
        value, end = _decode(text, at)
        fields.append(value)
        if name == "content":
            source = (at, end)
        behind = f', "{name}": '
        if name == "source" and text.startswith(_UNINDEXED, end + 2):
            unindexed, end = True, end + len(_UNINDEXED)
        if not text.startswith(behind, end):
            raise ValueError(f"no {name} behind character {end}")
        at = end + len(behind)
    key, ts, version, slot_id, valid, _ = fields
    if not (text.startswith(_BEGIN) and text.endswith(_END)):
        raise ValueError("not a whole line")
    if not (isinstance(key, str) and isinstance(ts, str) and isinstance(slot_id, str)):
        raise ValueError("key, ts and slot_id must be texts")
    if not isinstance(version, int) or not isinstance(valid, bool):
        raise ValueError("version must be a number, valid true or false")
    return Envelope(key, ts, version, slot_id, valid, text[slice(*source)], text[at : -len(_END)], unindexed)
