"""Bad input to the artifact service: each kind is refused with its field, next to what is just within the limit."""

from collections.abc import Callable
from typing import Any

import grpc
import pytest
from camillo.v1 import artifact_pb2 as pb
from camillo.v1 import artifact_service_pb2 as service
from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp

from tests.rpc.artifacts.calls import around, of_bytes, of_json, of_lines, output, put_text
from tests.rpc.memories.calls import UNKNOWN_ID
from tests.server_fixtures import Caller, Server, refused

TOO_LATE = Timestamp(seconds=253402300800)
KNOWN = "known"
"""Stands for the id of an artifact that is there."""

Range = pb.ArtifactRange


def read(**fields: Any) -> service.ReadArtifactRequest:
    return service.ReadArtifactRequest(**{"artifact_id": KNOWN, **fields})


def page(**fields: Any) -> service.ReadArtifactPageRequest:
    return service.ReadArtifactPageRequest(**{"artifact_id": KNOWN, **fields})


def search(**fields: Any) -> service.SearchArtifactRequest:
    query = {} if fields.keys() & {"literal", "regex", "ranked"} else {"literal": "x"}
    return service.SearchArtifactRequest(**{"artifact_id": KNOWN, **query, **fields})


def listing(**fields: Any) -> service.ListArtifactsRequest:
    return service.ListArtifactsRequest(**fields)


def filtered(**fields: Any) -> service.ListArtifactsRequest:
    return listing(filter=pb.ArtifactFilter(**fields))


def citations(**fields: Any) -> service.ListCitationsRequest:
    return service.ListCitationsRequest(**{"artifact_id": KNOWN, **fields})


def delete(**fields: Any) -> service.DeleteArtifactRequest:
    return service.DeleteArtifactRequest(artifact_id=KNOWN, **fields)


BAD: list[tuple[str, Message, Message]] = [
    ("request_id", output("x", request_id="x" * 129), output("x", request_id="x" * 128)),
    ("request_id", output("x", request_id="\0"), output("x", request_id="\x01")),
    ("request_id", delete(request_id="x" * 129), citations()),
    ("agent_id", output("x", agent_id="a/b"), output("x", agent_id="a.b")),
    ("agent_id", listing(agent_id="\n"), listing(agent_id="a" * 128)),
    ("output", output(""), output("\0")),
    ("threshold_tokens", output("x", threshold_tokens=-1), output("x", threshold_tokens=1)),
    ("threshold_tokens", output("x", threshold_tokens=100_001), output("x", threshold_tokens=100_000)),
    ("upload_id", service.GetUploadRequest(upload_id="mine"), listing()),
    ("upload_id", service.GetUploadRequest(), listing()),
    ("channel", read(channel=9), read(channel=4)),
    ("channel", page(channel=-1), page(channel=0)),
    ("channel", listing(channel=99), listing(channel=1)),
    ("range.bytes.end", read(range=of_bytes(3, 2)), read(range=of_bytes(2, 2**63 - 1))),
    ("range.bytes.end", read(range=of_bytes(0, -1)), read(range=of_bytes(-(2**63)))),
    ("range.lines.first", read(range=of_lines(0)), read(range=of_lines(1, 2**63 - 1))),
    ("range.lines.last", read(range=of_lines(2, 1)), read(range=of_lines(2, 2))),
    ("range.lines.last", page(range=of_lines(1, -5)), page(range=of_lines(1, 5))),
    ("range.head_lines", read(range=Range(head_lines=0)), read(range=Range(head_lines=1))),
    ("range.head_lines", read(range=Range(head_lines=-1)), read(range=Range(head_lines=2**63 - 1))),
    ("range.tail_lines", read(range=Range(tail_lines=0)), read(range=Range(tail_lines=2**63 - 1))),
    ("range.around.line", read(range=around(0, 1)), read(range=around(1, 0))),
    ("range.around.context", read(range=around(1, 10_001)), read(range=around(1, 10_000))),
    ("range.around.context", read(range=around(1, -1)), read(range=around(2, 1))),
    ("range.json.pointer", read(range=of_json("a")), read(range=of_json("/a"))),
    ("range.json.pointer", read(range=of_json("/~2")), read(range=of_json(""))),
    ("range.json.pointer", read(range=of_json("/" + "a" * 4096)), read(range=of_json("/a/0"))),
    ("range.json.start", read(range=of_json("/a", start=-1)), read(range=of_json("/a", start=0))),
    ("range.json.end", page(range=of_json("/a", start=2, end=1)), page(range=of_json("/a", end=9))),
    ("resume_after_bytes", read(resume_after_bytes=-1), read(resume_after_bytes=1)),
    ("max_tokens", page(max_tokens=15), page(max_tokens=16)),
    ("max_tokens", page(max_tokens=32_001), page(max_tokens=32_000)),
    ("max_tokens", page(max_tokens=-1), page(max_tokens=0)),
    ("query", service.SearchArtifactRequest(artifact_id=KNOWN), search()),
    ("literal", search(literal=""), search(literal=" ")),
    ("literal", search(literal="x" * 1001), search(literal="x" * 1000)),
    ("literal", search(literal="a\nb"), search(literal="a\\nb")),
    ("literal", search(literal="\0"), search(literal="\x01")),
    ("regex", search(regex=""), search(regex="^")),
    ("regex", search(regex="x" * 1001), search(regex="x" * 1000)),
    ("regex", search(regex="(x"), search(regex="(x)")),
    ("regex", search(regex=r"(?=x)"), search(regex=r"(?:x)")),
    ("regex", search(regex=r"(x)\1"), search(regex=r"\p{Han}")),
    ("ranked", search(ranked=""), search(ranked="構建 失敗")),
    ("ranked", search(ranked="?!"), search(ranked="? 42")),
    ("ranked", search(ranked="x" * 1001), search(ranked="x" * 1000)),
    ("before", search(before=51), search(before=50)),
    ("before", search(before=-1), search(before=0)),
    ("after", search(after=51), search(after=50)),
    ("limit", search(limit=10_001), search(limit=10_000)),
    ("limit", search(limit=-1), search(limit=1)),
    ("limit", search(ranked="x", limit=51), search(ranked="x", limit=50)),
    ("start_line", search(start_line=-1), search(start_line=2)),
    ("start_line", search(ranked="x", start_line=2), search(ranked="x", start_line=1)),
    ("page_size", listing(page_size=-1), listing(page_size=1)),
    ("page_size", listing(page_size=1001), listing(page_size=1000)),
    ("page_size", listing(page_size=2**31 - 1), listing(page_size=0)),
    ("page_size", citations(page_size=-1), citations(page_size=1000)),
    ("page_size", citations(page_size=1001), citations(page_size=0)),
    ("filter.kinds", filtered(kinds=[7]), filtered(kinds=[0, 6, 6])),
    ("filter.max_sensitivity", filtered(max_sensitivity=5), filtered(max_sensitivity=4)),
    ("filter.session_id", filtered(session_id="x" * 129), filtered(session_id="x" * 128)),
    ("filter.session_id", filtered(session_id="\0"), filtered(session_id="'; --")),
    ("filter.tool", filtered(tool="x" * 65), filtered(tool="%s %(tool)s")),
    ("filter.tool", filtered(tool="\0"), filtered(tool="x" * 64)),
    ("filter.created_from", filtered(created_from=TOO_LATE), filtered(created_from=Timestamp())),
    ("filter.created_before", filtered(created_before=Timestamp(nanos=-1)), filtered()),
    ("filter.min_size_bytes", filtered(min_size_bytes=-1), filtered(min_size_bytes=2**63 - 1)),
    ("filter.max_size_bytes", filtered(max_size_bytes=-1), filtered(max_size_bytes=2**63 - 1)),
    ("filter.tags_any", filtered(tags_any=map(str, range(65))), filtered(tags_any=["x" * 128])),
    ("filter.tags_all[0]", filtered(tags_all=["x" * 129]), filtered(tags_all=["\x01"])),
    ("filter.tags_all[0]", filtered(tags_all=[""]), filtered(tags_all=["a"] * 70)),
    ("filter.cited_by_memory_id", filtered(cited_by_memory_id="42"), filtered(cited_by_memory_id=UNKNOWN_ID)),
]


async def answered(caller: Caller, request: Message) -> object:
    call = caller.begin(request)
    if isinstance(request, service.ReadArtifactRequest | service.SearchArtifactRequest):
        return [answer async for answer in call]
    return await call


async def assert_limit(field: str, bad: Callable[[], Any], good: Callable[[], Any], what: object) -> None:
    """The bad one is refused and its field named, the good one answered."""
    told = await refused(bad())
    assert (told.code, told.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "INVALID_FIELD"), what
    assert field in told.fields, (what, told)
    assert len(told.message) < 2000, what
    await good()


@pytest.mark.own_server
async def test_a_field_beyond_its_limit_is_named(server: Server) -> None:
    known = await put_text(server.root, '{"a": [1]}\n{\n', name="x.json", agent_id="alice")
    json_id = (await put_text(server.root, '{"a": [1]}', agent_id="alice")).artifact_id

    def told(request: Message) -> Message:
        """The request, of the artifact that is there."""
        is_json = isinstance(
            request, service.ReadArtifactRequest | service.ReadArtifactPageRequest
        ) and request.range.HasField("json")
        if getattr(request, "artifact_id", "") == KNOWN:
            request.artifact_id = json_id if is_json else known.artifact_id  # type: ignore[attr-defined]
            request.agent_id = "alice"  # type: ignore[attr-defined]
        return request

    for field, bad, good in BAD:
        await assert_limit(
            field,
            lambda bad=bad: answered(server.root, told(bad)),  # type: ignore[misc]
            lambda good=good: answered(server.root, told(good)),  # type: ignore[misc]
            f"{field}: {str(bad)[:200]!r}",
        )


async def test_every_field_that_is_wrong_is_named_at_once(server: Server) -> None:
    told = await refused(server.alice(output("", name="x" * 257, tags=[""], sensitivity=50, threshold_tokens=-1)))
    assert set(told.fields) == {
        "output",
        "artifact.name",
        "artifact.tags[0]",
        "artifact.sensitivity",
        "threshold_tokens",
    }


NO_IDS = ("", "x", "A_1", "a-b-c", "é" * 5, "a" * 65, "\0" * 5, "../etc", "'; --", "[MemoryRef: ", "a b")


async def test_what_no_artifact_is_called_is_not_found(server: Server) -> None:
    for artifact_id in NO_IDS:
        for request in (
            service.GetArtifactRequest(artifact_id=artifact_id),
            service.DeleteArtifactRequest(artifact_id=artifact_id),
            service.ListCitationsRequest(artifact_id=artifact_id),
            service.ReadArtifactPageRequest(artifact_id=artifact_id),
        ):
            told = await refused(server.alice(request))
            assert (told.code, told.reason) == (grpc.StatusCode.NOT_FOUND, "ARTIFACT_NOT_FOUND")
            assert told.metadata == {"artifact_id": artifact_id[:64]}
