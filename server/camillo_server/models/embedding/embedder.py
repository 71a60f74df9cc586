"""The port that turns texts into vectors."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from camillo_server.kernel.ids import AgentId, TenantId

# The tenant of a tool that serves none; it has no budget.
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
        self, texts: Sequence[str], tenant_id: TenantId = NOBODY, agent_ids: Sequence[AgentId] = ()
    ) -> NDArray[np.float32]:
        """Rows of unit length, one per text, in order: shape (len(texts), dimensions).

        A text without any feature gives a zero row. The tenant pays where vectors cost money, for `agent_ids`: the
        space of each text, one for all of them, or none. Raises EmbeddingUnavailable.
        """
        ...

    async def close(self) -> None:
        """Frees what it holds; afterwards it embeds no more."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Vector:
    """A unit vector of one model: float32, shape (dimensions,). An empty model id means the server's own model."""

    model_id: str
    values: NDArray[np.float32]


def encodable(text: str) -> str:
    """The text with a question mark for each lone surrogate, which no tokenizer and no request takes."""
    return text.encode("utf-8", "replace").decode("utf-8")
