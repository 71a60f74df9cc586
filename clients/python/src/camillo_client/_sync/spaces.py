# Generated from _async/spaces.py by tools/generate_sync.py: do not edit.
"""Spaces: what each holds, their deletion, and taking one elsewhere."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping
from datetime import UTC, datetime
from tempfile import TemporaryFile
from typing import BinaryIO

from grpc import Channel

from camillo.v1.forgetting_pb2 import ExcerptOptions, RecordIds
from camillo.v1.space_pb2 import ModelBudget, Space, TokenUsage, UsageDimension
from camillo.v1.space_service_pb2 import (
    ForgetSpaceRequest,
    ForgetSpaceResponse,
    GetSpaceRequest,
    GetSpaceResponse,
    ListSpacesRequest,
    ListTokenUsageRequest,
    OtherSpaces,
)
from camillo.v1.space_service_pb2_grpc import SpaceServiceStub
from camillo_client._sync.caller import Caller, new_request_id
from camillo_client._sync.calls import Calls
from camillo_client._sync.space_export import SpaceExport, SpaceParts
from camillo_client._sync.space_import import SpaceImport
from camillo_client.artifact_fields import ChannelLike, to_channel
from camillo_client.convert import to_enum, to_strings
from camillo_client.revisions import WrittenRevisions
from camillo_client.space_files import SpaceDraft, SpaceFile
from camillo_client.space_imports import ImportedSpace
from camillo_client.spaces import OtherSpacesName, UsageDimensionName


class AsyncSpaces(Caller):
    """A space is an agent's id, a path such as `users/42`, or SHARED; left out, it is the client's own. A key of one
    agent sees that agent's own and those that it was granted. Failed calls raise CamilloError."""

    def __init__(self, channel: Channel, calls: Calls, written: WrittenRevisions, agent_id: str) -> None:
        super().__init__(calls, written, agent_id)
        self._channel = channel
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

    def token_usage(
        self,
        space: str | None = None,
        *,
        all_scopes: bool = False,
        group_by: Iterable[UsageDimensionName | UsageDimension] = (),
        since: datetime | None = None,
        until: datetime | None = None,
        operation: str = "",
        model_id: str = "",
        page_size: int = 0,
        timeout: float | None = None,
    ) -> Generator[TokenUsage]:
        """The tokens and prices of models, and the tokens of context that were handed out, in one space or in all of
        the tenant: a sum for each value of "day", "space", "operation", "model" and "door", as `group_by` has them.
        `since` and `until` are times of the first and the last day, in UTC. The timeout applies to each page."""
        request = ListTokenUsageRequest(
            agent_id="" if all_scopes else self._agent(space),
            all_scopes=all_scopes,
            group_by=[to_enum(UsageDimension, each) for each in group_by],
            since=since,
            until=until,
            operation=operation,
            model_id=model_id,
            page_size=page_size,
        )
        pages = self._calls.pages(lambda page: self._calls.unary(self._spaces.ListTokenUsage, page, timeout), request)
        for page in pages:
            for usage in page.usages:
                yield usage

    def model_budget(self, *, timeout: float | None = None) -> ModelBudget | None:
        """The amounts that the tenant may spend on models in a day or a month, and has spent; None without a limit."""
        request = ListTokenUsageRequest(all_scopes=True, page_size=1)
        answer = self._calls.unary(self._spaces.ListTokenUsage, request, timeout)
        return answer.budget if answer.HasField("budget") else None

    def forget(
        self,
        space: str,
        *,
        confirm: str = "",
        also_named: Iterable[str] = (),
        other_spaces: OtherSpacesName | OtherSpaces = "keep",
        keep: Mapping[str, Iterable[str]] | None = None,
        block_values: bool = False,
        dry_run: bool = False,
        plan_token: str = "",
        excerpts_per_store: int = 0,
        channel: ChannelLike | None = None,
        request_id: str | None = None,
        timeout: float | None = None,
    ) -> ForgetSpaceResponse:
        """Removes a space with all its records, for good; `confirm` repeats its name. The receipt counts every store.

        With `also_named`, the names of a person, a dry run shows the records of other spaces that hold one of them, up
        to `excerpts_per_store` of each store (0: 10) as `channel` may load them. The call with its `plan_token` then
        does with them what `other_spaces` says: "keep", "redact_spans" or "delete_records"; those in `keep`, ids by the
        field names of RecordIds such as `memory_ids`, stay. PlanChanged if others are found now.
        """
        excerpts = ExcerptOptions(per_store=excerpts_per_store, channel=to_channel(channel))
        names = to_strings(also_named, "also_named")
        request = ForgetSpaceRequest(
            request_id="" if dry_run else request_id or new_request_id(),
            agent_id=space,
            confirm_agent_id=confirm,
            dry_run=dry_run,
            plan_token=plan_token,
            block_values=block_values,
            also_named=names,
            other_spaces=to_enum(OtherSpaces, other_spaces) if names else None,
            keep=None if keep is None else RecordIds(**{name: list(ids) for name, ids in keep.items()}),
            excerpts=excerpts if dry_run and names else None,
        )
        return self._calls.unary(self._spaces.ForgetSpace, request, timeout)

    def export(
        self, space: str | None = None, *, include_vectors: bool = False, timeout: float | None = None
    ) -> Generator[bytes]:
        """A space as JSON lines, in the order in which it was stored: memories and slots in every version, events,
        artifacts with their bytes, decisions, tasks, views. The first line counts them, and what is left out; the last
        one has a digest (docs/spaces.md). Collected in a temporary file before the first line comes; each record is as
        it was when it was read.

        With `include_vectors` the memories have their vectors; otherwise the server that imports them makes its own.
        """
        name = self._agent(space)
        before = self.get(name or None, timeout=timeout)
        draft = SpaceDraft()
        try:
            parts = SpaceParts(self._channel, self._calls, self._written, name)
            left_out = SpaceExport(parts, draft, include_vectors=include_vectors).collect(before)
            for line in draft.lines(before.space.space, datetime.now(UTC), left_out):
                yield line
        finally:
            draft.close()

    def import_(self, file: BinaryIO, *, to: str | None = None, dry_run: bool = False) -> ImportedSpace:
        """Writes what `export` returned into a space, from the position of a seekable file. BadSpaceFile, before
        anything is written, if the file is cut, changed, or none of a space.

        Records that are there stay: the same file may be imported again, after a break or later. A dry run counts what
        would be written. Ids of memories are kept; other records have new ids, and references to them are rewritten.
        A record that is refused for what it says fails alone; after any other error, import again to go on.
        """
        checked = SpaceFile(file)
        parts = SpaceParts(self._channel, self._calls, self._written, self._agent(to))
        return SpaceImport(parts, checked, dry_run=dry_run).run()

    def copy(self, space: str, to: str, *, dry_run: bool = False) -> ImportedSpace:
        """Exports a space, and imports it into another one of the tenant."""
        with TemporaryFile() as file:
            for line in self.export(space):
                file.write(line)
            file.seek(0)
            return self.import_(file, to=to, dry_run=dry_run)
