"""Passages of documents: they are found, open where they are cited, and keep their vectors."""

from typing import Any

import psycopg
import pytest
from camillo.v1 import memory_pb2
from camillo.v1.event_service_pb2 import RebuildChunksRequest

from tests.rpc.knowledge.calls import get, passages, publish
from tests.server_fixtures import Server, StartServer, refused
from tests.storage.admin.test_invariants import until_embedded

LEXICAL = {"memory": {"embedding_model": "lexical", "embedding_dimensions": 960}}
PARTS = {
    "中文": "差旅报销必须在三十天内提交。" * 12,
    "العربية": "يجب تقديم طلب السفر قبل أسبوعين من الرحلة. " * 8,
    "Emoji 🧳": "Pack the 👩🏽‍🚀 suit, e\u0301clairs and a 🏳️‍🌈 flag for every trip. " * 8,
    "Code": "```python\n# Travel in code\ndef fly(to: str) -> None:\n    print(f'→ {to}')\n```\n",
}
TEXT = "# Guide\n\n" + "\n\n".join(f"## {name}\n\n{text}" for name, text in PARTS.items())
VECTORS = """
select m.memory_id, v.embedding::text, m.version from camillo.memories m join camillo.memory_vectors v
    using (tenant_id, agent_id, memory_id) where m.kind = 33
"""


def vectors(server: Server) -> dict[Any, tuple[str, int]]:
    with psycopg.connect(server.database.superuser_url) as connection:
        return {row[0]: (row[1], row[2]) for row in connection.execute(VECTORS).fetchall()}


async def every_passage(server: Server) -> list[memory_pb2.Chunk]:
    found = {}
    for query in (*PARTS, *PARTS.values(), "guide"):
        for each in await passages(server.admin, query[:200], limit=50):
            each.vector_model_id = ""
            found[each.chunk_id] = each
    return sorted(found.values(), key=lambda each: each.chunk_id)


@pytest.mark.caches
async def test_a_citation_opens_at_the_very_bytes_of_its_passage(server: Server) -> None:
    stored = await publish(server.admin, "guide.md", TEXT)
    found = await every_passage(server)
    assert len(found) == stored.document.passages
    covered = set[int]()
    for each in found:
        cited = each.citation
        opened = await get(server.alice, "guide.md", byte_from=cited.byte_from, byte_until=cited.byte_until)
        assert (opened.byte_from, opened.byte_until) == (cited.byte_from, cited.byte_until)
        assert each.text.endswith(opened.text)
        assert opened.text == TEXT.encode()[cited.byte_from : cited.byte_until].decode()
        assert cited.heading.startswith("Guide")
        covered.update(range(cited.byte_from, cited.byte_until))
    left = "".join(chr(b) for at, b in enumerate(TEXT.encode()) if at not in covered)
    assert not left.strip()


async def test_a_range_is_moved_to_whole_characters(server: Server) -> None:
    text = "a茶b🧳c"
    await publish(server.admin, "t.txt", text)
    for begin, end, shown in (
        (0, 0, (text, 0, 10)),
        (0, 1, ("a", 0, 1)),
        (0, 2, ("a", 0, 1)),
        (2, 5, ("b", 4, 5)),
        (3, 9, ("b🧳", 4, 9)),
        (6, 8, ("", 9, 9)),
        (9, 99, ("c", 9, 10)),
    ):
        found = await get(server.alice, "t.txt", byte_from=begin, byte_until=end)
        assert (found.text, found.byte_from, found.byte_until) == shown, (begin, end)
    told = await refused(get(server.alice, "t.txt", byte_from=10))
    assert (told.reason, told.metadata) == ("RANGE_PAST_END", {"unit": "bytes", "length": "10"})
    told = await refused(get(server.alice, "t.txt", byte_from=5, byte_until=3))
    assert told.fields == ("byte_until",)


async def test_unchanged_passages_keep_their_vectors(start_server: StartServer) -> None:
    server = await start_server(**LEXICAL)
    first = await publish(server.admin, "guide.md", TEXT)
    await until_embedded(server.database)
    before = vectors(server)
    assert len(before) == first.document.passages
    changed = TEXT.replace("三十天", "六十天")
    second = await publish(server.admin, "guide.md", f"Preface.\n\n{changed}", tags=["new"])
    assert 0 < second.passages_kept < second.document.passages
    await until_embedded(server.database)
    after = vectors(server)
    assert len(after) == second.document.passages
    assert {version for _, version in after.values()} == {2}
    same = before.keys() & after.keys()
    assert len(same) == second.passages_kept
    assert all(before[each][0] == after[each][0] for each in same)
    (found, *_) = await passages(server.admin, "差旅报销必须在六十天内提交")
    assert list(found.tags) == ["new"]
    back = await publish(server.admin, "guide.md", TEXT)
    assert back.passages_kept < back.document.passages
    await until_embedded(server.database)
    assert {each: vector for each, (vector, _) in vectors(server).items()} == {
        each: vector for each, (vector, _) in before.items()
    }


async def test_passages_are_made_again_as_they_were(server: Server) -> None:
    await publish(server.admin, "guide.md", TEXT, tags=["a"])
    before = await every_passage(server)
    assert before
    await server.admin(RebuildChunksRequest(agent_id="@shared"))
    assert await every_passage(server) == before
