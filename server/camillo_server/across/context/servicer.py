"""SnapshotService: converts, calls the use case, converts back."""

from collections.abc import Callable
from typing import Any, TypeVar

from camillo.v1 import context_pb2 as pb
from camillo.v1 import snapshot_service_pb2 as service
from camillo.v1 import snapshot_service_pb2_grpc as stubs

from camillo_server.across.context import messages
from camillo_server.across.context.build_bundle import BuildBundle
from camillo_server.across.context.bundle import BundleRequest
from camillo_server.across.context.recipes import RecipeBook
from camillo_server.across.context.views import Handoffs, Views
from camillo_server.doors.rpc.call import Call, CallReader, read_request
from camillo_server.doors.rpc.fields import redaction_messages_off_loop
from camillo_server.kernel.clock import Clock
from camillo_server.kernel.scope import SHARED, attributed
from camillo_server.storage.token_usage import ContextTokens

Request = TypeVar("Request")
Reader = Callable[[Request, Call], BundleRequest]


class SnapshotServicer(stubs.SnapshotServiceServicer):
    """The service of proto/camillo/v1/snapshot_service.proto."""

    def __init__(
        self,
        build: BuildBundle,
        recipes: RecipeBook,
        views: Views,
        handoffs: Handoffs,
        calls: CallReader,
        clock: Clock,
        tokens: ContextTokens,
    ) -> None:
        self._build = build
        self._recipes = recipes
        self._views = views
        self._handoffs = handoffs
        self._calls = calls
        self._clock = clock
        self._tokens = tokens

    async def BuildSnapshot(self, request: service.BuildSnapshotRequest, context: Any) -> service.BuildSnapshotResponse:
        bundle = await self._built(request, context, messages.snapshot_request, "snapshot")
        return service.BuildSnapshotResponse(bundle=bundle)

    async def BuildBundle(self, request: service.BuildBundleRequest, context: Any) -> service.BuildBundleResponse:
        bundle = await self._built(request, context, messages.bundle_request, "bundle")
        return service.BuildBundleResponse(bundle=bundle)

    async def BuildWorkingMemory(
        self, request: service.BuildWorkingMemoryRequest, context: Any
    ) -> service.BuildWorkingMemoryResponse:
        bundle = await self._built(request, context, messages.working_memory_request, "working_memory")
        return service.BuildWorkingMemoryResponse(bundle=bundle)

    async def BuildDigest(self, request: service.BuildDigestRequest, context: Any) -> service.BuildDigestResponse:
        bundle = await self._built(request, context, messages.digest_request, "digest")
        return service.BuildDigestResponse(bundle=bundle)

    async def ListRecipes(self, request: service.ListRecipesRequest, context: Any) -> service.ListRecipesResponse:
        call = await self._calls.read(request)
        recipes = await self._recipes.all(call.scope.tenant_id)
        return service.ListRecipesResponse(recipes=[messages.recipe_message(recipe) for recipe in recipes])

    async def PutRecipe(self, request: service.PutRecipeRequest, context: Any) -> service.PutRecipeResponse:
        call = await self._calls.read(request, len(request.yaml))
        # Putting the same twice is the same as putting it once: the request id is not needed.
        recipe = await self._recipes.put(call.scope.tenant_id, request.yaml, self._clock.now())
        return service.PutRecipeResponse(recipe=messages.recipe_message(recipe))

    async def DeleteRecipe(self, request: service.DeleteRecipeRequest, context: Any) -> service.DeleteRecipeResponse:
        call = await self._calls.read(request)
        await self._recipes.delete(call.scope.tenant_id, request.name, self._clock.now())
        return service.DeleteRecipeResponse()

    async def PutView(self, request: service.PutViewRequest, context: Any) -> service.PutViewResponse:
        call = await self._calls.read(request)
        new = messages.view_of(request.view, call.scope, call.principal.role, self._clock.now())
        view, revision, redactions = await self._views.put(
            call.scope, new, request.expected_version or None, call.request_key
        )
        return service.PutViewResponse(
            view=messages.view_message(view),
            revision=call.revision(revision),
            redactions=await redaction_messages_off_loop(redactions),
        )

    async def GetView(self, request: service.GetViewRequest, context: Any) -> service.GetViewResponse:
        call = await self._calls.read(request)
        view = await self._views.get(call.scope, request.name)
        return service.GetViewResponse(view=messages.view_message(view))

    async def ListViews(self, request: service.ListViewsRequest, context: Any) -> service.ListViewsResponse:
        call = await self._calls.read(request)
        views = await self._views.list(call.scope)
        return service.ListViewsResponse(views=[messages.view_message(view) for view in views])

    async def DeleteView(self, request: service.DeleteViewRequest, context: Any) -> service.DeleteViewResponse:
        call = await self._calls.read(request)
        revision = await self._views.delete(call.scope, request.name, call.request_key)
        return service.DeleteViewResponse(revision=call.revision(revision))

    async def HandOff(self, request: service.HandOffRequest, context: Any) -> service.HandOffResponse:
        call = await self._calls.read(request)
        new = messages.handoff_of(request)
        handoff, redactions = await self._handoffs.hand_off(
            call.scope, *new, attributed(call.principal), call.request_key
        )
        return service.HandOffResponse(
            handoff=messages.handoff_message(handoff),
            redactions=await redaction_messages_off_loop(redactions),
        )

    async def ListHandoffs(self, request: service.ListHandoffsRequest, context: Any) -> service.ListHandoffsResponse:
        call = await self._calls.read(request)
        handoffs = await self._handoffs.list(call.scope)
        return service.ListHandoffsResponse(handoffs=[messages.handoff_message(handoff) for handoff in handoffs])

    async def AcceptHandoffs(
        self, request: service.AcceptHandoffsRequest, context: Any
    ) -> service.AcceptHandoffsResponse:
        call = await self._calls.read(request)
        senders = messages.handoff_senders(request)
        await self._handoffs.accept(call.scope, senders)
        return service.AcceptHandoffsResponse(
            any_agent=senders is None,
            from_agent_ids=[each or SHARED for each in senders or ()],
        )

    async def _built(self, request: Request, context: Any, read: Reader[Request], operation: str) -> pb.Bundle:
        call = await self._calls.read(request)
        bundle_request = await read_request(request, lambda whole: read(whole, call))
        bundle = await self._build(bundle_request)
        self._tokens.note((call.scope, operation, getattr(context, "door", "grpc")), bundle.packed.tokens)
        return messages.bundle_message(bundle, call.scope, call.revisions)
