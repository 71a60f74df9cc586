"""Outputs of tools: what is long is kept, and a ref, a summary and a preview stand for it."""

from __future__ import annotations

from asyncio import to_thread
from collections.abc import Awaitable, Callable
from functools import wraps
from inspect import isawaitable, iscoroutinefunction
from typing import Any, BinaryIO, ParamSpec, TypeAlias, Unpack, cast

from camillo.v1.artifact_pb2 import Artifact
from camillo.v1.artifact_service_pb2 import OffloadOutputRequest
from camillo_client._async.artifact_reads import ArtifactReads
from camillo_client._async.artifact_writers import AsyncArtifactWriter, AsyncOffloading, Spool
from camillo_client._async.mutations import new_request_id
from camillo_client._async.uploads import Uploads
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

    async def offload(
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
        data = await to_thread(message_bytes, output)
        if data is None:
            return await self._sent_as_stream(
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
        answer = await self._calls.unary(self._artifacts.OffloadOutput, request, timeout)
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
    ) -> AsyncOffloading:
        """A block in which an output is written piece by piece; afterwards `text` is what to put before the model."""

        async def complete(spool: Spool, exit_code: int | None) -> Offloaded:
            if exit_code is not None:
                fields["exit_code"] = exit_code
            return await self.offload(
                cast("BinaryIO", spool),
                threshold_tokens=threshold_tokens,
                shared=shared,
                agent_id=agent_id,
                request_id=request_id,
                **fields,
            )

        return AsyncOffloading(complete)

    def open_writer(
        self,
        *,
        shared: bool = False,
        agent_id: str | None = None,
        request_id: str | None = None,
        **fields: Unpack[NewArtifactFields],
    ) -> AsyncArtifactWriter:
        """A block in which an artifact is written piece by piece; it is sent when the block ends, then `artifact`."""

        async def complete(spool: Spool, exit_code: int | None) -> Artifact:
            if exit_code is not None:
                fields["exit_code"] = exit_code
            return await self.put(
                spool, shared=shared, agent_id=agent_id, request_id=request_id, **fields
            )

        return AsyncArtifactWriter(complete)

    def offloaded(
        self,
        *,
        threshold_tokens: int = 0,
        shared: bool = False,
        agent_id: str | None = None,
        **fields: Unpack[NewArtifactFields],
    ) -> Callable[
        [Callable[P, Awaitable[Output]] | Callable[P, Output]], Callable[P, Awaitable[str]]
    ]:
        """Makes of a tool, a function that returns text or bytes, one that returns what to put before the model.

        The tool's name is the function's, unless `tool` is given.
        """

        def decorate(
            tool: Callable[P, Awaitable[Output]] | Callable[P, Output],
        ) -> Callable[P, Awaitable[str]]:
            said: NewArtifactFields = {"tool": getattr(tool, "__name__", ""), **fields}

            @wraps(tool)
            async def offloading(*args: P.args, **kwargs: P.kwargs) -> str:
                output = await _output(tool, *args, **kwargs)
                shown = await self.offload(
                    output,
                    threshold_tokens=threshold_tokens,
                    shared=shared,
                    agent_id=agent_id,
                    **said,
                )
                return shown.text

            return offloading

        return decorate

    async def _sent_as_stream(self, source: Any, **options: Any) -> Offloaded:
        """By way of an upload: nothing that a message cannot hold is short."""
        artifact = await self.put(source, **options)
        known = await self.get(artifact.artifact_id, agent_id=options.get("agent_id"))
        return kept(known)


async def _output(tool: Callable[..., Any], *args: object, **kwargs: object) -> Output:
    # [async only]
    if not iscoroutinefunction(tool):
        # A tool that blocks shall not hold up the loop. What it returns may still have to be awaited, as of a partial.
        output = await to_thread(tool, *args, **kwargs)
        return checked_output(await output if isawaitable(output) else output)
    # [/async only]
    return checked_output(await tool(*args, **kwargs))
