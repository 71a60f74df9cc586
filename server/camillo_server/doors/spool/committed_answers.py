"""Answers to requests with an id that this process has committed: a repeat is answered so while Postgres is away."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from camillo_server.kernel.errors import RequestIdReused
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import RequestKey
from camillo_server.storage.scopes import scope_prefix

MAX_BYTES = 8 << 20
# A longer answer is not kept: a repeat of its request is spooled then, and stores nothing when it is replayed.
MAX_ANSWER_BYTES = 64 << 10
# Bytes of an entry beside the answer.
ENTRY_BYTES = 400


class _Answer(NamedTuple):
    content_digest: bytes
    message: bytes


class CommittedAnswers:
    """The newest answers, by scope and request id, in so many bytes."""

    def __init__(self, max_bytes: int = MAX_BYTES) -> None:
        self._max_bytes = max_bytes
        self._byte_count = 0
        self._by_scope: dict[Scope, dict[str, _Answer]] = {}

    def keep(self, scope: Scope, key: RequestKey, response: Any) -> None:
        """Call it after the commit."""
        message = response.SerializeToString()
        size = len(message) + ENTRY_BYTES
        if len(message) > MAX_ANSWER_BYTES:
            return
        answers = self._by_scope.setdefault(scope, {})
        before = answers.pop(key.request_id, None)
        answers[key.request_id] = _Answer(key.content_digest, message)
        self._byte_count += size - (len(before.message) + ENTRY_BYTES if before else 0)
        if self._byte_count > self._max_bytes:
            self._drop_oldest()

    def find(self, scope: Scope, key: RequestKey | None) -> bytes | None:
        """The encoded answer to the same request. Raises RequestIdReused."""
        answer = self._by_scope.get(scope, {}).get(key.request_id) if key else None
        if key is None or answer is None:
            return None
        if answer.content_digest != key.content_digest:
            raise RequestIdReused(key.request_id)
        return answer.message

    def on_removal(self, name: str | None) -> None:
        """Drops what may hold something that was removed from a scope, None being any of them."""
        for scope in list(self._by_scope):
            if name is None or scope_prefix(scope) == name:
                self._byte_count -= _byte_count(self._by_scope.pop(scope))

    def _drop_oldest(self) -> None:
        """Answers of the scope that was first written to, the oldest first, then of the next."""
        while self._byte_count > self._max_bytes:
            scope, answers = next(iter(self._by_scope.items()))
            gone = answers.pop(next(iter(answers)))
            self._byte_count -= len(gone.message) + ENTRY_BYTES
            if not answers:
                del self._by_scope[scope]


def _byte_count(answers: Mapping[str, _Answer]) -> int:
    return sum(len(each.message) + ENTRY_BYTES for each in answers.values())
