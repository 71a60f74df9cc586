"""Puts marks in the place of secrets."""

import re

from camillo_server.redaction.detector import SecretDetector
from camillo_server.redaction.redaction import FoundSecret

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


class SecretRedactor:
    """`Redactor` by the rules that come with the server."""

    def __init__(self) -> None:
        self._detector = SecretDetector()

    def redact(self, text: str) -> tuple[str, list[FoundSecret]]:
        encoded = text.encode()
        secrets = self._detector.find(encoded)
        if not secrets:
            return text, []
        left, found, end = "", [], 0
        for secret in secrets:
            left += encoded[end : secret.start].decode()
            found.append(FoundSecret(secret.kind, len(left)))
            left += mark(secret.kind, secret.end - secret.start)
            end = secret.end
        return left + encoded[end:].decode(), found
