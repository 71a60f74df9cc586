"""A reranker for tests: a real cross-encoder that knows a few words, whose answers come when the test says so."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.scope import ANY_AGENT
from camillo_server.models.embedding.embedder import NOBODY
from camillo_server.models.reranking.cross_encoder import CrossEncoder, LocalReranker
from camillo_server.models.reranking.text_reranking import Column

from tests.tiny_models import write_reranker


class GatedReranker(LocalReranker):
    """Answers each call when its gate is opened; without gates at once."""

    def __init__(self, model_dir: Path, *, gated: bool = False) -> None:
        super().__init__(CrossEncoder(write_reranker(model_dir)))
        self.gated = gated
        self.calls: list[tuple[str, list[str]]] = []
        self.gate = asyncio.Event()
        self.cancelled = 0
        self.error: Exception | None = None

    async def scores(
        self, query: str, texts: Sequence[str], tenant_id: TenantId = NOBODY, agent_id: AgentId = ANY_AGENT
    ) -> Column:
        self.calls.append((query, list(texts)))
        if self.gated:
            try:
                await self.gate.wait()
            except asyncio.CancelledError:
                self.cancelled += 1
                raise
        if self.error is not None:
            raise self.error
        return await super().scores(query, texts, tenant_id)
