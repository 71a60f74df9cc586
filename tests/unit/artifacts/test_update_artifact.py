"""Changes of what is said about an artifact: by version, without secrets, once for each request."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, cast

import pytest
from camillo_server.artifacts.artifact import Artifact, ArtifactId
from camillo_server.artifacts.artifacts import ArtifactChange, GetArtifact, UpdateArtifact
from camillo_server.artifacts.ports import ArtifactReader, ArtifactWriter
from camillo_server.kernel.channel import ChannelPolicy
from camillo_server.kernel.errors import NotFound, ScopeForbidden, VersionConflict
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.kinds import Sensitivity
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import RequestKey
from camillo_server.redaction.redaction import Redaction
from camillo_server.redaction.redactor import SecretRedactor

from tests.secret_samples import samples
from tests.unit.artifacts.artifact_in_memory import ArtifactInMemory
from tests.unit.artifacts.content_in_memory import MOMENT, ContentInMemory, artifact_of

LATER = datetime(2026, 5, 6, tzinfo=UTC)


class Later:
    def now(self) -> datetime:
        return LATER


def stored(sensitivity: Sensitivity = Sensitivity.INTERNAL) -> ArtifactInMemory:
    artifact = artifact_of(b"text")
    stated = replace(artifact.stated, name="before", tags=("kept",), sensitivity=sensitivity)
    return ArtifactInMemory(replace(artifact, stated=stated), ContentInMemory(b"text", 9).content)


async def update(
    store: ArtifactInMemory,
    version: int,
    values: dict[str, Any],
    request_id: str = "",
    *,
    agent: str = "a",
    is_operator: bool = False,
) -> tuple[Artifact, list[Redaction]]:
    get = GetArtifact(cast(ArtifactReader, store), ChannelPolicy(), Later())
    writer = cast(ArtifactWriter, store)
    request = RequestKey(request_id, b"digest") if request_id else None
    change = UpdateArtifact(get, writer, SecretRedactor(), Later())
    wanted = ArtifactChange(Scope(TenantId("t"), AgentId(agent)), ArtifactId("x"), version, values)
    artifact, redactions = await change(wanted, request, is_operator=is_operator)
    return artifact, list(redactions)


@pytest.mark.parametrize("sensitivity", Sensitivity)
async def test_the_fields_named_are_changed_and_no_others(sensitivity: Sensitivity) -> None:
    store = stored(sensitivity)
    before = store.artifact
    assert before is not None
    artifact, redactions = await update(store, 1, {"name": "茶", "pinned": True})
    assert artifact == store.artifact
    assert artifact.stated == replace(before.stated, name="茶", pinned=True)
    assert artifact.content == before.content
    assert (artifact.version, artifact.created_at, artifact.updated_at) == (2, MOMENT, LATER)
    assert redactions == []


@pytest.mark.parametrize("version", [0, 2])
async def test_another_version_than_the_one_seen_changes_nothing(version: int) -> None:
    store = stored()
    before = store.artifact
    with pytest.raises(VersionConflict):
        await update(store, version, {"name": "after"})
    assert store.artifact == before
    await update(store, 1, {"name": "after"})
    assert store.artifact != before


async def test_secrets_in_the_new_values_are_not_kept() -> None:
    secret = samples(1)["github-pat"]
    artifact, redactions = await update(
        stored(),
        1,
        {"description": f"with {secret}", "metadata": {"key": secret}, "tags": (secret,)},
    )
    assert secret not in repr(artifact)
    assert "with [redacted: github-pat]" in artifact.description
    assert [each.field for each in redactions] == ["description", "tags[0]", "metadata.key"]


async def test_a_repeat_gives_the_artifact_as_it_is_by_now() -> None:
    store = stored()
    await update(store, 1, {"name": "first"}, "request")
    await update(store, 2, {"name": "second"})
    artifact, _ = await update(store, 1, {"name": "first"}, "request")
    assert (artifact.stated.name, artifact.version) == ("second", 3)
    with pytest.raises(VersionConflict):
        await update(store, 1, {"name": "first"}, "another")


async def test_what_is_gone_cannot_be_changed() -> None:
    store = stored()
    store.artifact = None
    with pytest.raises(NotFound):
        await update(store, 1, {"name": "after"})


async def test_what_another_agent_put_there_is_changed_only_by_an_operator() -> None:
    store = stored()
    with pytest.raises(ScopeForbidden):
        await update(store, 1, {"name": "after"}, agent="b")
    assert store.artifact is not None
    assert store.artifact.stated.name == "before"
    artifact, _ = await update(store, 1, {"name": "after"}, agent="b", is_operator=True)
    assert artifact.stated.name == "after"
