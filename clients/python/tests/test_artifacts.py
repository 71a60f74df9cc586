"""Searching, listing, changing and deleting artifacts."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from clients.python.tests.fake_server import FakeServer
from clients.python.tests.fake_service import UNAVAILABLE

from camillo.v1.artifact_pb2 import ContentKind, NewArtifact
from camillo.v1.channel_pb2 import Channel
from camillo.v1.memory_pb2 import Sensitivity
from camillo_client import AsyncCamillo, Camillo, SecretRedacted, errors

LINES = [f"line {number} {'错误 ERROR' if number % 3 == 0 else 'ok'}" for number in range(1, 31)]
CONTENT = "\n".join(LINES).encode()


async def test_matching_lines_come_one_by_one(client: AsyncCamillo, server: FakeServer) -> None:
    kept = server.artifacts.keep(CONTENT).memory_ref
    found = [match async for match in client.artifacts.search(kept, literal="错误")]
    assert [match.line.number for match in found] == list(range(3, 31, 3))
    lines = client.artifacts.search(kept, regex="error$", ignore_case=True, context=2, after=5, limit=2, start_line=7)
    assert [match.line.number async for match in lines] == [9, 12]
    request = server.desk.of("SearchArtifact")[1]
    assert (request.before, request.after) == (2, 5)


async def test_a_broken_search_goes_on_behind_the_last_line(client: AsyncCamillo, server: FakeServer) -> None:
    kept = server.artifacts.keep(CONTENT).artifact_id
    server.desk.refuse("SearchArtifact", UNAVAILABLE)
    server.artifacts.breaks = [2, 1]
    lines = client.artifacts.search(kept, literal="ERROR", limit=5)
    assert [match.line.number async for match in lines] == [3, 6, 9, 12, 15]
    requests = server.desk.of("SearchArtifact")
    assert [(r.start_line, r.limit) for r in requests] == [(0, 5), (0, 5), (7, 3), (10, 2)]


async def test_a_scan_tells_why_it_ended(client: AsyncCamillo, server: FakeServer) -> None:
    kept = server.artifacts.keep(CONTENT).artifact_id
    messages = [m async for m in client.artifacts.scan(kept, literal="ERROR", limit=2)]
    assert messages[-1].limit_reached
    assert messages[-1].next_line == 9


async def test_passages_are_ranked(client: AsyncCamillo, server: FakeServer) -> None:
    kept = server.artifacts.keep(CONTENT).artifact_id
    passages = await client.artifacts.passages(kept, "错误", limit=2)
    assert [passage.text for passage in passages] == ["line 3 错误 ERROR", "line 6 错误 ERROR"]


async def test_a_search_that_breaks_when_everything_is_found_finds_no_more(
    client: AsyncCamillo, server: FakeServer
) -> None:
    kept = server.artifacts.keep(b"ERROR\n" * 9).artifact_id
    server.artifacts.breaks = [3]
    lines = client.artifacts.search(kept, literal="ERROR", limit=3)
    assert [match.line.number async for match in lines] == [1, 2, 3]
    assert len(server.desk.of("SearchArtifact")) == 1


async def test_a_search_looks_for_one_thing(client: AsyncCamillo) -> None:
    with pytest.raises(ValueError, match="one of literal"):
        await anext(client.artifacts.search("abc", literal="a", regex="b"))
    with pytest.raises(ValueError, match="one of literal"):
        await anext(client.artifacts.search("abc"))
    with pytest.raises(ValueError, match="passages"):
        await anext(client.artifacts.search("abc", ranked="tea"))


async def test_lists_go_over_all_pages(client: AsyncCamillo, server: FakeServer) -> None:
    ids = [server.artifacts.keep(b"tea").artifact_id for _ in range(5)]
    listed = client.artifacts.list(
        page_size=2,
        channel="team",
        include_shared=True,
        kinds=["log", "json"],
        tool="shell",
        created_from=datetime(2026, 1, 1, tzinfo=UTC),
        min_size_bytes=3,
        tags_any=["a"],
        max_sensitivity="internal",
    )
    assert [artifact.artifact_id async for artifact in listed] == ids[::-1]
    request = server.desk.of("ListArtifacts")[0]
    assert request.filter.kinds == [ContentKind.CONTENT_KIND_LOG, ContentKind.CONTENT_KIND_JSON]
    assert request.filter.created_from.ToDatetime() == datetime(2026, 1, 1)  # noqa: DTZ001
    assert request.filter.max_sensitivity == Sensitivity.SENSITIVITY_INTERNAL
    assert (request.filter.tool, list(request.filter.tags_any)) == ("shell", ["a"])
    assert (request.channel, request.include_shared) == (Channel.CHANNEL_TEAM, True)
    assert len(server.desk.of("ListArtifacts")) == 3


async def test_what_is_said_is_changed(client: AsyncCamillo, server: FakeServer) -> None:
    kept = server.artifacts.keep(b"tea", NewArtifact(name="a", description="b"))
    with pytest.warns(SecretRedacted, match="description"):
        changed = await client.artifacts.update(kept.memory_ref, 1, name="c", description="#", expires_at=None)
    assert (changed.name, changed.version) == ("c", 2)
    (request,) = server.desk.of("UpdateArtifact")
    assert list(request.update_mask.paths) == ["name", "description", "expires_at"]
    assert not request.artifact.HasField("expires_at")
    assert request.request_id
    with pytest.raises(TypeError, match="tool"):
        await client.artifacts.update("abc", 1, tool="shell")  # type: ignore[call-arg]


async def test_a_deletion_gives_a_receipt(client: AsyncCamillo, server: FakeServer) -> None:
    kept = server.artifacts.keep(b"tea")
    receipt = await client.artifacts.delete(kept.memory_ref, request_id="r-1")
    assert (receipt.artifact_id, receipt.size_bytes) == (kept.artifact_id, 3)
    assert server.desk.of("DeleteArtifact")[0].request_id == "r-1"
    with pytest.raises(errors.ArtifactNotFound):
        await client.artifacts.delete(kept.artifact_id)


async def test_citations_go_over_all_pages(client: AsyncCamillo) -> None:
    cited = client.artifacts.citations("abc_1", page_size=1)
    assert [citation.cited_by_id async for citation in cited] == ["memory", "memory2"]


def test_the_sync_twin_searches_and_lists(sync_client: Camillo, thread_server: FakeServer) -> None:
    kept = thread_server.artifacts.keep(CONTENT).artifact_id
    thread_server.artifacts.breaks = [2]
    found = sync_client.artifacts.search(kept, literal="ERROR", limit=3)
    assert [match.line.number for match in found] == [3, 6, 9]
    assert [artifact.artifact_id for artifact in sync_client.artifacts.list()] == [kept]
    assert len(sync_client.artifacts.passages(kept, "ERROR")) == 5
    assert sync_client.artifacts.update(kept, 1, name="c").name == "c"
