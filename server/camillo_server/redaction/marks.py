"""What stands in the place of a secret."""

import re

_ALL_BUT_LINE_ENDS = re.compile(rb"[^\r\n]")
_LINE_END = re.compile(rb"[\r\n]")


def mark(kind: str, length: int) -> str:
    """As much as fits of what there is to say, so that no text grows beyond its limit."""
    for said in (f"[redacted: {kind}]", "[redacted]"):
        if len(said) <= length:
            return said
    return "*" * length


def mask(kind: str, hidden: bytes) -> bytes:
    """A mark and asterisks, so many bytes as there were; the ends of lines stay where they are, and the mark stands in
    the first line. In text of two bytes for each character the NULs stay too."""
    if b"\0" in hidden:
        wide = bytearray(hidden)
        wide[::2] = mask(kind, bytes(wide[::2]))
        return bytes(wide)
    first_line = _LINE_END.split(hidden, maxsplit=1)[0]
    marked = mark(kind, len(first_line)).encode()
    return marked + _ALL_BUT_LINE_ENDS.sub(b"*", hidden[len(marked) :])
