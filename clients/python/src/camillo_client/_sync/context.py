# Generated from _async/context.py by tools/generate_sync.py: do not edit.
"""Context for a model's next call, under a budget of tokens."""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from typing import Any, Unpack

from grpc import Channel

from camillo.v1.context_pb2 import Bundle, Handoff, HandoffPacket, Recipe, View
from camillo.v1.memory_pb2 import Sensitivity
from camillo.v1.snapshot_service_pb2 import (
    AcceptHandoffsRequest,
    BuildBundleRequest,
    BuildDigestRequest,
    BuildSnapshotRequest,
    BuildWorkingMemoryRequest,
    DeleteRecipeRequest,
    DeleteViewRequest,
    GetViewRequest,
    HandOffRequest,
    ListHandoffsRequest,
    ListRecipesRequest,
    ListViewsRequest,
    PutRecipeRequest,
    PutViewRequest,
)
from camillo.v1.snapshot_service_pb2_grpc import SnapshotServiceStub
from camillo_client._sync.caller import Caller, new_request_id
from camillo_client._sync.calls import Calls
from camillo_client.artifact_fields import ChannelLike, to_channel
from camillo_client.bundle_options import BundleOptions, TurnLike, bundle_values, to_turns
from camillo_client.convert import SensitivityLevel, to_enum, to_strings, to_timestamp
from camillo_client.freshness import FreshnessLike, SpaceLike, to_freshness, to_spaces
from camillo_client.named_arguments import NamesArguments
from camillo_client.redactions import warn_of
from camillo_client.revisions import WrittenRevisions


class Context(Caller):
    """Bundles, and the views, recipes and handoffs that go into them. `agent_id` and `timeout` of a method apply to
    that call in place of the client's own. Failed calls raise CamilloError."""

    def __init__(self, channel: Channel, calls: Calls, written: WrittenRevisions, agent_id: str) -> None:
        super().__init__(calls, written, agent_id)
        self._snapshots = SnapshotServiceStub(channel)
        self.views = Views(channel, calls, written, agent_id)
        self.recipes = Recipes(channel, calls)

    def _built(self, method: Any, request: Any, agent_id: str | None, timeout: float | None) -> Bundle:
        if not agent_id:
            self._beside.fill(request)
        answer = self._read_at(method, request, lambda built: built.bundle.revision, timeout)
        bundle: Bundle = answer.bundle
        return bundle

    def bundle(
        self,
        query: str = "",
        *,
        session_id: str = "",
        recipe: str = "",
        intent: str = "",
        skills: Iterable[str] = (),
        agent_id: str | None = None,
        timeout: float | None = None,
        **options: Unpack[BundleOptions],
    ) -> Bundle:
        """Context for a model's next call: `prompt` is ready to be sent. `skills` are loaded whole, by name.
        BudgetTooSmall if `max_tokens` is less than the parts that are never cut."""
        request = BuildBundleRequest(
            agent_id=self._agent(agent_id),
            query_text=query,
            session_id=session_id,
            recipe=recipe,
            intent=intent,
            skills=to_strings(skills, "skills"),
            **bundle_values(**options),
        )
        return self._built(self._snapshots.BuildBundle, request, agent_id, timeout)

    def snapshot(
        self,
        trigger_event: str,
        *,
        focus: str = "",
        session_id: str = "",
        agent_id: str | None = None,
        timeout: float | None = None,
        **options: Unpack[BundleOptions],
    ) -> Bundle:
        """Context at the start of a run: what answers the trigger, what is recent, what is pinned."""
        request = BuildSnapshotRequest(
            agent_id=self._agent(agent_id),
            trigger_event=trigger_event,
            focus=focus,
            session_id=session_id,
            **bundle_values(**options),
        )
        return self._built(self._snapshots.BuildSnapshot, request, agent_id, timeout)

    def digest(
        self,
        *,
        token_limit: int | None = None,
        tags: Iterable[str] = (),
        current_time: datetime.datetime | None = None,
        channel: ChannelLike | None = None,
        explain: bool = False,
        freshness: FreshnessLike | None = None,
        spaces: Iterable[SpaceLike] = (),
        agent_id: str | None = None,
        timeout: float | None = None,
    ) -> Bundle:
        """A digest of the agent's slots, a line each, the newest first; its `prompt` is ready to be sent.

        `token_limit` defaults to 2,000. Slots that have expired at `current_time`, by default now, are left out. Slots
        written at one moment are ordered by importance, then by how many of `tags` they have. `spaces` are read as one
        with the client's own. By default the read is at least as fresh as this client's own writes.
        """
        request = BuildDigestRequest(
            agent_id=self._agent(agent_id),
            token_limit=token_limit,
            tags=to_strings(tags, "tags"),
            current_time=None if current_time is None else to_timestamp(current_time, "current_time"),
            channel=to_channel(channel),
            explain=explain,
            freshness=to_freshness(freshness),
            spaces=to_spaces(spaces),
        )
        return self._built(self._snapshots.BuildDigest, request, agent_id, timeout)

    def working_memory(
        self,
        system_prompt: str,
        turns: Iterable[TurnLike],
        *,
        query: str = "",
        skills: Iterable[str] = (),
        agent_id: str | None = None,
        timeout: float | None = None,
        **options: Unpack[BundleOptions],
    ) -> Bundle:
        """Context for one step of an engine that keeps the conversation itself, oldest turn first; `skills` are loaded
        whole, by name."""
        request = BuildWorkingMemoryRequest(
            agent_id=self._agent(agent_id),
            system_prompt=system_prompt,
            turns=to_turns(turns),
            query_text=query,
            skills=to_strings(skills, "skills"),
            **bundle_values(**options),
        )
        return self._built(self._snapshots.BuildWorkingMemory, request, agent_id, timeout)

    def hand_off(
        self,
        to_agent_id: str,
        packet: HandoffPacket | str,
        *,
        session_id: str = "",
        expires_at: datetime.datetime | None = None,
        agent_id: str | None = None,
        request_id: str | None = None,
        timeout: float | None = None,
    ) -> Handoff:
        """Hands a packet, or only a goal, to another agent of the tenant; NotShareable if it cites something too
        sensitive."""
        request = HandOffRequest(
            request_id=request_id or new_request_id(),
            agent_id=self._agent(agent_id),
            to_agent_id=to_agent_id,
            session_id=session_id,
            packet=HandoffPacket(goal=packet) if isinstance(packet, str) else packet,
            expires_at=None if expires_at is None else to_timestamp(expires_at, "expires_at"),
        )
        answer = self._calls.unary(self._snapshots.HandOff, request, timeout)
        warn_of(answer.redactions)
        return answer.handoff

    def accept_handoffs(
        self,
        from_agent_ids: Iterable[str] = (),
        *,
        any_agent: bool = False,
        agent_id: str | None = None,
        request_id: str | None = None,
        timeout: float | None = None,
    ) -> None:
        """The agent accepts handoffs from these agents alone, or from any; others are refused with HandoffRefused."""
        request = AcceptHandoffsRequest(
            request_id=request_id or new_request_id(),
            agent_id=self._agent(agent_id),
            any_agent=any_agent,
            from_agent_ids=to_strings(from_agent_ids, "from_agent_ids"),
        )
        self._calls.unary(self._snapshots.AcceptHandoffs, request, timeout)

    def handoffs(self, *, agent_id: str | None = None, timeout: float | None = None) -> list[Handoff]:
        """Packets that were handed to the agent and are still shown, the latest first."""
        request = ListHandoffsRequest(agent_id=self._agent(agent_id))
        return [*(self._calls.unary(self._snapshots.ListHandoffs, request, timeout)).handoffs]


class Views(Caller):
    """Texts that an agent, or a whole tenant, is always shown. An operator writes the tenant's with
    `agent_id=SHARED`."""

    def __init__(self, channel: Channel, calls: Calls, written: WrittenRevisions, agent_id: str) -> None:
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
        """Stores a Markdown text; VersionConflict if `expected_version` is given and the view has another one."""
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
        """The agent's own text of this name, else the tenant's; ViewNotFound if there is neither."""
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
        """Removes the agent's text of this name; ViewNotFound if there is none."""
        request = DeleteViewRequest(agent_id=self._agent(agent_id), name=name)
        self._write(self._snapshots.DeleteView, request, request_id, timeout)

    def list(self, *, agent_id: str | None = None, timeout: float | None = None) -> list[View]:
        """The agent's texts and the tenant's, by name."""
        request = ListViewsRequest(agent_id=self._agent(agent_id))
        return [*(self._calls.unary(self._snapshots.ListViews, request, timeout)).views]


class Recipes(NamesArguments):
    """Recipes, which say which sections a bundle has: the tenant's own, and those that come with the server."""

    def __init__(self, channel: Channel, calls: Calls) -> None:
        self._snapshots = SnapshotServiceStub(channel)
        self._calls = calls

    def put(self, yaml: str, *, request_id: str | None = None, timeout: float | None = None) -> Recipe:
        """Stores a recipe; InvalidField says what is wrong with an invalid one. For tenant administrators."""
        request = PutRecipeRequest(request_id=request_id or new_request_id(), yaml=yaml)
        return (self._calls.unary(self._snapshots.PutRecipe, request, timeout)).recipe

    def delete(self, name: str, *, request_id: str | None = None, timeout: float | None = None) -> None:
        """Removes a recipe of the tenant's own; RecipeNotFound if there is none. For tenant administrators."""
        request = DeleteRecipeRequest(request_id=request_id or new_request_id(), name=name)
        self._calls.unary(self._snapshots.DeleteRecipe, request, timeout)

    def list(self, *, timeout: float | None = None) -> list[Recipe]:
        """Every recipe that the tenant can use, by name."""
        request = ListRecipesRequest()
        return [*(self._calls.unary(self._snapshots.ListRecipes, request, timeout)).recipes]
