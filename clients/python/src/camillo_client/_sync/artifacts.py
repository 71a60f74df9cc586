# Generated from _async/artifacts.py by tools/generate_sync.py: do not edit.
"""Artifacts: large outputs, kept out of the context and read back in parts."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator
from functools import wraps
from pathlib import Path
from typing import Any, BinaryIO, ParamSpec, TypeAlias, Unpack, cast
from uuid import uuid4

from camillo.v1.artifact_pb2 import Artifact, ArtifactReceipt, Citation
from camillo.v1.artifact_service_pb2 import (
    DeleteArtifactRequest,
    ListArtifactsRequest,
    ListCitationsRequest,
    OffloadOutputRequest,
    PutArtifactHeader,
    UpdateArtifactRequest,
)
from camillo_client._sync.artifact_reads import ArtifactReads
from camillo_client._sync.artifact_writers import ArtifactWriter, Offloading, Spool
from camillo_client._sync.caller import new_request_id
from camillo_client._sync.upload_sources import ByteSource, opened, source_of
from camillo_client._sync.uploads import Progress, Upload
from camillo_client.artifact_fields import (
    ArtifactFilterFields,
    ChangedArtifactFields,
    ChannelLike,
    NewArtifactFields,
    artifact_filter,
    changed_artifact,
    new_artifact,
    to_channel,
)
from camillo_client.errors import CamilloError
from camillo_client.memory_refs import artifact_id_of
from camillo_client.named_arguments import checks_arguments
from camillo_client.outputs import (
    Offloaded,
    checked_output,
    empty,
    kept,
    message_bytes,
    offloaded,
)
from camillo_client.redactions import warn_of, warn_of_bytes

P = ParamSpec("P")
Output: TypeAlias = str | bytes


class Artifacts(ArtifactReads):
    """`agent_id` and `timeout` of a method apply to that call in place of the client's own. An artifact id may be a
    whole memory ref. Failed calls raise CamilloError."""

    def put(
        self,
        source: ByteSource,
        *,
        shared: bool = False,
        agent_id: str | None = None,
        request_id: str | None = None,
        timeout: float | None = None,
        on_progress: Progress | None = None,
        **fields: Unpack[NewArtifactFields],
    ) -> Artifact:
        """Stores bytes, text, the file at a path, an open binary file from its position, or an iterable of bytes.

        After a break an upload that can be read again continues where the server has it, up to three times without
        progress. For each kind of secret taken out, a SecretRedacted warning is issued. `on_progress` is called with
        the number of bytes sent. There is no timeout unless given; it applies to each connection.
        """
        file = opened(source)
        if isinstance(source, os.PathLike) and not fields.get("name"):
            fields["name"] = Path(source).name
        header = PutArtifactHeader(
            request_id=request_id or new_request_id(),
            agent_id=self._agent(agent_id),
            artifact=new_artifact(shared=shared, **fields),
            upload_id=str(uuid4()),
        )
        try:
            upload = Upload(self._channel, self._calls, source_of(file or source), header)
            answer = upload.send(timeout, on_progress)
        except CamilloError as error:
            error.request_id = header.request_id
            raise
        finally:
            if file is not None:
                file.close()
        warn_of(answer.field_redactions)
        warn_of_bytes(answer.redactions)
        return answer.artifact

    def offload(
        self,
        output: str | bytes | BinaryIO,
        *,
        threshold_tokens: int = 0,
        shared: bool = False,
        agent_id: str | None = None,
        request_id: str | None = None,
        timeout: float | None = None,
        **fields: Unpack[NewArtifactFields],
    ) -> Offloaded:
        """The text to put before the model: the output without its secrets if it has up to `threshold_tokens` tokens,
        500 unless given; else a ref, a summary and a preview of the artifact that holds it. A file is read from
        its position and has to be seekable."""
        data = message_bytes(output)
        if data is None:
            return self._sent_as_stream(
                output,
                shared=shared,
                agent_id=agent_id,
                request_id=request_id,
                timeout=timeout,
                **fields,
            )
        if not data:
            return empty()
        request = OffloadOutputRequest(
            request_id=request_id or new_request_id(),
            agent_id=self._agent(agent_id),
            output=data,
            artifact=new_artifact(shared=shared, **fields),
            threshold_tokens=threshold_tokens,
        )
        answer = self._calls.unary(self._artifacts.OffloadOutput, request, timeout)
        warn_of(answer.field_redactions)
        warn_of_bytes(answer.redactions)
        return offloaded(answer)

    @checks_arguments
    def offloading(
        self,
        *,
        threshold_tokens: int = 0,
        shared: bool = False,
        agent_id: str | None = None,
        request_id: str | None = None,
        **fields: Unpack[NewArtifactFields],
    ) -> Offloading:
        """A block in which an output is written piece by piece; afterwards `text` is what to put before the model."""

        def complete(spool: Spool, exit_code: int | None) -> Offloaded:
            if exit_code is not None:
                fields["exit_code"] = exit_code
            return self.offload(
                cast("BinaryIO", spool),
                threshold_tokens=threshold_tokens,
                shared=shared,
                agent_id=agent_id,
                request_id=request_id,
                **fields,
            )

        return Offloading(complete)

    @checks_arguments
    def open_writer(
        self,
        *,
        shared: bool = False,
        agent_id: str | None = None,
        request_id: str | None = None,
        **fields: Unpack[NewArtifactFields],
    ) -> ArtifactWriter:
        """A block in which an artifact is written piece by piece; it is sent when the block ends, then `artifact`."""

        def complete(spool: Spool, exit_code: int | None) -> Artifact:
            if exit_code is not None:
                fields["exit_code"] = exit_code
            return self.put(spool, shared=shared, agent_id=agent_id, request_id=request_id, **fields)

        return ArtifactWriter(complete)

    @checks_arguments
    def offloaded(
        self,
        *,
        threshold_tokens: int = 0,
        shared: bool = False,
        agent_id: str | None = None,
        **fields: Unpack[NewArtifactFields],
    ) -> Callable[[Callable[P, Output] | Callable[P, Output]], Callable[P, str]]:
        """Makes of a tool, a function that returns text or bytes, one that returns what to put before the model.

        The tool's name is the function's, unless `tool` is given.
        """

        def decorate(
            tool: Callable[P, Output] | Callable[P, Output],
        ) -> Callable[P, str]:
            said: NewArtifactFields = {"tool": getattr(tool, "__name__", ""), **fields}

            @wraps(tool)
            def offloading(*args: P.args, **kwargs: P.kwargs) -> str:
                output = _output(tool, *args, **kwargs)
                shown = self.offload(
                    output,
                    threshold_tokens=threshold_tokens,
                    shared=shared,
                    agent_id=agent_id,
                    **said,
                )
                return shown.text

            return offloading

        return decorate

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
        """Changes the description; VersionConflict if the artifact is no longer at `expected_version`."""
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
        """The records that cite an artifact; the timeout applies to each page."""
        request = ListCitationsRequest(
            agent_id=self._agent(agent_id),
            artifact_id=artifact_id_of(artifact_id),
            page_size=page_size,
        )
        pages = self._calls.pages(lambda page: self._calls.unary(self._artifacts.ListCitations, page, timeout), request)
        for page in pages:
            for citation in page.citations:
                yield citation

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
        """Artifacts that pass all conditions, newest first; the timeout applies to each page."""
        request = ListArtifactsRequest(
            agent_id=self._agent(agent_id),
            filter=artifact_filter(**conditions),
            channel=to_channel(channel),
            include_shared=include_shared,
            page_size=page_size,
        )
        pages = self._calls.pages(lambda page: self._calls.unary(self._artifacts.ListArtifacts, page, timeout), request)
        for page in pages:
            for artifact in page.artifacts:
                yield artifact

    def _sent_as_stream(self, source: Any, **options: Any) -> Offloaded:
        """Uploads an output that is too long for a message: it is never kept inline."""
        artifact = self.put(source, **options)
        known = self.get(artifact.artifact_id, agent_id=options.get("agent_id"))
        return kept(known)


def _output(tool: Callable[..., Any], *args: object, **kwargs: object) -> Output:
    return checked_output(tool(*args, **kwargs))
