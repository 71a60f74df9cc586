# Generated from _async/views.py by tools/generate_sync.py: do not edit.
"""Views: texts that an agent, or a whole tenant, is always shown."""

from __future__ import annotations

from grpc import Channel

from camillo.v1.context_pb2 import View
from camillo.v1.memory_pb2 import Sensitivity
from camillo.v1.snapshot_service_pb2 import (
    DeleteViewRequest,
    GetViewRequest,
    ListViewsRequest,
    PutViewRequest,
)
from camillo.v1.snapshot_service_pb2_grpc import SnapshotServiceStub
from camillo_client._sync.calls import Calls
from camillo_client._sync.mutations import Mutations
from camillo_client.convert import SensitivityLevel, to_enum
from camillo_client.redactions import warn_of
from camillo_client.revisions import WrittenRevisions


class Views(Mutations):
    """An operator's own are the tenant's: with `agent_id=""`."""

    def __init__(
        self, channel: Channel, calls: Calls, written: WrittenRevisions, agent_id: str
    ) -> None:
        super().__init__(calls, written, agent_id)
        self._snapshots = SnapshotServiceStub(channel)

    def put(
        self,
        name: str,
        text: str,
        *,
        sensitivity: SensitivityLevel | Sensitivity | None = None,
        expected_version: int = 0,
        agent_id: str | None = None,
        request_id: str | None = None,
        timeout: float | None = None,
    ) -> View:
        """Stores a text, Markdown; VersionConflict if an `expected_version` is given and it has another one."""
        level = None if sensitivity is None else to_enum(Sensitivity, sensitivity)
        request = PutViewRequest(
            agent_id=self._agent(agent_id),
            view=View(name=name, text=text, sensitivity=level),
            expected_version=expected_version,
        )
        answer = self._write(self._snapshots.PutView, request, request_id, timeout)
        warn_of(answer.redactions)
        return answer.view

    def get(self, name: str, *, agent_id: str | None = None, timeout: float | None = None) -> View:
        """The agent's own text of a name, or else the tenant's; ViewNotFound if there is neither."""
        request = GetViewRequest(agent_id=self._agent(agent_id), name=name)
        return (self._calls.unary(self._snapshots.GetView, request, timeout)).view

    def delete(
        self,
        name: str,
        *,
        agent_id: str | None = None,
        request_id: str | None = None,
        timeout: float | None = None,
    ) -> None:
        """Removes the agent's text of a name; ViewNotFound if there is none."""
        request = DeleteViewRequest(agent_id=self._agent(agent_id), name=name)
        self._write(self._snapshots.DeleteView, request, request_id, timeout)

    def list(self, *, agent_id: str | None = None, timeout: float | None = None) -> list[View]:
        """The agent's texts and the tenant's, by name."""
        request = ListViewsRequest(agent_id=self._agent(agent_id))
        return [*(self._calls.unary(self._snapshots.ListViews, request, timeout)).views]
