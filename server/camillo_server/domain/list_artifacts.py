"""ListArtifacts: artifacts that pass a filter, newest first, in pages."""

from collections.abc import Sequence
from dataclasses import dataclass

from camillo_server.domain.artifact import Artifact, ArtifactFilter
from camillo_server.domain.artifact_ports import ArtifactCursor, ArtifactReader
from camillo_server.domain.channel import Channel, ChannelPolicy
from camillo_server.domain.clock import Clock
from camillo_server.domain.scope import Scope


@dataclass(frozen=True, slots=True)
class ArtifactsAsked:
    """Which artifacts are asked for, by whom, and where they will be shown."""

    scope: Scope
    filter: ArtifactFilter
    channel: Channel
    include_shared: bool


@dataclass(frozen=True, slots=True)
class ArtifactPage:
    """A page, and where the next one begins (None after the last)."""

    artifacts: Sequence[Artifact]
    next_cursor: ArtifactCursor | None


class ListArtifacts:
    """Reads one page."""

    def __init__(self, reader: ArtifactReader, policy: ChannelPolicy, clock: Clock) -> None:
        self._reader = reader
        self._policy = policy
        self._clock = clock

    async def __call__(
        self, asked: ArtifactsAsked, after: ArtifactCursor | None, size: int
    ) -> ArtifactPage:
        """Raises KeyMissing, StorageUnavailable."""
        # One more than asked for tells whether there is a next page.
        found = await self._reader.page(
            asked.scope,
            asked.filter,
            self._policy.allowed(asked.channel, asked.filter.max_sensitivity),
            after,
            size + 1,
            include_shared=asked.include_shared,
            now=self._clock.now(),
        )
        page = found[:size]
        if len(found) <= size:
            return ArtifactPage(page, None)
        return ArtifactPage(page, ArtifactCursor(page[-1].created_at, page[-1].artifact_id))
