"""Bundles of made-up sections, and views, recipes and packets in memory."""

from __future__ import annotations

import grpc
from clients.python.tests.fake_service import Context, Desk, FakeMemories, abort, redactions_of, status
from google.rpc.status_pb2 import Status  # type: ignore[import-untyped, unused-ignore]

from camillo.v1 import snapshot_service_pb2 as pb
from camillo.v1.context_pb2 import (
    Bundle,
    BundleSection,
    Handoff,
    PackingEntry,
    PackingOutcome,
    PackingReport,
    Recipe,
    SectionBudget,
    View,
)
from camillo.v1.memory_pb2 import Sensitivity
from camillo.v1.snapshot_service_pb2_grpc import SnapshotServiceServicer
from camillo_client import SHARED

SMALLEST = 100
TOO_SMALL = status(
    grpc.StatusCode.FAILED_PRECONDITION,
    "BUDGET_TOO_SMALL",
    message="the budget is less than what may not be cut",
    metadata={"max_tokens": "7", "needed_tokens": "120", "sections": "identity=100,rules=20"},
)


class FakeSnapshots(SnapshotServiceServicer):
    """Every bundle says what was asked."""

    def __init__(self, desk: Desk, memories: FakeMemories) -> None:
        self.desk = desk
        self.memories = memories
        self.views: dict[tuple[str, str], View] = {}
        self.recipes = {"active_context": Recipe(name="active_context", yaml="name: active_context", is_built_in=True)}
        self.handoffs: list[Handoff] = []
        # Somebody else puts each view between a reading and a writing.
        self.changed_meanwhile = False

    async def _bundle(
        self,
        request: pb.BuildBundleRequest | pb.BuildDigestRequest | pb.BuildSnapshotRequest | pb.BuildWorkingMemoryRequest,
        recipe: str,
        prompt: str,
        context: Context,
    ) -> Bundle:
        token = request.freshness.at_least_as_fresh.token
        if token and not token.startswith(f"{self.memories.database}/{request.agent_id}/"):
            await abort(context, status(grpc.StatusCode.OUT_OF_RANGE, "REVISION_UNKNOWN"))
        if isinstance(request, pb.BuildDigestRequest):
            budget, is_given = request.token_limit, request.HasField("token_limit")
        else:
            budget, is_given = request.max_tokens, request.HasField("max_tokens")
        if is_given and budget < SMALLEST:
            await abort(context, TOO_SMALL)
        entry = PackingEntry(section="rules", ref="rules", outcome=PackingOutcome.PACKING_OUTCOME_KEPT, tokens=20)
        report = PackingReport(
            budgets=[
                SectionBudget(section="reserve", share_tokens=100),
                SectionBudget(section="rules", share_tokens=50, used_tokens=20, candidates=2, kept=1),
            ],
            entries=[entry] if request.explain else [],
        )
        return Bundle(
            bundle_id="b1",
            recipe=recipe,
            prompt=prompt,
            tokens=20,
            budget_tokens=budget or 500,
            sections=[BundleSection(name="rules", tokens=20)],
            report=report,
            revision=self.memories.revision(request.agent_id),
        )

    async def BuildBundle(self, request: pb.BuildBundleRequest, context: Context) -> pb.BuildBundleResponse:
        await self.desk.enter("BuildBundle", request, context)
        recipe = request.recipe or "active_context"
        prompt = f"# Rules\n{request.query_text}"
        return pb.BuildBundleResponse(bundle=await self._bundle(request, recipe, prompt, context))

    async def BuildDigest(self, request: pb.BuildDigestRequest, context: Context) -> pb.BuildDigestResponse:
        await self.desk.enter("BuildDigest", request, context)
        prompt = f"- user/style {','.join(request.tags)}"
        return pb.BuildDigestResponse(bundle=await self._bundle(request, "digest", prompt, context))

    async def BuildSnapshot(self, request: pb.BuildSnapshotRequest, context: Context) -> pb.BuildSnapshotResponse:
        await self.desk.enter("BuildSnapshot", request, context)
        bundle = await self._bundle(request, "run_snapshot", request.trigger_event, context)
        return pb.BuildSnapshotResponse(bundle=bundle)

    async def BuildWorkingMemory(
        self, request: pb.BuildWorkingMemoryRequest, context: Context
    ) -> pb.BuildWorkingMemoryResponse:
        await self.desk.enter("BuildWorkingMemory", request, context)
        bundle = await self._bundle(request, "working_memory", request.system_prompt, context)
        return pb.BuildWorkingMemoryResponse(bundle=bundle)

    async def ListRecipes(self, request: pb.ListRecipesRequest, context: Context) -> pb.ListRecipesResponse:
        await self.desk.enter("ListRecipes", request, context)
        return pb.ListRecipesResponse(recipes=self.recipes.values())

    async def PutRecipe(self, request: pb.PutRecipeRequest, context: Context) -> pb.PutRecipeResponse:
        await self.desk.enter("PutRecipe", request, context)
        name = request.yaml.removeprefix("name: ").strip()
        self.recipes[name] = Recipe(name=name, yaml=request.yaml, budget_tokens=4000)
        return pb.PutRecipeResponse(recipe=self.recipes[name])

    async def DeleteRecipe(self, request: pb.DeleteRecipeRequest, context: Context) -> pb.DeleteRecipeResponse:
        await self.desk.enter("DeleteRecipe", request, context)
        if self.recipes.pop(request.name, None) is None:
            await abort(context, self._missing("RECIPE_NOT_FOUND", request.name))
        return pb.DeleteRecipeResponse()

    async def PutView(self, request: pb.PutViewRequest, context: Context) -> pb.PutViewResponse:
        await self.desk.enter("PutView", request, context)
        self.memories.counters[request.agent_id] += 1
        key = (_own(request.agent_id), request.view.name)
        before = self.views[key].version if key in self.views else 0
        before += self.changed_meanwhile
        if request.expected_version not in (0, before):
            moved = status(grpc.StatusCode.ABORTED, "VERSION_CONFLICT", message="moved on")
            await abort(context, moved)
        view = View(agent_id=_own(request.agent_id), version=before + 1)
        view.MergeFrom(request.view)
        view.sensitivity = request.view.sensitivity or Sensitivity.SENSITIVITY_INTERNAL
        self.views[key] = view
        return pb.PutViewResponse(
            view=view,
            revision=self.memories.revision(request.agent_id),
            redactions=redactions_of(view.text if "secret" in view.text else ""),
        )

    async def GetView(self, request: pb.GetViewRequest, context: Context) -> pb.GetViewResponse:
        await self.desk.enter("GetView", request, context)
        for agent_id in (request.agent_id, ""):
            if view := self.views.get((agent_id, request.name)):
                return pb.GetViewResponse(view=view)
        await abort(context, self._missing("VIEW_NOT_FOUND", request.name))
        return pb.GetViewResponse()

    async def ListViews(self, request: pb.ListViewsRequest, context: Context) -> pb.ListViewsResponse:
        await self.desk.enter("ListViews", request, context)
        return pb.ListViewsResponse(views=self.views.values())

    async def DeleteView(self, request: pb.DeleteViewRequest, context: Context) -> pb.DeleteViewResponse:
        await self.desk.enter("DeleteView", request, context)
        if self.views.pop((_own(request.agent_id), request.name), None) is None:
            await abort(context, self._missing("VIEW_NOT_FOUND", request.name))
        self.memories.counters[request.agent_id] += 1
        return pb.DeleteViewResponse(revision=self.memories.revision(request.agent_id))

    async def AcceptHandoffs(self, request: pb.AcceptHandoffsRequest, context: Context) -> pb.AcceptHandoffsResponse:
        await self.desk.enter("AcceptHandoffs", request, context)
        return pb.AcceptHandoffsResponse(from_agent_ids=request.from_agent_ids)

    async def HandOff(self, request: pb.HandOffRequest, context: Context) -> pb.HandOffResponse:
        await self.desk.enter("HandOff", request, context)
        handoff = Handoff(
            handoff_id=f"h{len(self.handoffs)}",
            from_agent_id=request.agent_id,
            to_agent_id=request.to_agent_id,
            packet=request.packet,
            tokens=12,
        )
        self.handoffs.insert(0, handoff)
        return pb.HandOffResponse(handoff=handoff, redactions=redactions_of(request.packet.goal))

    async def ListHandoffs(self, request: pb.ListHandoffsRequest, context: Context) -> pb.ListHandoffsResponse:
        await self.desk.enter("ListHandoffs", request, context)
        mine = [each for each in self.handoffs if each.to_agent_id == request.agent_id]
        return pb.ListHandoffsResponse(handoffs=mine)

    def _missing(self, reason: str, name: str) -> Status:
        return status(grpc.StatusCode.NOT_FOUND, reason, message=f"no {name}", metadata={"name": name})


def _own(agent_id: str) -> str:
    """The agent as records name it."""
    return "" if agent_id == SHARED else agent_id
