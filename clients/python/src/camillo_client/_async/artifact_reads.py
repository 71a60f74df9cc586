"""Bytes and text of artifacts."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Unpack

from camillo.v1.artifact_service_pb2 import (
    GetArtifactRequest,
    GetArtifactResponse,
    ReadArtifactPageRequest,
    ReadArtifactPageResponse,
    ReadArtifactRequest,
    ReadArtifactResponse,
)
from camillo_client._async.artifact_calls import ArtifactCalls
from camillo_client.artifact_checks import RangeCheck
from camillo_client.artifact_fields import ChannelLike, to_channel
from camillo_client.artifact_files import AsyncArtifactFile
from camillo_client.artifact_ranges import RangeOptions, artifact_range
from camillo_client.memory_refs import artifact_id_of

# A character of UTF-8 that begins before a place may reach so far behind it.
MAX_CHARACTER_REST = 3


class ArtifactReads(ArtifactCalls):
    """Every read takes an id or a whole memory ref, and the channel in which the answer will be shown."""

    async def get(
        self,
        artifact_id: str,
        *,
        channel: ChannelLike | None = None,
        agent_id: str | None = None,
        timeout: float | None = None,
    ) -> GetArtifactResponse:
        """What is known of an artifact, and its preview; ArtifactNotFound if there is none."""
        request = GetArtifactRequest(
            agent_id=self._agent(agent_id),
            artifact_id=artifact_id_of(artifact_id),
            channel=to_channel(channel),
        )
        return await self._calls.unary(self._artifacts.GetArtifact, request, timeout)

    async def stream(
        self,
        artifact_id: str,
        *,
        channel: ChannelLike | None = None,
        agent_id: str | None = None,
        timeout: float | None = None,
        **options: Unpack[RangeOptions],
    ) -> AsyncGenerator[ReadArtifactResponse]:
        """The bytes of a range in messages of up to 256 KiB, each checked; see RangeOptions.

        Goes on after a break where it ended. BytesDamaged if bytes came otherwise than they were sent. The
        timeout is that of each connection; none unless given.
        """
        request = ReadArtifactRequest(
            agent_id=self._agent(agent_id),
            artifact_id=artifact_id_of(artifact_id),
            channel=to_channel(channel),
            range=artifact_range(**options),
        )
        check = RangeCheck()

        def begin() -> AsyncGenerator[ReadArtifactResponse]:
            check.go_on(request)
            return self._calls.stream(self._artifacts.ReadArtifact, request, timeout)

        async with aclosing(self._resumed(begin, lambda: check.has_all)) as messages:
            async for message in messages:
                check.take(message)
                yield message
        check.end()

    async def read(
        self,
        artifact_id: str,
        *,
        channel: ChannelLike | None = None,
        agent_id: str | None = None,
        timeout: float | None = None,
        **options: Unpack[RangeOptions],
    ) -> bytes:
        """All bytes of a range at once; see RangeOptions."""
        stream = self.stream(
            artifact_id, channel=channel, agent_id=agent_id, timeout=timeout, **options
        )
        return b"".join([message.data async for message in stream])

    async def read_text(
        self,
        artifact_id: str,
        *,
        channel: ChannelLike | None = None,
        agent_id: str | None = None,
        timeout: float | None = None,
        **options: Unpack[RangeOptions],
    ) -> str:
        """The text of a range; what is not valid in the artifact's encoding is replaced."""
        data = await self.read(
            artifact_id, channel=channel, agent_id=agent_id, timeout=timeout, **options
        )
        if data.isascii():
            return data.decode("ascii")
        known = await self.get(artifact_id, channel=channel, agent_id=agent_id, timeout=timeout)
        return data.decode(known.artifact.encoding or "utf-8", "replace")

    async def page(
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
        """One page of text of at most so many tokens, 1,000 unless given; see RangeOptions."""
        request = ReadArtifactPageRequest(
            agent_id=self._agent(agent_id),
            artifact_id=artifact_id_of(artifact_id),
            channel=to_channel(channel),
            range=artifact_range(**options),
            max_tokens=max_tokens,
            page_token=page_token,
        )
        return await self._calls.unary(self._artifacts.ReadArtifactPage, request, timeout)

    async def pages(
        self,
        artifact_id: str,
        *,
        max_tokens: int = 0,
        channel: ChannelLike | None = None,
        agent_id: str | None = None,
        timeout: float | None = None,
        **options: Unpack[RangeOptions],
    ) -> AsyncGenerator[ReadArtifactPageResponse]:
        """All pages of a range, each asked for when the one before has been taken."""
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
        async for page in pages:
            yield page

    async def open(
        self,
        artifact_id: str,
        *,
        channel: ChannelLike | None = None,
        agent_id: str | None = None,
        timeout: float | None = None,
    ) -> AsyncArtifactFile:
        """The artifact as a binary file to read from any place; the timeout is that of each call."""
        known = await self.get(artifact_id, channel=channel, agent_id=agent_id, timeout=timeout)

        async def read(start: int, end: int) -> bytes:
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
            async for message in stream:
                begins = begins if parts else message.offset
                parts.append(message.data)
            return b"".join(parts)[start - begins : end - begins]

        return AsyncArtifactFile(known.artifact.size_bytes, read)
