"""PutArtifact's stream: what it has to begin with, and what may follow."""

from collections.abc import AsyncIterator
from hashlib import sha256
from typing import Any
from uuid import UUID

import pytest
from camillo.v1 import artifact_pb2 as pb
from camillo.v1 import artifact_service_pb2 as service
from camillo_server.features.artifacts.artifact import ArtifactDraft
from camillo_server.features.artifacts.request_messages import header_digest, upload_header, upload_messages
from camillo_server.features.artifacts.upload import UploadBytes, UploadFinish
from camillo_server.kernel.errors import InvalidField
from camillo_server.kernel.scope import Principal

from tests.cases import each_case
from tests.unit.rpc.violations import refused_fields

UPLOAD_ID = "01890a5d-ac96-774b-bcce-b302099a8057"
SUM = sha256(b"x").digest()

Request = service.PutArtifactRequest
Header = service.PutArtifactHeader
HEADER = Request(header=Header())
BYTES = Request(bytes=service.ArtifactBytes(offset=0, data=b"x"))
FINISH = Request(finish=service.PutArtifactFinish(sha256=SUM))


async def stream(*requests: service.PutArtifactRequest) -> AsyncIterator[service.PutArtifactRequest]:
    for request in requests:
        yield request


async def header_error(**values: Any) -> list[str]:
    """The fields that are wrong in a header."""
    try:
        await upload_header(stream(Request(header=Header(**values))))
    except InvalidField as error:
        return [violation.field for violation in error.violations]
    return []


async def test_a_header_says_what_is_coming(ada: Principal) -> None:
    message = Header(
        request_id="r",
        artifact=pb.NewArtifact(name="журнал"),
        upload_id=UPLOAD_ID,
        size_bytes=9,
        offset=4,
        prefix_sha256=SUM,
    )
    header = await upload_header(stream(Request(header=message)))
    assert (header.scope, header.draft) == (ada.scope(""), ArtifactDraft(name="журнал"))
    assert (header.request_id, header.upload_id) == ("r", UUID(UPLOAD_ID))
    assert (header.size, header.offset, header.prefix_sha256) == (9, 4, SUM)
    assert header.header_digest == header_digest(message)


async def test_everything_in_a_header_is_optional(ada: Principal) -> None:
    header = await upload_header(stream(HEADER))
    assert (header.draft, header.request_id, header.upload_id) == (ArtifactDraft(), "", None)
    assert (header.size, header.offset, header.prefix_sha256) == (None, 0, b"")


@pytest.mark.parametrize("first", [(), (BYTES,), (FINISH,), (Request(),)])
async def test_a_stream_begins_with_a_header(first: tuple[service.PutArtifactRequest, ...], ada: Principal) -> None:
    with pytest.raises(InvalidField) as caught:
        await upload_header(stream(*first))
    assert refused_fields(caught) == ["header"]


@each_case(
    ("field", "beyond", "within"),
    [
        ("request_id", {"request_id": "x" * 129}, {"request_id": "x" * 128}),
        ("upload_id", {"upload_id": "mine"}, {"upload_id": UPLOAD_ID}),
        ("size_bytes", {"size_bytes": 0}, {"size_bytes": 1}),
        ("prefix_sha256", {"prefix_sha256": SUM[:-1]}, {"prefix_sha256": SUM}),
        ("prefix_sha256", {"upload_id": UPLOAD_ID, "offset": 1}, {"upload_id": UPLOAD_ID, "offset": 0}),
        ("upload_id", {"offset": 1, "prefix_sha256": SUM}, {"offset": 1, "prefix_sha256": SUM, "upload_id": UPLOAD_ID}),
        (
            "offset",
            {"offset": 3, "prefix_sha256": SUM, "upload_id": UPLOAD_ID, "size_bytes": 2},
            {"offset": 2, "prefix_sha256": SUM, "upload_id": UPLOAD_ID, "size_bytes": 2},
        ),
        (
            "offset",
            {"offset": -1, "prefix_sha256": SUM, "upload_id": UPLOAD_ID},
            {"offset": 2**62, "prefix_sha256": SUM, "upload_id": UPLOAD_ID},
        ),
        ("artifact.tool", {"artifact": pb.NewArtifact(tool="x" * 65)}, {"artifact": pb.NewArtifact(tool="x" * 64)}),
    ],
)
async def test_a_limit_of_a_header_holds(
    field: str, beyond: dict[str, Any], within: dict[str, Any], ada: Principal
) -> None:
    assert await header_error(**beyond) == [f"header.{field}"]
    assert await header_error(**within) == []


def test_the_digest_is_of_what_is_said_not_of_one_call() -> None:
    said = Header(agent_id="ada", artifact=pb.NewArtifact(name="名"), size_bytes=3)
    of_one_call = Header(request_id="r", upload_id=UPLOAD_ID, offset=2, prefix_sha256=SUM)
    resumed = Header()
    resumed.MergeFrom(said)
    resumed.MergeFrom(of_one_call)
    assert header_digest(said) == header_digest(resumed)
    assert len(header_digest(said)) == 32
    assert resumed.request_id == "r"


@pytest.mark.parametrize(
    "other",
    [
        Header(artifact=pb.NewArtifact(name="b"), size_bytes=3),
        Header(artifact=pb.NewArtifact(name="a"), size_bytes=4),
        Header(artifact=pb.NewArtifact(name="a")),
        Header(agent_id="ada", artifact=pb.NewArtifact(name="a"), size_bytes=3),
    ],
)
def test_the_digest_of_another_header_is_another(other: service.PutArtifactHeader) -> None:
    said = Header(artifact=pb.NewArtifact(name="a"), size_bytes=3)
    again = Header(artifact=pb.NewArtifact(name="a"), size_bytes=3)
    assert header_digest(again) == header_digest(said)
    assert header_digest(other) != header_digest(said)


async def test_bytes_and_the_finish_follow_the_header(ada: Principal) -> None:
    more = Request(bytes=service.ArtifactBytes(offset=1, data=b"\0\xff"))
    requests = stream(HEADER, BYTES, more, FINISH)
    await upload_header(requests)
    messages = [message async for message in upload_messages(requests)]
    assert messages == [UploadBytes(0, b"x"), UploadBytes(1, b"\0\xff"), UploadFinish(SUM)]


@each_case(
    ("field", "before", "bad"),
    [
        ("header", [BYTES], HEADER),
        ("part", [BYTES], Request()),
        ("bytes", [BYTES, FINISH], BYTES),
        ("finish", [BYTES, FINISH], FINISH),
        ("header", [BYTES, FINISH], HEADER),
        ("part", [BYTES, FINISH], Request()),
        ("finish.sha256", [BYTES], Request(finish=service.PutArtifactFinish())),
        ("finish.sha256", [], Request(finish=service.PutArtifactFinish(sha256=SUM + b"x"))),
    ],
)
async def test_a_message_in_the_wrong_place_is_named(
    field: str, before: list[service.PutArtifactRequest], bad: service.PutArtifactRequest
) -> None:
    messages = upload_messages(stream(*before, bad))
    taken = [await anext(messages) for _ in before]
    assert len(taken) == len(before)
    with pytest.raises(InvalidField) as caught:
        await anext(messages)
    assert refused_fields(caught) == [field]
