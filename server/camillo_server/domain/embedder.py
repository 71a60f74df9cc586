"""The port that turns texts into vectors."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from camillo_server.domain.ids import TenantId

# For whom a tool embeds that serves no tenant; nobody has no budget.
NOBODY = TenantId("")


class EmbeddingUnavailable(Exception):
    """No vectors can be had now; what needs them goes on without."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Embedder(Protocol):
    """Turns texts into unit vectors of one model."""

    @property
    def model_id(self) -> str:
        """Names the model: vectors of different models are never compared."""
        ...

    @property
    def dimensions(self) -> int:
        """The length of its vectors."""
        ...

    async def embed(
        self, texts: Sequence[str], tenant_id: TenantId = NOBODY
    ) -> NDArray[np.float32]:
        """Rows of unit length, one per text, in order: shape (len(texts), dimensions).

        A text without any feature gives a zero row. The tenant pays where vectors cost money. Raises
        EmbeddingUnavailable.
        """
        ...

    async def close(self) -> None:
        """Frees what it holds; afterwards it embeds no more."""
        ...
