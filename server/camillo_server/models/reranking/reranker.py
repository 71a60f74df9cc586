"""The port that reads a query and texts together, and says how well each text answers."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from camillo_server.kernel.ids import TenantId
from camillo_server.models.embedding.embedder import NOBODY

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

    async def scores(self, query: str, texts: Sequence[str], tenant_id: TenantId = NOBODY) -> Column:
        """How well each text answers the query: float32 from 0 to 1, in the order of the texts. The tenant pays where it costs
        money. Raises EmbeddingUnavailable, as providers of vectors do."""
        ...

    async def close(self) -> None:
        """Frees what it holds; afterwards it reads no more."""
        ...
