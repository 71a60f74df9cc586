"""Recipes: which sections a bundle has, from where, and at what price."""

from __future__ import annotations

from grpc.aio import Channel

from camillo.v1.context_pb2 import Recipe
from camillo.v1.snapshot_service_pb2 import (
    DeleteRecipeRequest,
    ListRecipesRequest,
    PutRecipeRequest,
)
from camillo.v1.snapshot_service_pb2_grpc import SnapshotServiceStub
from camillo_client._async.calls import Calls
from camillo_client._async.mutations import new_request_id


class AsyncRecipes:
    """Those of the tenant, and those that came with the server."""

    def __init__(self, channel: Channel, calls: Calls) -> None:
        self._snapshots = SnapshotServiceStub(channel)
        self._calls = calls

    async def put(
        self, yaml: str, *, request_id: str | None = None, timeout: float | None = None
    ) -> Recipe:
        """Stores a recipe; InvalidField names the places of one that does not validate. For tenant administrators."""
        request = PutRecipeRequest(request_id=request_id or new_request_id(), yaml=yaml)
        return (await self._calls.unary(self._snapshots.PutRecipe, request, timeout)).recipe

    async def delete(
        self, name: str, *, request_id: str | None = None, timeout: float | None = None
    ) -> None:
        """Removes a recipe of the tenant's own; RecipeNotFound if there is none. For tenant administrators."""
        request = DeleteRecipeRequest(request_id=request_id or new_request_id(), name=name)
        await self._calls.unary(self._snapshots.DeleteRecipe, request, timeout)

    async def list(self, *, timeout: float | None = None) -> list[Recipe]:
        """Every recipe that the tenant can use, by name."""
        request = ListRecipesRequest()
        return [*(await self._calls.unary(self._snapshots.ListRecipes, request, timeout)).recipes]
