"""A small honest `RedactionStream`: what is secret is the word SECRET with digits behind it, however many."""

import re

from camillo_server.redaction.redaction import CleanedBytes, MaskedSecret

_SECRET = re.compile(rb"SECRET[0-9]+")
_MAY_BECOME_ONE = re.compile(rb"(?:S|SE|SEC|SECR|SECRE|SECRET[0-9]*)\Z")


class MarkerStream:
    """Holds no more than what may become a secret. With `masks_digits` the word is left, and found again in what is
    kept."""

    def __init__(self, *, masks_digits: bool = False) -> None:
        self._hidden = re.compile(rb"(?<=SECRET)[0-9]+" if masks_digits else _SECRET.pattern)
        self._kept = b""
        self._offset = 0

    def feed(self, data: bytes) -> CleanedBytes:
        self._kept += data
        open_secret = _MAY_BECOME_ONE.search(self._kept)
        return self._pass(open_secret.start() if open_secret else len(self._kept))

    def finish(self) -> CleanedBytes:
        return self._pass(len(self._kept))

    def _pass(self, end: int) -> CleanedBytes:
        data, self._kept = self._kept[:end], self._kept[end:]
        begin, self._offset = self._offset, self._offset + end
        found = [
            MaskedSecret("marker", begin + each.start(), begin + each.end())
            for each in _SECRET.finditer(data)
        ]
        kept = self._hidden.sub(lambda each: b"0" * len(each[0]), data)
        return CleanedBytes(kept, found, data if found else None)
