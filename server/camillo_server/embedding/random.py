"""Vectors that mean nothing, for tests: equal texts are alike, all others are not."""

import hashlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from camillo_server.embedding.embedder import NOBODY
from camillo_server.kernel.ids import TenantId

DEFAULT_DIMENSIONS = 64


class RandomEmbedder:
    """Gives each text a pseudo-random direction, the same on every machine."""

    def __init__(self, dimensions: int = DEFAULT_DIMENSIONS) -> None:
        if dimensions < 1:
            raise ValueError("dimensions must be at least 1")
        self._dimensions = dimensions

    @property
    def model_id(self) -> str:
        return f"random-{self._dimensions}"

    @property
    def dimensions(self) -> int:
        return self._dimensions

    async def embed(
        self, texts: Sequence[str], tenant_id: TenantId = NOBODY
    ) -> NDArray[np.float32]:
        rows = np.zeros((len(texts), self._dimensions), dtype=np.float32)
        for row, text in enumerate(texts):
            if text.strip():
                rows[row] = self._direction(text)
        return rows

    async def close(self) -> None:
        pass

    def _direction(self, text: str) -> NDArray[np.float64]:
        digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
        vector = np.random.default_rng(int.from_bytes(digest)).standard_normal(self._dimensions)
        return vector / np.linalg.norm(vector)
