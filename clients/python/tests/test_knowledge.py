"""Documents are published in parts and seen by recalls that follow; skills are loaded by name."""

from __future__ import annotations

from pathlib import Path

import pytest
from clients.python.tests.fake_server import FakeServer, Pauses
from clients.python.tests.fake_service import status
from grpc import StatusCode

from camillo_client import AsyncCamillo
from camillo_client.errors import DocumentNotFound, DocumentUnreadable, SkillNotFound, Unavailable

NAME = "handbook/出差.md"
UNAVAILABLE = status(StatusCode.UNAVAILABLE)


async def test_a_document_is_published_in_parts_and_read(
    client: AsyncCamillo, server: FakeServer, tmp_path: Path
) -> None:
    text = "# 出差\n\nשלום 🍵 e\u0301\n" * 20_000
    path = tmp_path / "travel.md"
    path.write_text(text, "utf-8")
    answer = await client.documents.publish(NAME, path, title="出差", expected_version=0)
    assert (answer.document.version, answer.document.stated.title) == (1, "出差")
    assert len(server.knowledge.sizes) > 1
    assert max(server.knowledge.sizes) == 256 * 1024
    assert (await client.documents.get(NAME)).text == text
    (header,) = server.desk.of("PublishDocument")
    assert (header.document.name, header.expected_version) == (NAME, 0)


async def test_a_publication_is_sent_again_under_the_same_request_id(
    client: AsyncCamillo, server: FakeServer, pauses: Pauses
) -> None:
    server.desk.refuse("PublishDocument", UNAVAILABLE, UNAVAILABLE)
    await client.documents.publish(NAME, "tea")
    sent = [header.request_id for header in server.desk.of("PublishDocument")]
    assert (len(sent), len(set(sent)), len(pauses)) == (3, 1, 2)
    server.desk.refuse("PublishDocument", *[UNAVAILABLE] * 9)
    with pytest.raises(Unavailable) as failed:
        await client.documents.publish(NAME, "tea", request_id="mine")
    assert failed.value.request_id == "mine"


async def test_what_is_refused_is_typed_and_names_its_request_id(client: AsyncCamillo, server: FakeServer) -> None:
    unreadable = status(StatusCode.FAILED_PRECONDITION, "DOCUMENT_UNREADABLE", metadata={"why": "damaged"})
    server.desk.refuse("PublishDocument", unreadable)
    with pytest.raises(DocumentUnreadable) as refused:
        await client.documents.publish("a.pdf", b"%PDF")
    assert refused.value.request_id == server.desk.of("PublishDocument")[0].request_id
    with pytest.raises(DocumentNotFound):
        await client.documents.get(NAME)
    with pytest.raises(SkillNotFound):
        await client.skills.get("tea")


async def test_recalls_that_search_the_shared_scope_demand_what_was_written_there(
    client: AsyncCamillo, server: FakeServer
) -> None:
    await client.documents.publish(NAME, "tea")
    await client.recall("tea")
    await client.recall("tea", sources=["document"])
    await client.audit.record("tea.made", "茶")
    await client.search_my_memories("tea")
    tokens = [r.shared_freshness.at_least_as_fresh.token for r in server.desk.of("Recall")]
    assert tokens == ["", "db1/@shared/1", "db1/@shared/2"]
    assert not any(request.HasField("freshness") for request in server.desk.of("Recall"))
