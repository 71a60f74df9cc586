"""ListCitations: what cites an artifact, in pages."""

from collections.abc import Sequence
from dataclasses import dataclass

from camillo_server.domain.artifact import ArtifactId
from camillo_server.domain.artifact_ports import ArtifactReader, Citing
from camillo_server.domain.channel import Channel
from camillo_server.domain.get_artifact import ArtifactAsked, GetArtifact
from camillo_server.domain.ids import MemoryId
from camillo_server.domain.scope import Scope


@dataclass(frozen=True, slots=True)
class CitationPage:
    """A page in the order of the ids, and behind which the next one begins (None after the last)."""

    citations: Sequence[Citing]
    next_after: MemoryId | None


class ListCitations:
    """Reads one page."""

    def __init__(self, get: GetArtifact, reader: ArtifactReader) -> None:
        self._get = get
        self._reader = reader

    async def __call__(
        self, scope: Scope, artifact_id: ArtifactId, after: MemoryId | None, size: int
    ) -> CitationPage:
        """Raises NotFound, KeyMissing, StorageUnavailable."""
        await self._get(ArtifactAsked(scope, artifact_id, Channel.PRIVATE))
        found = await self._reader.citing(scope, artifact_id, after, size + 1)
        page = found[:size]
        return CitationPage(page, page[-1].memory_id if len(found) > size else None)
