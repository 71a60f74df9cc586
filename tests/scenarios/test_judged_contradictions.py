"""A memory that another one contradicts in other words: a model sees it, an agent accepts, and recall finds what is
true."""

import pytest
from camillo.v1.supersession_pb2 import UNJUDGED_REASON_NO_MODEL, VERDICT_SUPERSEDES

from tests.chat_server import chat_server
from tests.judging_model import judges, texts
from tests.server_fixtures import Server, StartServer

# One worker imports the library, which takes three seconds.
pytestmark = pytest.mark.xdist_group("litellm")

OLD, NEW = "Léa boit du thé vert chaque matin 🍵", "Léa a renoncé au thé vert pour le café 🍵"
WORDS = {"embedding_model": "lexical", "embedding_dimensions": None}


async def test_what_a_model_proposes_an_agent_accepts_and_recall_follows(start_server: StartServer) -> None:
    with chat_server() as provider:
        provider.always = judges()
        settings = {
            "litellm_model": "openai/test",
            "litellm_api_base": provider.url,
            "litellm_api_key": "sk-test",
            "min_similarity": 0.2,
        }
        memory = {**WORDS, "embedding_budget_usd": 1}
        server = await start_server(memory=memory, contradictions=settings)
        async with server.client(server.keys.alice) as alice:
            await alice.remember(OLD)
            server.clock.move(60)
            await alice.remember(NEW)
            assert [each async for each in alice.contradictions()] == []
            [found] = [each async for each in alice.contradictions(judge=True, timeout=60)]
            assert texts(provider) == [(OLD, NEW)]
            assert found.judgement.verdict == VERDICT_SUPERSEDES
            assert found.judgement.current_id == found.newer.memory_id
            assert {hit.text for hit in (await alice.recall("le thé de Léa")).hits} == {OLD, NEW}
            older = found.older
            await alice.supersede(older.memory_id, older.version, found.judgement.current_id)
            assert {hit.text for hit in (await alice.recall("le thé de Léa")).hits} == {NEW}
            assert [each async for each in alice.contradictions(judge=True)] == []


async def test_a_client_is_told_that_there_is_no_model(start_server: StartServer) -> None:
    server: Server = await start_server(memory=WORDS)
    async with server.client(server.keys.alice) as alice:
        [page] = [each async for each in alice.contradiction_pages(judge=True)]
        assert list(page.degraded) == [UNJUDGED_REASON_NO_MODEL]
        [page] = [each async for each in alice.contradiction_pages()]
        assert not page.degraded
