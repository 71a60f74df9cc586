"""A small honest stream: what is secret is the word SECRET with digits behind it, however many."""

import re

from camillo_server.lib.redaction.detector import Secret
from camillo_server.lib.redaction.stream import CleanedBytes, SecretStream

_SECRET = re.compile(rb"SECRET[0-9]+")
_MAY_BECOME_ONE = re.compile(rb"(?:S|SE|SEC|SECR|SECRE|SECRET[0-9]*)\Z")


class MarkerStream(SecretStream):
    """Holds no more than what may become a secret. With `masks_digits` the word is left, and found again in what is
    kept."""

    def __init__(self, *, masks_digits: bool = False) -> None:
        self._hidden = re.compile(rb"(?<=SECRET)[0-9]+" if masks_digits else _SECRET.pattern)
        self._rest = b""
        self._passed = 0

    def feed(self, data: bytes) -> CleanedBytes:
        self._rest += data
        open_secret = _MAY_BECOME_ONE.search(self._rest)
        return self._pass(open_secret.start() if open_secret else len(self._rest))

    def finish(self) -> CleanedBytes:
        return self._pass(len(self._rest))

    def _pass(self, end: int) -> CleanedBytes:
        data, self._rest = self._rest[:end], self._rest[end:]
        begin, self._passed = self._passed, self._passed + end
        found = [Secret(begin + each.start(), begin + each.end(), "marker") for each in _SECRET.finditer(data)]
        kept = self._hidden.sub(lambda each: b"0" * len(each[0]), data)
        return CleanedBytes(kept, found, data if found else None)
