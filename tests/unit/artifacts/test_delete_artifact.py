"""Who may remove an artifact, and the receipt of it."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import cast

import pytest
from camillo_server.artifacts.artifact import ArtifactId
from camillo_server.artifacts.artifacts import ArtifactReceipt, DeleteArtifact, GetArtifact
from camillo_server.artifacts.ports import ArtifactReader, ArtifactWriter
from camillo_server.kernel.channel import ChannelPolicy
from camillo_server.kernel.errors import NotFound, ScopeForbidden
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.kinds import Sensitivity
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import RequestKey

from tests.unit.artifacts.artifact_in_memory import ArtifactInMemory
from tests.unit.artifacts.content_in_memory import ContentInMemory, artifact_of

LATER = datetime(2026, 5, 6, tzinfo=UTC)


class Later:
    def now(self) -> datetime:
        return LATER


def stored(
    sensitivity: Sensitivity = Sensitivity.INTERNAL, *, is_shared: bool = False
) -> ArtifactInMemory:
    """Put there by the agent `a`."""
    artifact = artifact_of(b"text")
    stated = replace(artifact.stated, sensitivity=sensitivity, is_shared=is_shared)
    owner = AgentId("") if is_shared else artifact.agent_id
    artifact = replace(artifact, stated=stated, agent_id=owner)
    return ArtifactInMemory(artifact, ContentInMemory(b"text", 9).content)


async def delete(
    store: ArtifactInMemory, agent: str = "a", request_id: str = "", *, is_operator: bool = False
) -> ArtifactReceipt:
    get = GetArtifact(cast(ArtifactReader, store), ChannelPolicy(), Later())
    remove = DeleteArtifact(get, cast(ArtifactWriter, store), Later())
    scope = Scope(TenantId("t"), AgentId(agent))
    request = RequestKey(request_id, b"digest") if request_id else None
    return await remove(scope, ArtifactId("x_1"), request, is_operator=is_operator)


@pytest.mark.parametrize("sensitivity", Sensitivity)
async def test_the_receipt_says_what_went(sensitivity: Sensitivity) -> None:
    store = stored(sensitivity)
    receipt = await delete(store)
    assert store.artifact is None
    assert (receipt.artifact_id, receipt.size, receipt.bytes_deleted) == ("x_1", 4, True)
    assert receipt.stores == {"artifacts": 1, "content_parts": 2, "contents": 1}
    assert receipt.deleted_at == LATER


async def test_a_shared_artifact_is_removed_only_by_its_maker_or_an_operator() -> None:
    store = stored(is_shared=True)
    with pytest.raises(ScopeForbidden):
        await delete(store, "b")
    assert store.artifact is not None
    await delete(store, "a")
    assert store.artifact is None
    store = stored(is_shared=True)
    await delete(store, "b", is_operator=True)
    assert store.artifact is None


async def test_a_repeat_gets_the_first_receipt() -> None:
    store = stored()
    first = await delete(store, request_id="request")
    assert await delete(store, request_id="request") == first
    with pytest.raises(NotFound):
        await delete(store, request_id="another")
