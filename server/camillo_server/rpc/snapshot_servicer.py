"""SnapshotService: converts, calls the use case, converts back."""

from dataclasses import dataclass
from typing import Any

from camillo.v1 import context_pb2 as pb
from camillo.v1 import snapshot_service_pb2 as service
from camillo.v1 import snapshot_service_pb2_grpc as stubs

from camillo_server.domain.clock import Clock
from camillo_server.domain.context.build_bundle import BuildBundle, BundleAsked
from camillo_server.domain.context.hand_off import HandOff, ListHandoffs
from camillo_server.domain.context.recipes import RecipeBook
from camillo_server.domain.context.views import DeleteView, GetView, ListViews, PutView
from camillo_server.rpc import snapshot_parts as parts
from camillo_server.rpc.caller import principal, request_key, scope_of
from camillo_server.rpc.context_fields import short_name
from camillo_server.rpc.context_reading import read_request
from camillo_server.rpc.convert import redaction_messages
from camillo_server.rpc.snapshot_convert import bundle_message
from camillo_server.rpc.snapshot_requests import BundleRequests
from camillo_server.rpc.tokens import RevisionTokens
from camillo_server.rpc.validate import Checks


@dataclass(frozen=True, slots=True)
class SnapshotUseCases:
    """What SnapshotService can do."""

    build: BuildBundle
    recipes: RecipeBook
    put_view: PutView
    get_view: GetView
    list_views: ListViews
    delete_view: DeleteView
    hand_off: HandOff
    list_handoffs: ListHandoffs


class SnapshotServicer(stubs.SnapshotServiceServicer):
    """The service of proto/camillo/v1/snapshot_service.proto."""

    def __init__(self, do: SnapshotUseCases, revisions: RevisionTokens, clock: Clock) -> None:
        self._do = do
        self._revisions = revisions
        self._clock = clock
        self._read = BundleRequests(revisions)

    async def BuildSnapshot(
        self, request: service.BuildSnapshotRequest, context: Any
    ) -> service.BuildSnapshotResponse:
        asked = await read_request(request, self._read.snapshot)
        return service.BuildSnapshotResponse(bundle=await self._built(asked))

    async def BuildBundle(
        self, request: service.BuildBundleRequest, context: Any
    ) -> service.BuildBundleResponse:
        asked = await read_request(request, self._read.bundle)
        return service.BuildBundleResponse(bundle=await self._built(asked))

    async def BuildWorkingMemory(
        self, request: service.BuildWorkingMemoryRequest, context: Any
    ) -> service.BuildWorkingMemoryResponse:
        asked = await read_request(request, self._read.working_memory)
        return service.BuildWorkingMemoryResponse(bundle=await self._built(asked))

    async def ListRecipes(
        self, request: service.ListRecipesRequest, context: Any
    ) -> service.ListRecipesResponse:
        recipes = await self._do.recipes.all(principal().tenant_id)
        return service.ListRecipesResponse(
            recipes=[parts.recipe_message(recipe) for recipe in recipes]
        )

    async def PutRecipe(
        self, request: service.PutRecipeRequest, context: Any
    ) -> service.PutRecipeResponse:
        checks = Checks()
        # Putting the same twice is the same as putting it once.
        request_key(request, checks)
        text = parts.recipe_text(request, checks)
        checks.done()
        recipe = await self._do.recipes.put(principal().tenant_id, text, self._clock.now())
        return service.PutRecipeResponse(recipe=parts.recipe_message(recipe))

    async def DeleteRecipe(
        self, request: service.DeleteRecipeRequest, context: Any
    ) -> service.DeleteRecipeResponse:
        checks = Checks()
        request_key(request, checks)
        name = short_name(request.name, checks, "name")
        checks.done()
        await self._do.recipes.delete(principal().tenant_id, name)
        return service.DeleteRecipeResponse()

    async def PutView(
        self, request: service.PutViewRequest, context: Any
    ) -> service.PutViewResponse:
        checks = Checks()
        scope = scope_of(request, checks)
        key = request_key(request, checks)
        stated = parts.view_of(request, scope, checks, self._clock.now())
        expected = checks.whole("expected_version", request.expected_version, 0) or None
        checks.done()
        view, revision, redactions = await self._do.put_view(scope, stated, expected, key)
        return service.PutViewResponse(
            view=parts.view_message(view),
            revision=self._revisions.revision(scope, revision),
            redactions=redaction_messages(redactions),
        )

    async def GetView(
        self, request: service.GetViewRequest, context: Any
    ) -> service.GetViewResponse:
        checks = Checks()
        scope = scope_of(request, checks)
        name = short_name(request.name, checks, "name")
        checks.done()
        return service.GetViewResponse(
            view=parts.view_message(await self._do.get_view(scope, name))
        )

    async def ListViews(
        self, request: service.ListViewsRequest, context: Any
    ) -> service.ListViewsResponse:
        checks = Checks()
        scope = scope_of(request, checks)
        checks.done()
        views = await self._do.list_views(scope)
        return service.ListViewsResponse(views=[parts.view_message(view) for view in views])

    async def DeleteView(
        self, request: service.DeleteViewRequest, context: Any
    ) -> service.DeleteViewResponse:
        checks = Checks()
        scope = scope_of(request, checks)
        key = request_key(request, checks)
        name = short_name(request.name, checks, "name")
        checks.done()
        revision = await self._do.delete_view(scope, name, key)
        return service.DeleteViewResponse(revision=self._revisions.revision(scope, revision))

    async def HandOff(
        self, request: service.HandOffRequest, context: Any
    ) -> service.HandOffResponse:
        checks = Checks()
        scope = scope_of(request, checks)
        key = request_key(request, checks)
        stated = parts.handoff_of(request, checks)
        checks.done()
        handoff, redactions = await self._do.hand_off(scope, *stated, key)
        return service.HandOffResponse(
            handoff=parts.handoff_message(handoff), redactions=redaction_messages(redactions)
        )

    async def ListHandoffs(
        self, request: service.ListHandoffsRequest, context: Any
    ) -> service.ListHandoffsResponse:
        checks = Checks()
        scope = scope_of(request, checks)
        checks.done()
        handoffs = await self._do.list_handoffs(scope)
        return service.ListHandoffsResponse(
            handoffs=[parts.handoff_message(handoff) for handoff in handoffs]
        )

    async def _built(self, asked: BundleAsked) -> pb.Bundle:
        bundle = await self._do.build(asked)
        return bundle_message(bundle, asked.scope, self._revisions)
