# Generated from _async/client.py by tools/generate_sync.py: do not edit.
"""The client: what its parts do, under one name."""

from __future__ import annotations

from collections.abc import Callable
from time import sleep
from typing import Self

from grpc import Channel

from camillo.v1.admin_service_pb2 import WhoAmIResponse
from camillo_client._sync.admin import Admin
from camillo_client._sync.artifacts import Artifacts
from camillo_client._sync.connection import open_channel
from camillo_client._sync.context import Context
from camillo_client._sync.decisions import Decisions
from camillo_client._sync.events import Events
from camillo_client._sync.generic_calls import GenericCalls
from camillo_client._sync.imports import Imports
from camillo_client._sync.lifecycle import Lifecycle
from camillo_client._sync.reads import Reads
from camillo_client._sync.recalls import Recalls
from camillo_client._sync.runs import Runs
from camillo_client._sync.tasks import Tasks
from camillo_client._sync.watches import Watches
from camillo_client._sync.writes import Writes
from camillo_client.plaintext_keys import warn_of_plaintext
from camillo_client.target import (
    KEEPALIVE_SECONDS,
    MAX_MESSAGE_BYTES,
    Target,
    Tls,
    resolved_address,
    resolved_key,
)


class Camillo(Recalls, Reads, Writes, Imports, Watches, GenericCalls):
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
        pause: Callable[[float], None] = sleep,
    ) -> None:
        super().__init__(
            channel, key=key, agent_id=agent_id, timeout_seconds=timeout_seconds, pause=pause
        )
        self.admin = Admin(channel, self._calls)
        self.artifacts = Artifacts(channel, self._calls, agent_id)
        # Their writes are the client's own: its recalls and bundles see them.
        self.events = Events(channel, self._calls, self._written, agent_id)
        self.decisions = Decisions(channel, self._calls, self._written, agent_id)
        self.tasks = Tasks(channel, self._calls, self._written, agent_id)
        self.context = Context(channel, self._calls, self._written, agent_id)
        self.runs = Runs(channel, self._calls, self._written, agent_id)
        self.lifecycle = Lifecycle(channel, self._calls, self._written, agent_id)

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

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def who_am_i(self, *, timeout: float | None = None) -> WhoAmIResponse:
        """Who the caller is, and what it is talking to."""
        return self.admin.who_am_i(timeout=timeout)
