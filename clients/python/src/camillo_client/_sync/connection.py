# Generated from _async/connection.py by tools/generate_sync.py: do not edit.
"""What all parts of a client share: the channel, the scope, the credential."""

from __future__ import annotations

from collections.abc import Callable
from time import sleep

from grpc import Channel, insecure_channel, secure_channel

from camillo.v1.memory_service_pb2_grpc import MemoryServiceStub
from camillo_client._sync.caller import Caller
from camillo_client._sync.calls import Calls
from camillo_client.revisions import WrittenRevisions
from camillo_client.target import Target


class Connection(Caller):
    """A channel to one server under one credential."""

    def __init__(
        self,
        channel: Channel,
        *,
        key: str = "",
        agent_id: str = "",
        timeout_seconds: float = 10.0,
        pause: Callable[[float], None] = sleep,
    ) -> None:
        calls = Calls(key, timeout_seconds, pause, agent_id)
        super().__init__(calls, WrittenRevisions(), agent_id)
        self._channel = channel
        self._memories = MemoryServiceStub(channel)

    def close(self) -> None:
        """Ends all calls and the connection."""
        self._channel.close()


def open_channel(target: Target) -> Channel:
    """A channel; it connects with the first call."""
    if target.tls is None:
        return insecure_channel(target.address, options=target.options())
    return secure_channel(target.address, target.tls.credentials(), options=target.options())
