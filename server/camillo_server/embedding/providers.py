"""The providers of vectors of one process."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from camillo_server.embedding.choose import EmbedderChoice, choose_embedder
from camillo_server.embedding.spend_store import BudgetLimit, PostgresEmbeddingSpend
from camillo_server.embedding.text_embedding import TextEmbedding
from camillo_server.kernel.clock import Clock
from camillo_server.settings import MemorySettings
from camillo_server.storage.database import Database


@dataclass(frozen=True, slots=True)
class Providers:
    """The provider that serves and why it was chosen, and the one that is to serve next."""

    choice: EmbedderChoice
    serving: TextEmbedding
    next: TextEmbedding | None

    async def close(self) -> None:
        """Closes both."""
        await self.serving.close()
        if self.next is not None:
            await self.next.close()


def open_providers(
    settings: MemorySettings,
    data_dir: Path,
    database: Database,
    clock: Clock,
    on_failure: Callable[[str], None],
) -> Providers:
    """The providers that the settings name, loaded. Raises EmbeddingError."""
    spend = PostgresEmbeddingSpend(database, clock, BudgetLimit.of(settings))
    choice = choose_embedder(settings, data_dir, spend)
    serving = TextEmbedding(
        choice.for_all_callers(),
        settings.embed_timeout_seconds,
        on_failure,
        settings.embedding_cache_size,
    )
    following = settings.of_next_model()
    if following is None:
        return Providers(choice, serving, None)
    embedder = choose_embedder(following, data_dir, spend).for_all_callers()
    return Providers(
        choice, serving, TextEmbedding(embedder, settings.embed_timeout_seconds, on_failure)
    )
