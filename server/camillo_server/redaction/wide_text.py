"""Secrets in text of two bytes for each character, as UTF-16 has it: between the bytes of ASCII there are NULs."""

from collections.abc import Iterator

from camillo_server.redaction.detector import Secret, SecretDetector


def secrets_in(text: bytes, detector: SecretDetector) -> list[Secret]:
    """Those of one byte for each character and those of two, in their order; none overlaps another."""
    found = detector.find(text)
    if b"\0" not in text:
        return found
    apart: list[Secret] = []
    for secret in sorted([*found, *_wide(text, detector)], key=lambda each: each.start):
        if not apart or secret.start >= apart[-1].end:
            apart.append(secret)
    return apart


def _wide(text: bytes, detector: SecretDetector) -> Iterator[Secret]:
    """From the first character to the last: whether a NUL stands before or behind each does not matter then."""
    for first in (0, 1):
        for secret in detector.find(text[first::2]):
            start, end = first + 2 * secret.start, first + 2 * secret.end - 1
            if not any(text[start + 1 : end : 2]):
                yield Secret(start, end, secret.kind)
