"""Passes over a scope: what is archived, what is removed, and what would be."""

from __future__ import annotations

from typing import Unpack

from camillo.v1.lifecycle_pb2 import LifecyclePass, Receipt
from camillo.v1.lifecycle_service_pb2 import (
    ArchiveRequest,
    PruneRequest,
    ResetRequest,
    RunMaintenanceRequest,
)
from camillo_client._async.lifecycle_caller import LifecycleCaller
from camillo_client.lifecycle_fields import SelectorFields, pass_of, selector


class Passes(LifecycleCaller):
    """With `dry_run` a pass only tells what it would do; its `plan_token` given to the same call does exactly that, or
    raises PlanChanged."""

    async def maintain(
        self,
        *,
        dry_run: bool = False,
        plan_token: str = "",
        agent_id: str | None = None,
        request_id: str | None = None,
        timeout: float | None = None,
    ) -> LifecyclePass:
        """Archives what has decayed, is unimportant or over the quota; removes what was hidden for long."""
        request = RunMaintenanceRequest(
            agent_id=self._agent(agent_id), dry_run=dry_run, plan_token=plan_token
        )
        answer = await self._pass(self._lifecycle.RunMaintenance, request, request_id, timeout)
        return pass_of(answer)

    async def prune(
        self,
        *,
        dry_run: bool = False,
        plan_token: str = "",
        agent_id: str | None = None,
        request_id: str | None = None,
        timeout: float | None = None,
        **which: Unpack[SelectorFields],
    ) -> LifecyclePass:
        """Removes memories for good; they may be stated again. See SelectorFields for which."""
        request = PruneRequest(
            agent_id=self._agent(agent_id),
            selector=selector(**which),
            dry_run=dry_run,
            plan_token=plan_token,
        )
        answer = await self._pass(self._lifecycle.Prune, request, request_id, timeout)
        return pass_of(answer)

    async def archive(
        self,
        *,
        dry_run: bool = False,
        plan_token: str = "",
        agent_id: str | None = None,
        request_id: str | None = None,
        timeout: float | None = None,
        **which: Unpack[SelectorFields],
    ) -> LifecyclePass:
        """Takes memories out of recall and keeps them; `restore` brings them back. See SelectorFields for which."""
        request = ArchiveRequest(
            agent_id=self._agent(agent_id),
            selector=selector(**which),
            dry_run=dry_run,
            plan_token=plan_token,
        )
        answer = await self._pass(self._lifecycle.Archive, request, request_id, timeout)
        return pass_of(answer)

    async def reset(
        self,
        confirm: str,
        *,
        dry_run: bool = False,
        agent_id: str | None = None,
        request_id: str | None = None,
        timeout: float | None = None,
    ) -> Receipt:
        """Empties a scope for good; `confirm` is the agent's id, or the tenant's for its shared scope, else
        ConfirmationRequired."""
        request = ResetRequest(agent_id=self._agent(agent_id), confirm=confirm, dry_run=dry_run)
        return (await self._pass(self._lifecycle.Reset, request, request_id, timeout)).receipt
