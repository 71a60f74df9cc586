"""Documents: published, read, changed, archived and removed."""

from hashlib import sha256
from typing import Any

import grpc
import pytest
from camillo.v1 import knowledge_pb2 as pb
from camillo.v1 import knowledge_service_pb2 as service
from camillo.v1 import memory_pb2
from camillo.v1.channel_pb2 import CHANNEL_TEAM
from google.protobuf.field_mask_pb2 import FieldMask

from tests.rpc.knowledge.calls import get, names, passages, publish
from tests.rpc.memories.calls import UNKNOWN_ID
from tests.server_fixtures import Server, refused

NAME = "handbook/travel.md"
TRAVEL = "# Travel\n\nFlights are booked by the office.\n\n## 出差\n\n预订酒店需要经理批准 🏨。\n"
CHANGED = TRAVEL.replace("the office", "a machine")


def change(document: pb.Document, **values: Any) -> service.UpdateDocumentRequest:
    return service.UpdateDocumentRequest(
        document_id=document.document_id,
        expected_version=document.version,
        update_mask=FieldMask(paths=sorted(values)),
        document=pb.NewDocument(**values),
    )


async def test_a_document_is_read_as_it_was_published(server: Server) -> None:
    stored = await publish(server.admin, NAME, TRAVEL, categories=["policy"], tags=["hr", "hr"])
    document = stored.document
    assert (document.version, document.sha256) == (1, sha256(TRAVEL.encode()).digest())
    assert (document.stated.title, document.stated.media_type) == ("Travel", "text/markdown")
    assert document.stated.sensitivity == memory_pb2.SENSITIVITY_INTERNAL
    assert document.text_bytes == len(TRAVEL.encode())
    assert document.passages > 0
    assert (stored.unchanged, stored.passages_kept, len(stored.redactions)) == (False, 0, 0)
    for caller in (server.admin, server.alice, server.reader):
        found = await get(caller, NAME)
        assert found.document == document
        assert (found.text, found.byte_from, found.byte_until) == (TRAVEL, 0, document.text_bytes)
        by_id = service.GetDocumentRequest(document_id=document.document_id, omit_text=True)
        assert await caller(by_id) == service.GetDocumentResponse(document=document)
    (first, *_) = await passages(server.admin, "预订酒店需要经理批准")
    assert first.citation.document_id == first.origin_id == document.document_id
    assert (first.citation.name, first.citation.title, first.citation.version) == (NAME, "Travel", 1)
    assert list(first.tags) == ["hr"]


async def test_the_same_bytes_with_the_same_header_store_nothing(server: Server) -> None:
    first = await publish(server.admin, NAME, TRAVEL, tags=["hr"])
    again = await publish(server.admin, NAME, TRAVEL, tags=["hr"])
    assert again.unchanged
    assert (again.document, again.shared_revision) == (first.document, first.shared_revision)
    assert (await publish(server.admin, NAME, TRAVEL)).document.version == 2
    assert (await publish(server.admin, NAME, CHANGED)).document.version == 3
    assert (await publish(server.admin, NAME, TRAVEL)).document.version == 4


async def test_a_request_is_carried_out_once(server: Server) -> None:
    first = await publish(server.admin, NAME, TRAVEL, {"request_id": "one"})
    second = await publish(server.admin, NAME, CHANGED, {"request_id": "two"})
    assert await publish(server.admin, NAME, TRAVEL, {"request_id": "one"}) == first
    assert await publish(server.admin, NAME, CHANGED, {"request_id": "two"}) == second
    told = await refused(publish(server.admin, NAME, CHANGED, {"request_id": "one"}))
    assert told.reason == "REQUEST_ID_REUSED"
    await server.admin(service.DeleteDocumentRequest(document_id=first.document.document_id))
    told = await refused(publish(server.admin, NAME, TRAVEL, {"request_id": "one"}))
    assert told.reason == "DOCUMENT_NOT_FOUND"


async def test_only_the_version_that_was_seen_is_replaced(server: Server) -> None:
    told = await refused(publish(server.admin, NAME, TRAVEL, {"expected_version": 1}))
    assert (told.code, told.reason) == (grpc.StatusCode.ABORTED, "VERSION_CONFLICT")
    first = await publish(server.admin, NAME, TRAVEL, {"expected_version": 0})
    told = await refused(publish(server.admin, NAME, CHANGED, {"expected_version": 0}))
    assert (told.reason, told.metadata["actual_version"]) == ("VERSION_CONFLICT", "1")
    second = await publish(server.admin, NAME, CHANGED, {"expected_version": 1})
    assert second.document.version == 2
    told = await refused(server.admin(change(first.document, title="late")))
    assert told.reason == "VERSION_CONFLICT"


async def test_every_version_is_kept(server: Server) -> None:
    texts = [TRAVEL, CHANGED, f"{CHANGED}\nMore 茶.\n"]
    stored = [(await publish(server.admin, NAME, text)).document for text in texts]
    for document, text in zip(stored, texts, strict=True):
        found = await get(server.alice, NAME, version=document.version)
        assert (found.document, found.text) == (document, text)
    request = service.ListDocumentVersionsRequest(document_id=stored[0].document_id, page_size=2)
    page = await server.alice(request)
    assert list(page.versions) == stored[:0:-1]
    request.page_token = page.next_page_token
    last = await server.alice(request)
    assert (list(last.versions), last.next_page_token) == (stored[:1], "")
    assert (await refused(get(server.alice, NAME, version=4))).reason == "DOCUMENT_NOT_FOUND"
    unknown = service.ListDocumentVersionsRequest(document_id=UNKNOWN_ID)
    assert (await refused(server.alice(unknown))).reason == "DOCUMENT_NOT_FOUND"


async def test_what_is_said_is_changed_as_a_version_of_its_own(server: Server) -> None:
    first = (await publish(server.admin, NAME, TRAVEL, tags=["hr"])).document
    request = change(first, title="Reisen ✈️", categories=["policy"], source_url="https://x.y/z")
    request.document.tags.append("not named")
    request.request_id = "once"
    answer = await server.admin(request)
    second = answer.document
    assert (second.version, second.stated.title) == (2, "Reisen ✈️")
    assert (list(second.stated.categories), list(second.stated.tags)) == (["policy"], ["hr"])
    assert (second.sha256, second.text_bytes) == (first.sha256, first.text_bytes)
    request.request_id = "once"
    assert await server.admin(request) == answer
    assert (await get(server.alice, NAME)).text == TRAVEL
    (found, *_) = await passages(server.admin, "booked by the office")
    assert (found.citation.version, found.citation.title) == (2, "Reisen ✈️")
    assert found.citation.source_url == "https://x.y/z"
    third = (await server.admin(change(second, title=""))).document
    assert third.stated.title == "Travel"
    assert (await get(server.alice, NAME, version=1)).document == first


async def test_an_archived_document_is_not_found_until_it_is_back(server: Server) -> None:
    document = (await publish(server.admin, NAME, TRAVEL)).document
    archive = service.ArchiveDocumentRequest(document_id=document.document_id)
    answer = await server.admin(archive)
    assert answer.document.archived
    assert await passages(server.admin, "booked by the office") == []
    assert await names(server.admin) == []
    only = pb.DocumentFilter(archived=memory_pb2.ARCHIVED_FILTER_ONLY)
    assert await names(server.admin, filter=only) == [NAME]
    assert (await get(server.alice, NAME)).text == TRAVEL
    changed = await publish(server.admin, NAME, CHANGED)
    assert changed.document.archived
    assert await passages(server.admin, "booked by a machine") == []
    archive.restore = True
    assert not (await server.admin(archive)).document.archived
    assert len(await passages(server.admin, "booked by a machine")) == changed.document.passages


async def test_a_deleted_document_is_gone_and_its_name_is_free(server: Server) -> None:
    other = await publish(server.admin, "other.md", "# Tea\n\nTea is served at four. ☕")
    await publish(server.admin, NAME, TRAVEL)
    document = (await publish(server.admin, NAME, CHANGED)).document
    request = service.DeleteDocumentRequest(document_id=document.document_id, request_id="once")
    answer = await server.admin(request)
    assert (answer.versions, answer.passages) == (2, document.passages)
    request.request_id = "once"
    assert await server.admin(request) == answer
    told = await refused(get(server.alice, NAME))
    assert (told.reason, told.metadata) == ("DOCUMENT_NOT_FOUND", {"name": NAME})
    found = await passages(server.admin, "booked by a machine")
    assert {each.origin_id for each in found} <= {other.document.document_id}
    assert await names(server.admin) == ["other.md"]
    again = await publish(server.admin, NAME, TRAVEL)
    assert (again.document.version, again.unchanged) == (1, False)
    assert again.document.document_id != document.document_id


async def test_documents_are_listed_by_name_and_filter(server: Server) -> None:
    stated: dict[str, dict[str, Any]] = {
        "b/茶.md": {"categories": ["tea"], "tags": ["x"]},
        "a/1.md": {"categories": ["policy"]},
        "a/2.md": {"categories": ["policy", "tea"]},
        "é.md": {"tags": ["x", "y"]},
    }
    for name, fields in stated.items():
        await publish(server.admin, name, f"About {name}", **fields)
    every = ["a/1.md", "a/2.md", "b/茶.md", "é.md"]
    assert await names(server.alice, page_size=1) == every
    assert await names(server.alice, page_size=3) == every
    for filter, expected in (
        (pb.DocumentFilter(name_prefix="a/"), every[:2]),
        (pb.DocumentFilter(name_prefix="b/茶"), every[2:3]),
        (pb.DocumentFilter(name_prefix="\U0010ffff"), []),
        (pb.DocumentFilter(categories_any=["tea"]), every[1:3]),
        (pb.DocumentFilter(tags_any=["y", "z"]), every[3:]),
        (pb.DocumentFilter(tags_any=["x"], categories_any=["tea"]), every[2:3]),
    ):
        assert await names(server.alice, filter=filter) == expected, filter
    page = await server.alice(service.ListDocumentsRequest(page_size=1))
    foreign = service.ListDocumentsRequest(page_token=page.next_page_token, channel=CHANNEL_TEAM)
    assert (await refused(server.alice(foreign))).reason == "INVALID_PAGE_TOKEN"


@pytest.mark.parametrize(
    ("field", "stated"),
    [
        ("name", {"name": ""}),
        ("name", {"name": "a//b"}),
        ("name", {"name": "../a"}),
        ("name", {"name": "/a"}),
        ("name", {"name": "a/./b"}),
        ("name", {"name": "a\nb"}),
        ("name", {"name": "cafe\u0301.md"}),
        ("name", {"name": "茶" * 171}),
        ("title", {"title": "x" * 257}),
        ("categories[0]", {"categories": ["Not Short"]}),
        ("tags[0]", {"tags": [""]}),
        ("sensitivity", {"sensitivity": memory_pb2.SENSITIVITY_RESTRICTED}),
        ("effective_until", {"effective_from": {"seconds": 9}, "effective_until": {"seconds": 9}}),
    ],
)
async def test_a_header_has_limits(server: Server, field: str, stated: dict[str, Any]) -> None:
    told = await refused(publish(server.admin, **{"name": NAME, "text": TRAVEL, **stated}))
    assert told.fields == (f"header.document.{field}",)


async def test_an_update_has_limits(server: Server) -> None:
    document = (await publish(server.admin, NAME, TRAVEL)).document
    wrong = change(document, title="x", name="another.md")
    assert (await refused(server.admin(wrong))).fields == ("update_mask",)
    wrong = change(document, sensitivity=memory_pb2.SENSITIVITY_RESTRICTED)
    assert (await refused(server.admin(wrong))).fields == ("document.sensitivity",)
    missing = service.ArchiveDocumentRequest(document_id=UNKNOWN_ID)
    assert (await refused(server.admin(missing))).reason == "DOCUMENT_NOT_FOUND"
    nothing = service.GetDocumentRequest()
    assert (await refused(server.admin(nothing))).code == grpc.StatusCode.INVALID_ARGUMENT
