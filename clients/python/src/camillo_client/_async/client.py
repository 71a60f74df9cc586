"""The client: what its parts do, under one name."""

from __future__ import annotations

from asyncio import sleep
from collections.abc import Awaitable, Callable
from typing import Self

from grpc.aio import Channel

from camillo.v1.admin_service_pb2 import WhoAmIResponse
from camillo_client._async.admin import AsyncAdmin
from camillo_client._async.artifacts import AsyncArtifacts
from camillo_client._async.connection import open_channel
from camillo_client._async.context import AsyncContext
from camillo_client._async.decisions import AsyncDecisions
from camillo_client._async.events import AsyncEvents
from camillo_client._async.generic_calls import GenericCalls
from camillo_client._async.imports import Imports
from camillo_client._async.lifecycle import AsyncLifecycle
from camillo_client._async.reads import Reads
from camillo_client._async.recalls import Recalls
from camillo_client._async.runs import AsyncRuns
from camillo_client._async.tasks import AsyncTasks
from camillo_client._async.watches import Watches
from camillo_client._async.writes import Writes
from camillo_client.plaintext_keys import warn_of_plaintext
from camillo_client.target import (
    KEEPALIVE_SECONDS,
    MAX_MESSAGE_BYTES,
    Target,
    Tls,
    resolved_address,
    resolved_key,
)


class AsyncCamillo(Recalls, Reads, Writes, Imports, Watches, GenericCalls):
    """A memory service, as one credential sees it.

    `agent_id` and `timeout` of a method stand for that call in place of the client's own. Reads see the writes
    that this client has completed, on whichever replica they land. Failures are CamilloError.
    """

    def __init__(
        self,
        channel: Channel,
        *,
        key: str = "",
        agent_id: str = "",
        timeout_seconds: float = 10.0,
        pause: Callable[[float], Awaitable[None]] = sleep,
    ) -> None:
        super().__init__(
            channel, key=key, agent_id=agent_id, timeout_seconds=timeout_seconds, pause=pause
        )
        self.admin = AsyncAdmin(channel, self._calls)
        self.artifacts = AsyncArtifacts(channel, self._calls, agent_id)
        # Their writes are the client's own: its recalls and bundles see them.
        self.events = AsyncEvents(channel, self._calls, self._written, agent_id)
        self.decisions = AsyncDecisions(channel, self._calls, self._written, agent_id)
        self.tasks = AsyncTasks(channel, self._calls, self._written, agent_id)
        self.context = AsyncContext(channel, self._calls, self._written, agent_id)
        self.runs = AsyncRuns(channel, self._calls, self._written, agent_id)
        self.lifecycle = AsyncLifecycle(channel, self._calls, self._written, agent_id)

    @classmethod
    def connect(
        cls,
        address: str | None = None,
        *,
        key: str | None = None,
        tls: Tls | None = None,
        agent_id: str = "",
        timeout_seconds: float = 10.0,
        max_message_bytes: int = MAX_MESSAGE_BYTES,
        keepalive_seconds: float = KEEPALIVE_SECONDS,
    ) -> Self:
        """A client of one server; it connects with the first call.

        `address` defaults to CAMILLO_ADDRESS, then to localhost:7070; `key` to CAMILLO_KEY. Without `tls` nothing
        is encrypted, the key neither: a KeyUnprotected warning tells of one that leaves this machine. `agent_id` is for
        keys that may act for any agent.
        """
        target = Target(resolved_address(address), tls, max_message_bytes, keepalive_seconds)
        known_key = resolved_key(key)
        warn_of_plaintext(target, known_key)
        return cls(
            open_channel(target),
            key=known_key,
            agent_id=agent_id,
            timeout_seconds=timeout_seconds,
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exception: object) -> None:
        await self.close()

    async def who_am_i(self, *, timeout: float | None = None) -> WhoAmIResponse:
        """Who the caller is, and what it is talking to."""
        return await self.admin.who_am_i(timeout=timeout)
