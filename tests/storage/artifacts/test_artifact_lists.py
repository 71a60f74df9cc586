"""Lists of artifacts: every filter with what it leaves out, the order, the pages, and the scopes."""

from datetime import timedelta
from itertools import count
from typing import Any

import pytest
from camillo_server.features.artifacts.artifact import (
    Artifact,
    ArtifactCursor,
    ArtifactDraft,
    ArtifactFilter,
    ArtifactId,
    ArtifactQuery,
)
from camillo_server.kernel.channel import Channel
from camillo_server.kernel.ids import AgentId
from camillo_server.kernel.kinds import Sensitivity
from camillo_server.kernel.scope import Scope
from camillo_server.lib.outputs.summary.sample import ContentKind

from tests.storage.artifacts.artifact_store import ALICE, ALL_LEVELS, BOB, NOW, RIVAL, ArtifactStores, artifact_for

numbers = count()
HOUR = timedelta(hours=1)


async def stored(store: ArtifactStores, scope: Scope = ALICE, hour: int = 0, **stated: Any) -> Artifact:
    """An artifact of one line, stored so many hours after the beginning."""
    data = b"x" * (next(numbers) + 10)
    draft = ArtifactDraft(**stated)
    upload = await store.uploaded(data, scope, draft)
    artifact = artifact_for(upload, data, draft, created_at=NOW + hour * HOUR)
    await store.finish(upload, artifact)
    return artifact


async def listed(
    store: ArtifactStores,
    wanted: ArtifactFilter | None = None,
    scope: Scope = ALICE,
    *,
    after: ArtifactCursor | None = None,
    size: int = 100,
    include_shared: bool = False,
    allowed: frozenset[Sensitivity] = ALL_LEVELS,
) -> list[ArtifactId]:
    query = ArtifactQuery(scope, wanted or ArtifactFilter(), Channel.PRIVATE, include_shared)
    page = await store.artifacts.page(query, allowed, after, size, now=NOW)
    return [artifact.artifact_id for artifact in page]


async def test_newest_come_first_in_pages_without_gap_or_repeat(store: ArtifactStores) -> None:
    made = [await stored(store, hour=n // 3) for n in range(8)]
    made += [await stored(store, BOB, hour=n, is_shared=True) for n in range(3)]
    await stored(store, BOB)
    made.sort(key=lambda artifact: (artifact.created_at, artifact.artifact_id), reverse=True)
    expected = [artifact.artifact_id for artifact in made]
    assert await listed(store, include_shared=True) == expected
    for size in (1, 2, 3):
        seen: list[ArtifactId] = []
        after: ArtifactCursor | None = None
        while page := await listed(store, after=after, size=size, include_shared=True):
            assert len(page) <= size
            seen += page
            last = made[expected.index(page[-1])]
            after = ArtifactCursor(last.created_at, last.artifact_id)
        assert seen == expected


async def test_the_shared_scope_is_beside_only_where_it_is_asked_for(store: ArtifactStores) -> None:
    own = await stored(store)
    shared = await stored(store, BOB, hour=1, is_shared=True)
    await stored(store, RIVAL)
    await stored(store, RIVAL, is_shared=True)
    assert await listed(store) == [own.artifact_id]
    assert await listed(store, include_shared=True) == [shared.artifact_id, own.artifact_id]
    nobody = ALICE._replace(agent_id=AgentId(""))
    for include_shared in (False, True):
        found = await listed(store, scope=nobody, include_shared=include_shared)
        assert found == [shared.artifact_id]


FILTERS = [
    ({"session_id": "s"}, {"session_id": "s"}, {"session_id": "t"}),
    ({"tool": "shell"}, {"tool": "shell"}, {"tool": "sql"}),
    ({"tool": "shell", "session_id": "s"}, {"tool": "shell", "session_id": "s"}, {"tool": "sql", "session_id": "s"}),
    ({"tags_any": ("标签", "b")}, {"tags": ("标签", "c")}, {"tags": ("c",)}),
    ({"tags_all": ("a", "b")}, {"tags": ("b", "c", "a")}, {"tags": ("a",)}),
    (
        {"max_sensitivity": Sensitivity.INTERNAL},
        {"sensitivity": Sensitivity.INTERNAL},
        {"sensitivity": Sensitivity.CONFIDENTIAL},
    ),
    ({"created_from": NOW + HOUR}, {"hour": 1}, {"hour": 0}),
    ({"created_before": NOW + HOUR}, {"hour": 0}, {"hour": 1}),
]


@pytest.mark.parametrize(("wanted", "passing", "other"), FILTERS, ids=lambda value: str(value)[:40])
async def test_a_filter_keeps_what_passes_and_leaves_out_the_rest(
    store: ArtifactStores, wanted: dict[str, Any], passing: dict[str, Any], other: dict[str, Any]
) -> None:
    kept = await stored(store, **passing)
    left_out = await stored(store, **other)
    assert await listed(store, ArtifactFilter(**wanted)) == [kept.artifact_id]
    assert set(await listed(store)) == {kept.artifact_id, left_out.artifact_id}


async def test_kinds_sizes_levels_and_expiry_leave_out_the_rest(store: ArtifactStores) -> None:
    small = await stored(store)
    big = await store.put(b"x" * 5_000, draft=ArtifactDraft(sensitivity=Sensitivity.PUBLIC))
    await stored(store, expires_at=NOW)
    assert set(await listed(store)) == {small.artifact_id, big.artifact_id}
    assert await listed(store, ArtifactFilter(min_size=5_000)) == [big.artifact_id]
    assert await listed(store, ArtifactFilter(max_size=4_999)) == [small.artifact_id]
    assert len(await listed(store, ArtifactFilter(kinds=(ContentKind.LOG,)))) == 2
    assert await listed(store, ArtifactFilter(kinds=(ContentKind.JSON,))) == []
    public = frozenset({Sensitivity.PUBLIC})
    assert await listed(store, allowed=public) == [big.artifact_id]


async def test_many_sealed_artifacts_are_opened_in_one_page(store: ArtifactStores) -> None:
    made = [await stored(store, sensitivity=Sensitivity.CONFIDENTIAL, name=f"名 {n}") for n in range(25)]
    query = ArtifactQuery(ALICE, ArtifactFilter(), Channel.PRIVATE, include_shared=False)
    page = await store.artifacts.page(query, ALL_LEVELS, None, 100, now=NOW)
    assert {artifact.draft.name for artifact in page} == {a.draft.name for a in made}
