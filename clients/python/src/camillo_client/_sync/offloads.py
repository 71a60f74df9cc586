# Generated from _async/offloads.py by tools/generate_sync.py: do not edit.
"""Outputs of tools: what is long is kept, and a ref, a summary and a preview stand for it."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, BinaryIO, ParamSpec, TypeAlias, Unpack, cast

from camillo.v1.artifact_pb2 import Artifact
from camillo.v1.artifact_service_pb2 import OffloadOutputRequest
from camillo_client._sync.artifact_reads import ArtifactReads
from camillo_client._sync.artifact_writers import ArtifactWriter, Offloading, Spool
from camillo_client._sync.mutations import new_request_id
from camillo_client._sync.uploads import Uploads
from camillo_client.artifact_fields import NewArtifactFields, new_artifact
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


class Offloads(Uploads, ArtifactReads):
    """Keeps a model's context small."""

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
        """What to put before the model: the output without its secrets if it has up to `threshold_tokens` tokens, 500
        unless given; else what stands for the artifact that holds it. A file is taken from where it stands, and has
        to be one that can be read again."""
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
            return self.put(
                spool, shared=shared, agent_id=agent_id, request_id=request_id, **fields
            )

        return ArtifactWriter(complete)

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

    def _sent_as_stream(self, source: Any, **options: Any) -> Offloaded:
        """By way of an upload: nothing that a message cannot hold is short."""
        artifact = self.put(source, **options)
        known = self.get(artifact.artifact_id, agent_id=options.get("agent_id"))
        return kept(known)


def _output(tool: Callable[..., Any], *args: object, **kwargs: object) -> Output:
    return checked_output(tool(*args, **kwargs))
