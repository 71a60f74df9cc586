"""Reranking: the port that reads a query and texts together, and its use as a best effort: within a time budget,
bounded, cached; a reranker that fails or is slow never fails a recall."""

import hashlib
import logging
import secrets
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Sequence
from typing import Generic, NamedTuple, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from camillo_server.kernel.background import LateWork
from camillo_server.kernel.clock import remaining_seconds
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.scope import ANY_AGENT, Scope
from camillo_server.models.embedding.embedder import NOBODY, EmbeddingUnavailable

DIGEST_BYTES = 16

Value = TypeVar("Value")


class PairCache(Generic[Value]):
    """The value of each pair, such as its score, by a digest of the scope, the query and the text: a new version of a
    row with another text has another one. With 0 entries nothing is kept.

    The scope belongs to it: how long an answer takes must not tell what another agent has asked. The key of the digests
    is made anew in each process."""

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


Column = NDArray[np.float32]


class RerankUnavailable(Exception):
    """No scores can be had: the order stays what it is."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class RerankTimeout(RerankUnavailable):
    """There are no scores within the time budget."""


class Reranker(Protocol):
    """Reads pairs of a query and a text by one model."""

    @property
    def model_id(self) -> str:
        """Names the model: scores of different models are never mixed."""
        ...

    @property
    def is_remote(self) -> bool:
        """Whether the texts leave this machine."""
        ...

    @property
    def weight(self) -> float | None:
        """The share of what the model says in the order, where the model states it."""
        ...

    async def scores(
        self, query: str, texts: Sequence[str], tenant_id: TenantId = NOBODY, agent_id: AgentId = ANY_AGENT
    ) -> Column:
        """How well each text answers the query: float32 from 0 to 1, in the order of the texts. The tenant pays where
        it costs money, for this space. Raises EmbeddingUnavailable, as providers of vectors do."""
        ...

    async def close(self) -> None:
        """Frees what it holds; afterwards it reads no more."""
        ...


# Pairs of one tenant, and of all, that are read or wait to be read: more would not be read within any budget.
MAX_WAITING_OF_TENANT, MAX_WAITING = 500, 4_000
# The time of a caller's deadline that is left for the answer.
ANSWER_SECONDS = 0.05
LONGEST_SECONDS = 10.0
DEFAULT_WEIGHT = 0.7

logger = logging.getLogger(__name__)


class RerankDefaults(NamedTuple):
    """The values of a recall that states none: the number of texts, the time, and the share of the model's score."""

    candidates: int = 30
    budget_seconds: float = 0.15
    weight: float = DEFAULT_WEIGHT


class TextReranking:
    """Scores of a reranker within a time budget. A score that comes later is cached for the next call."""

    def __init__(
        self,
        reranker: Reranker,
        defaults: RerankDefaults,
        cached_scores: int,
        on_outcome: Callable[[str], None],
    ) -> None:
        """`on_outcome` receives how each call ended: ok, cached, timeout, full, or the kind of the failure."""
        self.model_id, self.is_remote = reranker.model_id, reranker.is_remote
        self.defaults = defaults
        self._reranker = reranker
        self._cache = PairCache[float](cached_scores)
        self._on_outcome = on_outcome
        self._work = LateWork(MAX_WAITING_OF_TENANT, MAX_WAITING)

    async def close(self) -> None:
        await self._work.close()
        await self._reranker.close()

    async def scores(
        self, query: str, texts: Sequence[str], scope: Scope, budget_seconds: float | None = None
    ) -> Column:
        """The score of each text, 0 to 1. Equal texts are read once. Raises RerankTimeout, RerankUnavailable."""
        try:
            return await self._scores(query, texts, scope, budget_seconds)
        except RerankTimeout:
            self._on_outcome("timeout")
            raise
        except EmbeddingUnavailable as error:
            self._on_outcome(type(error).__name__)
            logger.warning("reranking failed", extra={"cause": error.reason})
            raise RerankUnavailable(error.reason) from error

    async def _scores(self, query: str, texts: Sequence[str], scope: Scope, budget_seconds: float | None) -> Column:
        digests = self._cache.digests(scope, query, texts)
        known = {digest: self._cache.get(digest) for digest in digests}
        missing = {digest: text for digest, text in zip(digests, texts, strict=True) if known[digest] is None}
        if missing:
            computed = dict[bytes, float]()
            work = self._compute(query, missing, scope, computed)
            await self._run(work, scope.tenant_id, len(missing), budget_seconds)
            known |= computed
        self._on_outcome("ok" if missing else "cached")
        return np.array([known[digest] for digest in digests], np.float32)

    async def _run(
        self,
        work: Coroutine[None, None, None],
        tenant_id: TenantId,
        pairs: int,
        budget_seconds: float | None,
    ) -> None:
        """Does the work, or what of it is done in time. Raises RerankTimeout, RerankUnavailable,
        EmbeddingUnavailable."""
        task = self._work.start(work, tenant_id, pairs)
        if task is None:
            self._on_outcome("full")
            raise RerankUnavailable("too many texts wait to be read")
        budget = self.defaults.budget_seconds if budget_seconds is None else budget_seconds
        deadline = remaining_seconds(LONGEST_SECONDS + ANSWER_SECONDS) - ANSWER_SECONDS
        if not await self._work.wait({task}, min(budget, deadline)):
            raise RerankTimeout("the texts were not read within the time budget")
        task.result()

    async def _compute(
        self,
        query: str,
        missing: dict[bytes, str],
        scope: Scope,
        computed: dict[bytes, float],
    ) -> None:
        scores = await self._reranker.scores(query, list(missing.values()), *scope)
        computed.update(zip(missing, scores.tolist(), strict=True))
        for digest, score in computed.items():
            self._cache.put(digest, score)
