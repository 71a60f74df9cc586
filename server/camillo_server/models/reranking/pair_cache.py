"""A cache of values of text pairs, by digests: no text and no id is kept, so that there is nothing to forget."""

import hashlib
import secrets
from collections import OrderedDict
from collections.abc import Sequence
from typing import Generic, TypeVar

from camillo_server.kernel.scope import Scope

DIGEST_BYTES = 16

Value = TypeVar("Value")


class PairCache(Generic[Value]):
    """The value of each pair, such as its score, by a digest of the scope, the query and the text: a new version of a row with another
    text has another one. With 0 entries nothing is kept.

    The scope belongs to it: how long an answer takes must not tell what another agent has asked. The key of the digests is made
    anew in each process.
    """

    def __init__(self, max_entries: int) -> None:
        self._max_entries = max_entries
        self._key = secrets.token_bytes(32)
        self._values: OrderedDict[bytes, Value] = OrderedDict()

    def __len__(self) -> int:
        return len(self._values)

    def digests(self, scope: Scope, query: str, texts: Sequence[str]) -> list[bytes]:
        """One for each text."""
        first = hashlib.blake2b(digest_size=DIGEST_BYTES, key=self._key)
        for part in (scope.tenant_id, scope.agent_id, query):
            encoded = _bytes(part)
            # With its length, so that no part runs into the next.
            first.update(len(encoded).to_bytes(8))
            first.update(encoded)
        digests = []
        for text in texts:
            each = first.copy()
            each.update(_bytes(text))
            digests.append(each.digest())
        return digests

    def get(self, digest: bytes) -> Value | None:
        value = self._values.get(digest)
        if value is not None:
            self._values.move_to_end(digest)
        return value

    def put(self, digest: bytes, value: Value) -> None:
        if not self._max_entries:
            return
        self._values[digest] = value
        self._values.move_to_end(digest)
        if len(self._values) > self._max_entries:
            self._values.popitem(last=False)


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
