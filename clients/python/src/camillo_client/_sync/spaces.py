# Generated from _async/spaces.py by tools/generate_sync.py: do not edit.
"""Spaces: what each holds."""

from __future__ import annotations

from collections.abc import Generator

from grpc import Channel

from camillo.v1.space_pb2 import Space
from camillo.v1.space_service_pb2 import GetSpaceRequest, GetSpaceResponse, ListSpacesRequest
from camillo.v1.space_service_pb2_grpc import SpaceServiceStub
from camillo_client._sync.caller import Caller
from camillo_client._sync.calls import Calls
from camillo_client.revisions import WrittenRevisions


class AsyncSpaces(Caller):
    """A space is an agent's id, a path such as `users/42`, or SHARED; left out, it is the client's own. A key of one
    agent sees that agent's own and those that it was granted. Failed calls raise CamilloError."""

    def __init__(self, channel: Channel, calls: Calls, written: WrittenRevisions, agent_id: str) -> None:
        super().__init__(calls, written, agent_id)
        self._spaces = SpaceServiceStub(channel)

    def list(self, prefix: str = "", *, page_size: int = 0, timeout: float | None = None) -> Generator[Space]:
        """The spaces that the key reaches, in the order of their paths, each with its rows and bytes; with a prefix
        such as `users/` or `teams/eu`, those below it and the one of that name. The timeout applies to each page."""
        pages = self._calls.pages(
            lambda page: self._calls.unary(self._spaces.ListSpaces, page, timeout),
            ListSpacesRequest(prefix=prefix, page_size=page_size),
        )
        for page in pages:
            for space in page.spaces:
                yield space

    def get(self, space: str | None = None, *, timeout: float | None = None) -> GetSpaceResponse:
        """Describes one space: memories by kind, sessions, how long records stay; for administrators the keys that
        reach it. Zeros where nobody has written it."""
        request = GetSpaceRequest(agent_id=self._agent(space))
        return self._calls.unary(self._spaces.GetSpace, request, timeout)
