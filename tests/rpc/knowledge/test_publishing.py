"""Publishing: a version with few passages is stored at once, one with many step by step, and nobody sees a
difference."""

import asyncio

import grpc
import psycopg
import pytest
from camillo.v1 import knowledge_service_pb2 as service
from camillo.v1 import lifecycle_service_pb2 as lifecycle
from camillo_server.rows.store.inserts import CHUNKS_IN_A_STATEMENT

from tests.rpc.forgetting.test_forgetting_holes import invariants_hold
from tests.rpc.knowledge.calls import get, passages, publish
from tests.rpc.knowledge.test_passages import LEXICAL, TEXT, vectors
from tests.server_fixtures import Server, StartServer, refused
from tests.storage.locking import scope_held, until_waiting
from tests.storage.memories.test_groups_of_writes import until_received

PUBLISHERS = 6
VAULT = "The vault is behind the mirror."
SECTIONS = {"few": 3, "many": CHUNKS_IN_A_STATEMENT + 8}


def text_of(sections: int, said: str) -> str:
    """A text of so many passages, and a last one that says this."""
    parts = [f"## Part {number}\n\n" + f"第{number}节 رحلة ✈️ fares. " * 60 for number in range(sections)]
    return "# Travel\n\n" + "\n\n".join(parts) + f"\n\n## Last\n\n{said}\n"


@pytest.mark.own_server
@pytest.mark.parametrize("size", SECTIONS)
async def test_publishers_of_one_name_get_versions_one_behind_the_other(server: Server, size: str) -> None:
    texts = [text_of(SECTIONS[size], f"Said by publisher{n} 茶") for n in range(PUBLISHERS)]
    answers = await asyncio.gather(*(publish(server.admin, "t.md", text) for text in texts))
    assert {answer.document.passages > CHUNKS_IN_A_STATEMENT for answer in answers} == {size == "many"}
    versions = {answer.document.version: text for answer, text in zip(answers, texts, strict=True)}
    assert sorted(versions) == [*range(1, PUBLISHERS + 1)]
    for version, text in versions.items():
        assert (await get(server.alice, "t.md", version=version)).text == text
    newest = versions[PUBLISHERS]
    for number, text in enumerate(texts):
        found = await passages(server.admin, f"publisher{number}", limit=50)
        says = [each for each in found if f"publisher{number} " in each.text]
        assert len(says) == (text == newest)
        assert {each.citation.version for each in found} <= {PUBLISHERS}
    assert invariants_hold(server.database)


@pytest.mark.own_server
async def test_documents_published_at_once_share_commits_and_fail_alone(server: Server) -> None:
    await publish(server.admin, "t-3.md", "# Was there\n\nBefore the others.")
    with scope_held(server.database, "acme", ""):
        tasks = [asyncio.create_task(publish(server.admin, "t-0.md", text_of(2, "Said0.")))]
        await until_waiting(server.database, 1)
        for n in range(1, 2 * PUBLISHERS):
            header = {"expected_version": 7} if n == 3 else None
            tasks.append(asyncio.create_task(publish(server.admin, f"t-{n}.md", text_of(2, f"Said{n}."), header)))
        await until_received(server.alice, 3 * len(tasks))
    answers = await asyncio.gather(*tasks, return_exceptions=True)
    assert isinstance(answers.pop(3), grpc.aio.AioRpcError)
    stored = [answer for answer in answers if not isinstance(answer, BaseException)]
    assert len(stored) == 2 * PUBLISHERS - 1
    assert {each.document.version for each in stored} == {1}
    with psycopg.connect(server.database.superuser_url) as connection:
        versions = connection.execute(
            "select revision, count(*), min(xmin::text), max(xmin::text) from camillo.document_versions group by 1"
        ).fetchall()
    # Each has a revision of its own, and some of them one transaction.
    assert len(versions) == len(stored) + 1
    assert {count for _, count, _, _ in versions} == {1}
    assert len({transaction for _, _, transaction, _ in versions}) < len(versions)
    for number in (0, 5, 2 * PUBLISHERS - 1):
        (found,) = (each for each in await passages(server.admin, f"said{number}") if f"Said{number}." in each.text)
        assert found.citation.name == f"t-{number}.md"
    assert invariants_hold(server.database)


async def test_a_request_that_comes_twice_at_once_is_carried_out_once(server: Server) -> None:
    text = text_of(2, "Not twice.")
    answers = await asyncio.gather(
        *(publish(server.admin, "t.md", text, {"request_id": "one"}) for _ in range(PUBLISHERS))
    )
    assert {answer.document.version for answer in answers} == {1}
    assert all(answer.shared_revision == answers[0].shared_revision for answer in answers)
    found = await passages(server.admin, "twice", limit=50)
    assert len([each for each in found if "twice" in each.text]) == 1


async def test_few_passages_are_stored_with_their_vectors(start_server: StartServer) -> None:
    server = await start_server(**LEXICAL)
    first = await publish(server.admin, "guide.md", TEXT)
    # The job that gives others their vectors would have taken a revision.
    stored = vectors(server)
    assert len(stored) == first.document.passages
    second = await publish(server.admin, "other.md", TEXT)
    assert len(vectors(server)) == 2 * first.document.passages
    with psycopg.connect(server.database.superuser_url) as connection:
        rows = connection.execute(
            "select distinct revision from camillo.memories where kind = 33 order by 1"
        ).fetchall()
    assert len(rows) == 2
    assert second.document.version == 1


@pytest.mark.own_server
@pytest.mark.parametrize("size", SECTIONS)
async def test_a_forgotten_value_is_refused_in_every_later_version(server: Server, size: str) -> None:
    text = text_of(SECTIONS[size], "Nothing that anybody forgot.")
    first = await publish(server.admin, "t.md", text)
    await server.admin(lifecycle.ForgetRequest(agent_id="@shared", value=VAULT))
    for number in range(2):
        told = await refused(publish(server.admin, "t.md", f"{text}\n{VAULT}\n"))
        assert (told.reason, told.metadata["field"]) == ("VALUE_REJECTED", "text"), number
    again = await publish(server.admin, "t.md", f"{text}\nThe vault is closed.\n")
    assert again.document.version == first.document.version + 1
    await server.admin(service.ArchiveDocumentRequest(document_id=first.document.document_id))
    last = await publish(server.admin, "t.md", text)
    assert last.document.archived
    assert not await passages(server.admin, "vault closed fares")
    assert invariants_hold(server.database)
