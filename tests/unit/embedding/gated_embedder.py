"""An embedder for tests: real vectors, given when the test says so."""

import asyncio
from collections.abc import Sequence

import numpy as np
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.models.embedding.embedder import NOBODY, EmbeddingUnavailable
from camillo_server.models.embedding.lexical import RandomEmbedder
from numpy.typing import NDArray


class GatedEmbedder(RandomEmbedder):
    """Answers each call when its gate is opened; without gates at once."""

    def __init__(self, dimensions: int = 8, *, gated: bool = True) -> None:
        super().__init__(dimensions)
        self.gated = gated
        self.calls: list[tuple[TenantId, list[str]]] = []
        self.agent_ids: list[Sequence[AgentId]] = []
        self.gates: list[asyncio.Event] = []
        self.cancelled: list[int] = []
        self.refused: set[str] = set()
        self.error: Exception = EmbeddingUnavailable("refused")
        self.closed = False

    async def embed(
        self, texts: Sequence[str], tenant_id: TenantId = NOBODY, agent_ids: Sequence[AgentId] = ()
    ) -> NDArray[np.float32]:
        number = len(self.calls)
        self.calls.append((tenant_id, list(texts)))
        self.agent_ids.append(agent_ids)
        gate = asyncio.Event()
        self.gates.append(gate)
        try:
            if self.gated:
                await gate.wait()
        except asyncio.CancelledError:
            self.cancelled.append(number)
            raise
        if self.refused & set(texts):
            raise self.error
        return await super().embed(texts)

    async def close(self) -> None:
        self.closed = True

    def open(self) -> None:
        """Lets every call go, also those to come."""
        self.gated = False
        for gate in self.gates:
            gate.set()


async def turns(count: int = 5) -> None:
    """Lets everything that is ready run."""
    for _ in range(count):
        await asyncio.sleep(0)
