# Generated from _async/artifacts.py by tools/generate_sync.py: do not edit.
"""Artifacts: large outputs kept out of the context and read back in parts."""

from __future__ import annotations

from collections.abc import Generator
from typing import Unpack

from camillo.v1.artifact_pb2 import Artifact, ArtifactReceipt, Citation
from camillo.v1.artifact_service_pb2 import (
    DeleteArtifactRequest,
    ListArtifactsRequest,
    ListCitationsRequest,
    UpdateArtifactRequest,
)
from camillo_client._sync.artifact_searches import ArtifactSearches
from camillo_client._sync.mutations import new_request_id
from camillo_client._sync.offloads import Offloads
from camillo_client.artifact_fields import (
    ArtifactFilterFields,
    ChangedArtifactFields,
    ChannelLike,
    artifact_filter,
    changed_artifact,
    to_channel,
)
from camillo_client.memory_refs import artifact_id_of
from camillo_client.redactions import warn_of


class Artifacts(Offloads, ArtifactSearches):
    """`agent_id` and `timeout` of a method stand for that call in place of the client's own. Where an id is asked for, a
    whole memory ref will do. Failures are CamilloError."""

    def list(
        self,
        *,
        channel: ChannelLike | None = None,
        include_shared: bool = False,
        page_size: int = 0,
        agent_id: str | None = None,
        timeout: float | None = None,
        **conditions: Unpack[ArtifactFilterFields],
    ) -> Generator[Artifact]:
        """Artifacts that pass all conditions, newest first; the timeout is that of each page."""
        request = ListArtifactsRequest(
            agent_id=self._agent(agent_id),
            filter=artifact_filter(**conditions),
            channel=to_channel(channel),
            include_shared=include_shared,
            page_size=page_size,
        )
        pages = self._calls.pages(
            lambda page: self._calls.unary(self._artifacts.ListArtifacts, page, timeout), request
        )
        for page in pages:
            for artifact in page.artifacts:
                yield artifact

    def update(
        self,
        artifact_id: str,
        expected_version: int,
        *,
        agent_id: str | None = None,
        request_id: str | None = None,
        timeout: float | None = None,
        **fields: Unpack[ChangedArtifactFields],
    ) -> Artifact:
        """Changes what is said about it; VersionConflict if it is no longer at `expected_version`."""
        artifact, update_mask = changed_artifact(**fields)
        request = UpdateArtifactRequest(
            request_id=request_id or new_request_id(),
            agent_id=self._agent(agent_id),
            artifact_id=artifact_id_of(artifact_id),
            expected_version=expected_version,
            update_mask=update_mask,
            artifact=artifact,
        )
        answer = self._calls.unary(self._artifacts.UpdateArtifact, request, timeout)
        warn_of(answer.field_redactions)
        return answer.artifact

    def delete(
        self,
        artifact_id: str,
        *,
        agent_id: str | None = None,
        request_id: str | None = None,
        timeout: float | None = None,
    ) -> ArtifactReceipt:
        """Removes an artifact for good."""
        request = DeleteArtifactRequest(
            request_id=request_id or new_request_id(),
            agent_id=self._agent(agent_id),
            artifact_id=artifact_id_of(artifact_id),
        )
        return (self._calls.unary(self._artifacts.DeleteArtifact, request, timeout)).receipt

    def citations(
        self,
        artifact_id: str,
        *,
        page_size: int = 0,
        agent_id: str | None = None,
        timeout: float | None = None,
    ) -> Generator[Citation]:
        """What cites an artifact; the timeout is that of each page."""
        request = ListCitationsRequest(
            agent_id=self._agent(agent_id),
            artifact_id=artifact_id_of(artifact_id),
            page_size=page_size,
        )
        pages = self._calls.pages(
            lambda page: self._calls.unary(self._artifacts.ListCitations, page, timeout), request
        )
        for page in pages:
            for citation in page.citations:
                yield citation
