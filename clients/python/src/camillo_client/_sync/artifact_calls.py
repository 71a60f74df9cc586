# Generated from _async/artifact_calls.py by tools/generate_sync.py: do not edit.
"""What all parts of the artifacts' facade share."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import closing
from typing import TypeVar

from grpc import Channel

from camillo.v1.artifact_service_pb2_grpc import ArtifactServiceStub
from camillo_client._sync.calls import Calls
from camillo_client.back_off import is_worth_waiting, pause_seconds
from camillo_client.errors import CamilloError, Overloaded, Unavailable

R = TypeVar("R")

# In a row, without anything between them.
MAX_FAILURES = 3


class ArtifactCalls:
    """A channel to one server, and whose artifacts are meant."""

    def __init__(self, channel: Channel, calls: Calls, agent_id: str) -> None:
        self._artifacts = ArtifactServiceStub(channel)
        self._calls = calls
        self._agent_id = agent_id

    def _agent(self, agent_id: str | None) -> str:
        return self._agent_id if agent_id is None else agent_id

    def _resumed(
        self, begin: Callable[[], Generator[R]], is_complete: Callable[[], bool]
    ) -> Generator[R]:
        """The messages of a stream that is begun anew after a break, unless it had brought everything; `begin` knows where."""
        failures = 0
        while True:
            try:
                with closing(begin()) as messages:
                    for message in messages:
                        failures = 0
                        yield message
                return
            except (Unavailable, Overloaded) as error:
                if is_complete():
                    return
                failures += 1
                self._wait_after(error, failures)

    def _wait_after(self, error: CamilloError, failures: int) -> None:
        """Raises the failure if it is one too many, or if the server asks for too long a pause."""
        if failures > MAX_FAILURES or not is_worth_waiting(error.retry_after_seconds):
            raise error
        self._calls.pause(pause_seconds(failures, error.retry_after_seconds))
