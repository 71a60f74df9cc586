"""SnapshotService: converts, calls the use case, converts back."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from camillo.v1 import context_pb2 as pb
from camillo.v1 import snapshot_service_pb2 as service
from camillo.v1 import snapshot_service_pb2_grpc as stubs

from camillo_server.context import messages as requests
from camillo_server.context import view_messages as parts
from camillo_server.context.build_bundle import BuildBundle, BundleAsked
from camillo_server.context.handoff import HandOff, ListHandoffs
from camillo_server.context.messages import bundle_message
from camillo_server.context.recipes import RecipeBook
from camillo_server.context.views import DeleteView, GetView, ListViews, PutView
from camillo_server.kernel.clock import Clock
from camillo_server.rpc.call import Call, CallReader, read_request
from camillo_server.rpc.fields import redaction_messages

Request = TypeVar("Request")
Reader = Callable[[Request, Call], BundleAsked]


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

    def __init__(self, do: SnapshotUseCases, calls: CallReader, clock: Clock) -> None:
        self._do = do
        self._calls = calls
        self._clock = clock

    async def BuildSnapshot(
        self, request: service.BuildSnapshotRequest, context: Any
    ) -> service.BuildSnapshotResponse:
        bundle = await self._built(request, requests.snapshot_asked)
        return service.BuildSnapshotResponse(bundle=bundle)

    async def BuildBundle(
        self, request: service.BuildBundleRequest, context: Any
    ) -> service.BuildBundleResponse:
        bundle = await self._built(request, requests.bundle_asked)
        return service.BuildBundleResponse(bundle=bundle)

    async def BuildWorkingMemory(
        self, request: service.BuildWorkingMemoryRequest, context: Any
    ) -> service.BuildWorkingMemoryResponse:
        bundle = await self._built(request, requests.working_memory_asked)
        return service.BuildWorkingMemoryResponse(bundle=bundle)

    async def ListRecipes(
        self, request: service.ListRecipesRequest, context: Any
    ) -> service.ListRecipesResponse:
        call = await self._calls.read(request)
        recipes = await self._do.recipes.all(call.scope.tenant_id)
        return service.ListRecipesResponse(
            recipes=[parts.recipe_message(recipe) for recipe in recipes]
        )

    async def PutRecipe(
        self, request: service.PutRecipeRequest, context: Any
    ) -> service.PutRecipeResponse:
        call = await self._calls.read(request)
        # Putting the same twice is the same as putting it once: the request id is not needed.
        recipe = await self._do.recipes.put(call.scope.tenant_id, request.yaml, self._clock.now())
        return service.PutRecipeResponse(recipe=parts.recipe_message(recipe))

    async def DeleteRecipe(
        self, request: service.DeleteRecipeRequest, context: Any
    ) -> service.DeleteRecipeResponse:
        call = await self._calls.read(request)
        await self._do.recipes.delete(call.scope.tenant_id, request.name)
        return service.DeleteRecipeResponse()

    async def PutView(
        self, request: service.PutViewRequest, context: Any
    ) -> service.PutViewResponse:
        call = await self._calls.read(request)
        stated = parts.view_of(request.view, call.scope, self._clock.now())
        view, revision, redactions = await self._do.put_view(
            call.scope, stated, request.expected_version or None, call.request_key
        )
        return service.PutViewResponse(
            view=parts.view_message(view),
            revision=call.revision(revision),
            redactions=redaction_messages(redactions),
        )

    async def GetView(
        self, request: service.GetViewRequest, context: Any
    ) -> service.GetViewResponse:
        call = await self._calls.read(request)
        view = await self._do.get_view(call.scope, request.name)
        return service.GetViewResponse(view=parts.view_message(view))

    async def ListViews(
        self, request: service.ListViewsRequest, context: Any
    ) -> service.ListViewsResponse:
        call = await self._calls.read(request)
        views = await self._do.list_views(call.scope)
        return service.ListViewsResponse(views=[parts.view_message(view) for view in views])

    async def DeleteView(
        self, request: service.DeleteViewRequest, context: Any
    ) -> service.DeleteViewResponse:
        call = await self._calls.read(request)
        revision = await self._do.delete_view(call.scope, request.name, call.request_key)
        return service.DeleteViewResponse(revision=call.revision(revision))

    async def HandOff(
        self, request: service.HandOffRequest, context: Any
    ) -> service.HandOffResponse:
        call = await self._calls.read(request)
        stated = parts.handoff_of(request)
        handoff, redactions = await self._do.hand_off(call.scope, *stated, call.request_key)
        return service.HandOffResponse(
            handoff=parts.handoff_message(handoff), redactions=redaction_messages(redactions)
        )

    async def ListHandoffs(
        self, request: service.ListHandoffsRequest, context: Any
    ) -> service.ListHandoffsResponse:
        call = await self._calls.read(request)
        handoffs = await self._do.list_handoffs(call.scope)
        return service.ListHandoffsResponse(
            handoffs=[parts.handoff_message(handoff) for handoff in handoffs]
        )

    async def _built(self, request: Request, read: Reader[Request]) -> pb.Bundle:
        call = await self._calls.read(request)
        asked = await read_request(request, lambda whole: read(whole, call))
        return bundle_message(await self._do.build(asked), call.scope, call.revisions)
