"""ListArtifacts: every filter, order, pages and their tokens."""

import random
from datetime import UTC, datetime, timedelta
from typing import Any

import grpc
from camillo.v1 import artifact_pb2 as pb
from camillo.v1 import artifact_service_pb2 as service
from camillo.v1 import channel_pb2 as channels
from camillo.v1 import memory_pb2 as memory

from tests.rpc.artifacts.calls import MIB, listed, put, put_text
from tests.rpc.memories.calls import UNKNOWN_ID, remember
from tests.server_fixtures import Caller, Server, refused

BEGIN = datetime(2030, 1, 1, tzinfo=UTC)
TOOLS = ("", "shell", "浏览器")
SESSIONS = ("", "s1", "جلسة")
TAGS: tuple[list[str], ...] = ([], ["a"], ["b", "🙂"], ["a", "b"])
LEVELS = (1, 2, 3, 4)
CONTENTS = (b'{"a": [1, 2]}', b"\x00\x01\x02" * 40, b"some words\nin lines\n" * 30)


async def put_many(server: Server, count: int = 40) -> list[pb.Artifact]:
    """Artifacts that differ in all that a filter asks, two at each moment, newest first; every fifth is shared."""
    dice = random.Random(3)  # noqa: S311
    artifacts = []
    for number in range(count):
        server.clock.move(60 * (number % 2))
        content = dice.choice(CONTENTS) + bytes(f"{number}\n", "ascii") * (number % 3)
        answer = await put(
            server.alice,
            content,
            tool=dice.choice(TOOLS),
            session_id=dice.choice(SESSIONS),
            tags=dice.choice(TAGS),
            sensitivity=dice.choice(LEVELS[:3] if number % 5 == 0 else LEVELS),
            is_shared=number % 5 == 0,
        )
        artifacts.append(answer.artifact)
    artifacts.sort(key=lambda a: (a.created_at.ToMicroseconds(), a.artifact_id), reverse=True)
    return artifacts


def passes(wanted: pb.ArtifactFilter, artifact: pb.Artifact) -> bool:
    """Whether an artifact passes the filter by the rules of the contract."""
    created = artifact.created_at.ToDatetime(tzinfo=UTC)
    tags = set(artifact.tags)
    return (
        wanted.session_id in ("", artifact.session_id)
        and wanted.tool in ("", artifact.tool)
        and (not wanted.kinds or artifact.kind in wanted.kinds)
        and (not wanted.HasField("created_from") or created >= wanted.created_from.ToDatetime(tzinfo=UTC))
        and (not wanted.HasField("created_before") or created < wanted.created_before.ToDatetime(tzinfo=UTC))
        and artifact.size_bytes >= wanted.min_size_bytes
        and (not wanted.max_size_bytes or artifact.size_bytes <= wanted.max_size_bytes)
        and (not wanted.tags_any or bool(tags & set(wanted.tags_any)))
        and tags >= set(wanted.tags_all)
        and artifact.sensitivity <= (wanted.max_sensitivity or 4)
    )


ALONE: list[dict[str, Any]] = [
    {},
    {"session_id": "s1"},
    {"session_id": "جلسة"},
    {"tool": "shell"},
    {"tool": "浏览器"},
    {"kinds": [pb.CONTENT_KIND_JSON]},
    {"kinds": [pb.CONTENT_KIND_BINARY, pb.CONTENT_KIND_JSON]},
    {"created_from": BEGIN + timedelta(minutes=7)},
    {"created_before": BEGIN + timedelta(minutes=7)},
    {"min_size_bytes": 100},
    {"max_size_bytes": 120},
    {"tags_any": ["a"]},
    {"tags_any": ["a", "🙂"]},
    {"tags_all": ["a", "b"]},
    {"max_sensitivity": memory.SENSITIVITY_PUBLIC},
    {"max_sensitivity": memory.SENSITIVITY_CONFIDENTIAL},
]


async def test_every_filter_alone_and_combined_finds_what_it_says(server: Server) -> None:
    everything = await put_many(server)
    dice = random.Random(8)  # noqa: S311
    combined = []
    for _ in range(50):
        fields: dict[str, Any] = {}
        for one in dice.sample(ALONE[1:], dice.choice((2, 2, 3, 4))):
            fields.update(one)
        combined.append(fields)
    found_some = 0
    for fields in [*ALONE, *combined]:
        wanted = pb.ArtifactFilter(**fields)
        for include_shared in (False, True):
            expected = [
                artifact
                for artifact in everything
                if passes(wanted, artifact) and (include_shared or artifact.agent_id)
            ]
            found = await listed(server.alice, wanted, include_shared=include_shared)
            assert found == expected, fields
            found_some += bool(expected) and len(expected) < len(everything)
    # Filters that found nothing, or everything, would prove little.
    assert found_some > 40


async def test_pages_of_every_size_make_the_same_list(server: Server) -> None:
    expected = await put_many(server)
    filters = [{}, {"session_id": "s1"}, {"tool": "shell"}, {"tags_any": ["a"]}]
    for page_size in (1, 2, 3, 7, 39, 40, 41, 1000):
        for fields in filters:
            wanted = pb.ArtifactFilter(**fields)  # type: ignore[arg-type]
            some = [artifact for artifact in expected if passes(wanted, artifact)]
            found = await listed(server.alice, wanted, include_shared=True, page_size=page_size)
            assert found == some, (page_size, fields)


async def test_a_list_has_fifty_unless_said_otherwise(server: Server) -> None:
    for number in range(51):
        await put_text(server.alice, str(number))
    page = await server.alice(service.ListArtifactsRequest())
    assert len(page.artifacts) == 50
    page = await server.alice(service.ListArtifactsRequest(page_token=page.next_page_token))
    assert (len(page.artifacts), page.next_page_token) == (1, "")


async def test_a_page_that_would_not_fit_in_a_message_ends_before(server: Server) -> None:
    """Clients refuse messages of more than 4 MiB unless they are told otherwise."""
    large = {
        "command": "命" * 4000,
        "metadata": {"k": "x" * 16_000},
        "tags": [f"{number:03d}{'字' * 125}" for number in range(64)],
        "source_refs": [f"{number:03d}{'字' * 253}" for number in range(64)],
    }
    ids: list[str] = []
    for number in range(60):
        ids.append((await put_text(server.alice, str(number), **large)).artifact_id)
    request = service.ListArtifactsRequest(page_size=1000)
    first = await server.alice(request)
    assert 2.5 * MIB < first.ByteSize() < 4 * MIB
    assert len(first.artifacts) < 60
    request.page_token = first.next_page_token
    rest = await server.alice(request)
    assert rest.next_page_token == ""
    found = [each.artifact_id for each in (*first.artifacts, *rest.artifacts)]
    assert sorted(found) == sorted(ids)
    assert found == sorted(found, reverse=True)


async def test_a_page_token_is_for_its_own_query_and_caller_alone(server: Server) -> None:
    for number in range(3):
        await put_text(server.alice, str(number), session_id="s1")
        await put_text(server.rival, str(number), agent_id="alice", session_id="s1")
    own = service.ListArtifactsRequest(filter=pb.ArtifactFilter(session_id="s1"), page_size=1)
    token = (await server.alice(own)).next_page_token
    changed: list[tuple[Caller, dict[str, Any]]] = [
        (server.alice, {"filter": pb.ArtifactFilter(session_id="s1", tool="x")}),
        (server.alice, {"filter": pb.ArtifactFilter()}),
        (server.alice, {"channel": channels.CHANNEL_TEAM}),
        (server.alice, {"include_shared": True}),
        (server.alice, {"page_token": token[:-1] + ("A" if token[-1] != "A" else "B")}),
        (server.alice, {"page_token": "AAAA"}),
        (server.alice, {"page_token": "ä"}),
        (server.admin, {"agent_id": "bob"}),
        (server.rival, {"agent_id": "alice"}),
    ]
    for caller, fields in changed:
        said = {"filter": own.filter, "page_size": 1, "page_token": token, **fields}
        told = await refused(caller(service.ListArtifactsRequest(**said)))
        assert (told.code, told.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "INVALID_PAGE_TOKEN"), fields
    # Another size of page is another page of the same list; an operator for the same agent is the same caller.
    more = service.ListArtifactsRequest(filter=own.filter, page_size=2, page_token=token)
    assert len((await server.alice(more)).artifacts) == 2
    more.agent_id = "alice"
    assert len((await server.admin(more)).artifacts) == 2


async def test_pages_go_on_behind_what_was_deleted_and_do_not_show_what_came_later(server: Server) -> None:
    ids: list[str] = []
    for number in range(4):
        server.clock.move(1)
        ids.insert(0, (await put_text(server.alice, str(number))).artifact_id)
    first = await server.alice(service.ListArtifactsRequest(page_size=2))
    await server.alice(service.DeleteArtifactRequest(artifact_id=ids[1]))
    server.clock.move(1)
    await put_text(server.alice, "later")
    token = first.next_page_token
    rest = await server.alice(service.ListArtifactsRequest(page_size=5, page_token=token))
    assert [artifact.artifact_id for artifact in rest.artifacts] == ids[2:]


async def test_only_what_a_memory_cites_passes_its_filter(server: Server) -> None:
    artifacts = [await put_text(server.alice, f"x {number}") for number in range(3)]
    citing = await remember(server.alice, "both", source_refs=[artifacts[0].artifact_id, artifacts[2].artifact_id])
    for memory_id, wanted in ((citing.memory_id, {0, 2}), (UNKNOWN_ID, set[int]())):
        found = await listed(server.alice, pb.ArtifactFilter(cited_by_memory_id=memory_id))
        assert {each.artifact_id for each in found} == {artifacts[i].artifact_id for i in wanted}
