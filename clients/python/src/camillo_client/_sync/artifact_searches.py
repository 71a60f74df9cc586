# Generated from _async/artifact_searches.py by tools/generate_sync.py: do not edit.
"""Searches in one artifact."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import closing
from typing import Unpack

from camillo.v1.artifact_pb2 import ArtifactMatch, ArtifactPassage
from camillo.v1.artifact_service_pb2 import SearchArtifactResponse
from camillo_client._sync.artifact_calls import ArtifactCalls
from camillo_client.artifact_fields import ChannelLike, to_channel
from camillo_client.artifact_queries import SearchOptions, SearchState, search_request


class ArtifactSearches(ArtifactCalls):
    """Lines that match, or passages that answer. Takes an id or a whole memory ref."""

    def search(
        self,
        artifact_id: str,
        *,
        channel: ChannelLike | None = None,
        agent_id: str | None = None,
        timeout: float | None = None,
        **options: Unpack[SearchOptions],
    ) -> Generator[ArtifactMatch]:
        """The lines that hold `literal` or match `regex`, while the artifact is searched; see SearchOptions."""
        if "ranked" in options:
            raise ValueError("a ranked search finds passages, not lines: use passages()")
        found = self.scan(
            artifact_id, channel=channel, agent_id=agent_id, timeout=timeout, **options
        )
        with closing(found) as messages:
            for message in messages:
                for match in message.matches:
                    yield match

    def passages(
        self,
        artifact_id: str,
        query: str,
        *,
        limit: int = 0,
        channel: ChannelLike | None = None,
        agent_id: str | None = None,
        timeout: float | None = None,
    ) -> Sequence[ArtifactPassage]:
        """The passages that answer some words best, best first: 5 unless `limit` says otherwise."""
        messages = self.scan(
            artifact_id,
            ranked=query,
            limit=limit,
            channel=channel,
            agent_id=agent_id,
            timeout=timeout,
        )
        return [passage for message in messages for passage in message.passages]

    def scan(
        self,
        artifact_id: str,
        *,
        channel: ChannelLike | None = None,
        agent_id: str | None = None,
        timeout: float | None = None,
        **options: Unpack[SearchOptions],
    ) -> Generator[SearchArtifactResponse]:
        """The messages of a search: what was found, how far it has come, where to go on, whether the limit ended it.

        Goes on after a break behind the last line that was searched. Without a timeout unless given.
        """
        request = search_request(artifact_id, **options)
        request.agent_id = self._agent(agent_id)
        if channel is not None:
            request.channel = to_channel(channel)
        state = SearchState(request)

        def begin() -> Generator[SearchArtifactResponse]:
            return self._calls.stream(self._artifacts.SearchArtifact, state.rest(), timeout)

        with closing(self._resumed(begin, lambda: state.has_enough)) as messages:
            for message in messages:
                state.take(message)
                yield message
