"""A whole prompt as the query: the question before, behind or amid what was pasted finds its answer, in recalls and
bundles."""

from typing import Any

import pytest
from camillo.v1 import memory_service_pb2 as service

from tests.rpc.memories.calls import recall, remember
from tests.rpc.records import bundle
from tests.rpc.search.scope_rows import FRESH
from tests.server_fixtures import Server
from tests.shared_servers import ShareServer

BY_WORDS = {"embedding_model": "lexical", "embedding_dimensions": 384}
PASTED = {
    "text": "Lorem ipsum dolor sit amet consectetur. " * 25,
    "trace": "Traceback (most recent call last):\n" + '  File "/app/x.py", line 3, in main\n    run(config)\n' * 20,
    "log": "".join(f"2026-11-20 10:00:{n:02d} INFO worker {n} started on port 80{n}\n" for n in range(30)),
    "json": "{\n" + "".join(f'  "name{n}": "value {n}", "list": [1, {n}],\n' for n in range(30)) + "}\n",
    "difference": "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n-    return foo(bar)\n" * 12,
    "code": "```py\ndef f(x):\n    for y in x:\n        yield y + 1\n```\n" * 20,
    "story": "The meeting began at nine. Then the slides were shown, and coffee was served. " * 12,
}
ANSWERS = {
    "Where is the vault combination stored?": "The vault combination is stored with the notary",
    "保险库的密码放在哪里？": "保险库的密码由公证人保管",
    "أين رمز الخزنة؟": "رمز الخزنة عند كاتب العدل",
    "Πού είναι ο κωδικός του χρηματοκιβωτίου;": "Ο κωδικός του χρηματοκιβωτίου είναι στον συμβολαιογράφο",
    "Где хранится код сейфа?": "Код сейфа хранится у нотариуса",
    "remind me of the birthday of Ana": "The birthday of Ana is in June 🎂",
}
OTHERS = ("Ben prefers tea", "The server restarts at night", "The office is on the third floor")


@pytest.fixture(params=[{}, {"cache_bytes": 0}], ids=["memory", "postgres"])
async def here(share_server: ShareServer, request: pytest.FixtureRequest) -> Server:
    server = await share_server(memory=BY_WORDS, retrieval=request.param)
    for content in (*ANSWERS.values(), *OTHERS):
        await remember(server.alice, content)
    return server


async def ask(server: Server, text: str, **fields: Any) -> service.RecallResponse:
    return await recall(server.alice, text, **FRESH, **fields)


@pytest.mark.parametrize("pasted", PASTED)
async def test_the_question_finds_its_answer(here: Server, pasted: str) -> None:
    text = PASTED[pasted]
    for question, answer in ANSWERS.items():
        alone = (await ask(here, question)).hits[0]
        for prompt in (f"{text}\n{question}", f"{question}\n\n{text}", f"{text}\n\n{question}\n\n{text}"):
            best = (await ask(here, prompt)).hits[0]
            assert best.memory.content == answer, prompt[:80]
            assert best.score >= 0.9 * alone.score > 0.1, prompt[:80]
            assert answer in (await bundle(here.alice, prompt)).prompt


async def test_the_part_is_told(here: Server) -> None:
    question = "Where is the vault combination stored?"
    best = (await ask(here, f"{PASTED['text']}\n{question}")).hits[0]
    assert best.breakdown.reading == question
    assert not (await ask(here, question)).hits[0].breakdown.reading


@pytest.mark.parametrize("pasted", PASTED)
async def test_a_question_without_an_answer_has_none_behind_a_long_text(here: Server, pasted: str) -> None:
    assert (await ask(here, f"{PASTED[pasted]}\nWho composed the opera about Mongolia?")).no_match
    assert not (await ask(here, f"{PASTED[pasted]}\nWhen is the birthday of Ana?")).no_match


@pytest.mark.parametrize(
    "query",
    [
        "Where is the vault combination stored, and when is the birthday of Ana?",
        "When is the birthday of Ana? Where is the vault combination?",
    ],
)
async def test_each_of_two_questions_is_answered(here: Server, query: str) -> None:
    best = (await ask(here, query)).hits[:2]
    assert {hit.memory.content for hit in best} == {
        ANSWERS["Where is the vault combination stored?"],
        ANSWERS["remind me of the birthday of Ana"],
    }
    assert all(hit.score >= 0.3 for hit in best)


async def test_the_parts_are_of_both_scopes(here: Server) -> None:
    await remember(here.admin, "The spare key of the vault hangs in the hall", agent_id="@shared")
    prompt = f"{PASTED['text']}\nWhere does the spare key hang? Where is the vault combination stored?"
    answer = await ask(here, prompt, include_shared=True)
    found = {hit.memory.content: hit.memory.agent_id for hit in answer.hits[:2]}
    assert found == {
        "The spare key of the vault hangs in the hall": "",
        "The vault combination is stored with the notary": "alice",
    }


async def test_a_time_in_what_was_pasted_is_not_asked_about(here: Server) -> None:
    answer = await ask(here, f"{PASTED['log']}\nWhere is the vault combination stored?")
    assert not answer.HasField("time_window")
    asked = await ask(here, f"{PASTED['log']}\nWhat was stored in the vault in May 2026?")
    assert asked.time_window.text == "May 2026"
