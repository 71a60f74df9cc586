"""Documents: published, read, changed, archived and removed."""

from hashlib import sha256

from tests.rpc.knowledge.calls import get, names, passages, publish
from tests.server_fixtures import Server

TRAVEL = "# Travel\n\nFlights are booked by the office.\n\n## 出差\n\n预订酒店需要经理批准 🏨。\n"


async def test_a_document_is_read_as_it_was_published(server: Server) -> None:
    stored = await publish(
        server.admin, "handbook/travel.md", TRAVEL, categories=["policy"], tags=["hr"]
    )
    document = stored.document
    assert (document.version, document.sha256) == (1, sha256(TRAVEL.encode()).digest())
    assert (document.stated.title, document.stated.media_type) == ("Travel", "text/markdown")
    assert document.text_bytes == len(TRAVEL.encode())
    assert not stored.unchanged
    for caller in (server.admin, server.alice, server.reader):
        found = await get(caller, "handbook/travel.md")
        assert found.document == document
        assert (found.text, found.byte_from, found.byte_until) == (TRAVEL, 0, document.text_bytes)
    assert await names(server.alice) == ["handbook/travel.md"]
    (first, *_) = await passages(server.admin, "批准")
    assert first.citation.document_id == document.document_id
    assert list(first.tags) == ["hr"]
