# Generated from _async/artifact_reads.py by tools/generate_sync.py: do not edit.
"""Reads of artifacts: their bytes, their text, and searches in them."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import closing
from typing import Unpack

from grpc import Channel

from camillo.v1.artifact_pb2 import ArtifactMatch, ArtifactPassage
from camillo.v1.artifact_service_pb2 import (
    GetArtifactRequest,
    GetArtifactResponse,
    ReadArtifactPageRequest,
    ReadArtifactPageResponse,
    ReadArtifactRequest,
    ReadArtifactResponse,
    SearchArtifactResponse,
)
from camillo.v1.artifact_service_pb2_grpc import ArtifactServiceStub
from camillo_client._sync.caller import Caller
from camillo_client._sync.calls import Calls
from camillo_client._sync.resumed_streams import resumed
from camillo_client.artifact_fields import ChannelLike, to_channel
from camillo_client.artifact_files import ArtifactFile
from camillo_client.artifact_progress import RangeCheck, SearchState
from camillo_client.artifact_ranges import (
    RangeOptions,
    SearchOptions,
    artifact_range,
    search_request,
)
from camillo_client.content_encoding import ACCEPTED
from camillo_client.memory_refs import artifact_id_of
from camillo_client.revisions import WrittenRevisions

# A character of UTF-8 that begins before an offset may reach so far behind it.
MAX_CHARACTER_REST = 3


class ArtifactReads(Caller):
    """Every read takes an id or a whole memory ref, and the channel in which the answer will be shown."""

    def __init__(self, channel: Channel, calls: Calls, written: WrittenRevisions, agent_id: str) -> None:
        super().__init__(calls, written, agent_id)
        self._channel = channel
        self._artifacts = ArtifactServiceStub(channel)

    def get(
        self,
        artifact_id: str,
        *,
        channel: ChannelLike | None = None,
        agent_id: str | None = None,
        timeout: float | None = None,
    ) -> GetArtifactResponse:
        """The description of an artifact, and its preview; ArtifactNotFound if there is none."""
        request = GetArtifactRequest(
            agent_id=self._agent(agent_id),
            artifact_id=artifact_id_of(artifact_id),
            channel=to_channel(channel),
        )
        return self._calls.unary(self._artifacts.GetArtifact, request, timeout)

    def stream(
        self,
        artifact_id: str,
        *,
        channel: ChannelLike | None = None,
        agent_id: str | None = None,
        timeout: float | None = None,
        **options: Unpack[RangeOptions],
    ) -> Generator[ReadArtifactResponse]:
        """The bytes of a range in messages of up to 256 KiB, each checked; see RangeOptions.

        After a break the stream continues where it ended. BytesDamaged if bytes differ from those that were sent. The
        timeout applies to each connection; there is none unless given.
        """
        request = self._read_request(artifact_id, channel, agent_id, **options)
        with closing(self._checked(request, timeout)) as messages:
            for message, _ in messages:
                yield message

    def _read_request(
        self,
        artifact_id: str,
        channel: ChannelLike | None,
        agent_id: str | None,
        **options: Unpack[RangeOptions],
    ) -> ReadArtifactRequest:
        return ReadArtifactRequest(
            agent_id=self._agent(agent_id),
            artifact_id=artifact_id_of(artifact_id),
            channel=to_channel(channel),
            range=artifact_range(**options),
        )

    def _checked(
        self, request: ReadArtifactRequest, timeout: float | None
    ) -> Generator[tuple[ReadArtifactResponse, bytes]]:
        """The messages of a read, and the bytes that each stands for."""
        check = RangeCheck()

        def begin() -> Generator[ReadArtifactResponse]:
            check.go_on(request)
            return self._calls.stream(self._artifacts.ReadArtifact, request, timeout)

        with closing(resumed(self._calls, begin, lambda: check.has_all)) as messages:
            for message in messages:
                yield message, check.take(message)
        check.end()

    def read(
        self,
        artifact_id: str,
        *,
        channel: ChannelLike | None = None,
        agent_id: str | None = None,
        timeout: float | None = None,
        **options: Unpack[RangeOptions],
    ) -> bytes:
        """All bytes of a range at once; see RangeOptions. They come compressed where they are stored so and this
        process can decompress zstd: with Python 3.14, or the extra `zstd`."""
        request = self._read_request(artifact_id, channel, agent_id, **options)
        request.accept_encodings.extend(ACCEPTED)
        return b"".join([data for _, data in self._checked(request, timeout)])

    def read_text(
        self,
        artifact_id: str,
        *,
        channel: ChannelLike | None = None,
        agent_id: str | None = None,
        timeout: float | None = None,
        **options: Unpack[RangeOptions],
    ) -> str:
        """The text of a range; bytes that are invalid in the artifact's encoding are replaced."""
        data = self.read(artifact_id, channel=channel, agent_id=agent_id, timeout=timeout, **options)
        if data.isascii():
            return data.decode("ascii")
        known = self.get(artifact_id, channel=channel, agent_id=agent_id, timeout=timeout)
        return data.decode(known.artifact.encoding or "utf-8", "replace")

    def page(
        self,
        artifact_id: str,
        *,
        max_tokens: int = 0,
        page_token: str = "",
        channel: ChannelLike | None = None,
        agent_id: str | None = None,
        timeout: float | None = None,
        **options: Unpack[RangeOptions],
    ) -> ReadArtifactPageResponse:
        """One page of text of at most `max_tokens` tokens, 1,000 unless given; see RangeOptions."""
        request = ReadArtifactPageRequest(
            agent_id=self._agent(agent_id),
            artifact_id=artifact_id_of(artifact_id),
            channel=to_channel(channel),
            range=artifact_range(**options),
            max_tokens=max_tokens,
            page_token=page_token,
        )
        return self._calls.unary(self._artifacts.ReadArtifactPage, request, timeout)

    def pages(
        self,
        artifact_id: str,
        *,
        max_tokens: int = 0,
        channel: ChannelLike | None = None,
        agent_id: str | None = None,
        timeout: float | None = None,
        **options: Unpack[RangeOptions],
    ) -> Generator[ReadArtifactPageResponse]:
        """All pages of a range, each requested when the one before has been used."""
        request = ReadArtifactPageRequest(
            agent_id=self._agent(agent_id),
            artifact_id=artifact_id_of(artifact_id),
            channel=to_channel(channel),
            range=artifact_range(**options),
            max_tokens=max_tokens,
        )
        pages = self._calls.pages(
            lambda page: self._calls.unary(self._artifacts.ReadArtifactPage, page, timeout),
            request,
        )
        for page in pages:
            yield page

    def open(
        self,
        artifact_id: str,
        *,
        channel: ChannelLike | None = None,
        agent_id: str | None = None,
        timeout: float | None = None,
    ) -> ArtifactFile:
        """The artifact as a seekable binary file; the timeout applies to each call."""
        known = self.get(artifact_id, channel=channel, agent_id=agent_id, timeout=timeout)

        def read(start: int, end: int) -> bytes:
            # Ranges of text are of whole characters: begin before the one that `start` may be in.
            first = max(0, start - MAX_CHARACTER_REST)
            stream = self.stream(
                known.artifact.artifact_id,
                channel=channel,
                agent_id=agent_id,
                timeout=timeout,
                start=first,
                end=end,
            )
            parts: list[bytes] = []
            begins = start
            for message in stream:
                begins = begins if parts else message.offset
                parts.append(message.data)
            return b"".join(parts)[start - begins : end - begins]

        return ArtifactFile(known.artifact.size_bytes, read)

    def search(
        self,
        artifact_id: str,
        *,
        channel: ChannelLike | None = None,
        agent_id: str | None = None,
        timeout: float | None = None,
        **options: Unpack[SearchOptions],
    ) -> Generator[ArtifactMatch]:
        """The lines that hold `literal` or match `regex`, returned while the artifact is searched; see
        SearchOptions."""
        if "ranked" in options:
            raise ValueError("a ranked search finds passages, not lines: use passages()")
        found = self.scan(artifact_id, channel=channel, agent_id=agent_id, timeout=timeout, **options)
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
        """The passages that answer a query best, best first: 5 unless `limit` says otherwise."""
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
        """The messages of a search: matches, how far the search has come, where to continue, whether the limit ended
        it.

        After a break the search continues behind the last line that was searched. There is no timeout unless given.
        """
        request = search_request(artifact_id, **options)
        request.agent_id = self._agent(agent_id)
        if channel is not None:
            request.channel = to_channel(channel)
        state = SearchState(request)

        def begin() -> Generator[SearchArtifactResponse]:
            return self._calls.stream(self._artifacts.SearchArtifact, state.rest(), timeout)

        with closing(resumed(self._calls, begin, lambda: state.has_enough)) as messages:
            for message in messages:
                state.take(message)
                yield message
