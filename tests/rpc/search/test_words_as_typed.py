"""A text with the query's words as typed is found first, with a score that says so: from memory and Postgres alike."""

from typing import Any

import pytest
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo.v1 import recall_pb2

from tests.rpc.memories.calls import recall, remember
from tests.rpc.search.scope_rows import FRESH
from tests.server_fixtures import Server
from tests.shared_servers import ShareServer

BY_WORDS = {"embedding_model": "lexical", "embedding_dimensions": 384}
LEAST_SCORE = 0.3
NOTES = [f"Note {number}: the weekly sync covered topic {number}" for number in range(8)]
# Memories, and the queries that find them.
TYPED = {
    "The office Wi-Fi is called heron": ["wifi", "Wi-Fi", "WIFI", "wi fi", "what is the wifi called?"],
    "The new laptop has a usbc port": ["USB-C", "usb c", "usbc"],
    "Call Kim at +34 600 123 456": ["600123456", "+34600123456", "600 12 34 56", "0034 600123456"],
    "The plumber has the number 0049305550199": ["+49 30 5550199", "030 555 0199", "(030) 5550199"],
    "Nadia's number is (415) 555-0137": ["1-415-555-0137", "+1 415 555 0137", "415.555.0137"],
    "The IBAN of the club is ES91 2100 0418 4502 0005 1332": [
        "ES9121000418450200051332",
        "es91-2100-0418-4502-0005-1332",
    ],
    "The cookbook has ISBN 978-3-16-148410-0": ["9783161484100", "978 3 16 148410 0"],
    "The printer has MAC 00:1B:44:11:3A:B7": ["001b44113ab7", "00-1B-44-11-3A-B7"],
    "The trace is 550e8400-e29b-41d4-a716-446655440000": ["550e8400e29b41d4a716446655440000", "550e8400"],
    "The bug came with commit 9f8e7d6c5b4a39281706": ["9f8e7d6c", "9F8E7D6C5B"],
    "Kubernetes is upgraded on Mondays": [
        *("kuberentes", "kubernets", "kubbernetes", "kubernetws", "who upgrades kuberentes?")
    ],
    "Odysseus mows the lawn": ["odyssues", "odyseus", "Odysseuss"],
    "Ola set up CI/CD": ["cicd", "ci cd", "ci-cd"],
    "Версия Постгрес обновлена": ["постргес", "посгрес"],
    "Liebe Grüße an die Nachbarn": ["Gruesse", "gruße"],
    "Board: https://track.corp.test/browse/SHOP-4821?focused=true": [
        *("focused", "browse", "track.corp.test", "SHOP-4821", "shop 4821", "what is SHOP-4821?")
    ],
    "The service runs on Node.js": ["nodejs", "node js", "NODE.JS"],
    "Send an e-mail to the landlord": ["email", "email landlord"],
    "The flag of the tool is --dry-run": ["dryrun", "dry run", "dry-run"],
    "The setting max_connections is two hundred": ["maxconnections", "max connections"],
    "The gate opens with 73915": ["７３９１５", "73915"],
    "合同编号是ＡＢ７７３４": ["AB7734", "ab7734"],
    "The parser is written in C++": ["c++"],
    "The plugin is written in C#": ["C#"],
    "The printer dont work on Sundays": ["don't work sundays"],
}
VERSIONS = {
    "v2.4.10": "Release v2.4.10 is deployed in production",
    "v2.4.1": "v2.4.1 was rolled back",
    "2.4.10": "Release v2.4.10 is deployed in production",
    "1.2.3": "The library at 1.2.3 works",
    "which one is broken: 1.2.31?": "The library at 1.2.31 is broken",
    "SHOP-482": "SHOP-482 is about payments",
    "what is SHOP-4821 about?": "SHOP-4821 is about shipping",
    "10.0.0.1": "The router is 10.0.0.1",
    "kim@example.org": "Write to kim@example.org",
}


@pytest.fixture(params=[{}, {"cache_bytes": 0}], ids=["memory", "postgres"])
async def here(share_server: ShareServer, request: pytest.FixtureRequest) -> Server:
    return await share_server(memory=BY_WORDS, retrieval=request.param)


async def remember_all(server: Server, contents: Any) -> dict[str, str]:
    return {each: (await remember(server.alice, each)).memory_id for each in contents}


async def ask(server: Server, text: str, **fields: Any) -> service.RecallResponse:
    return await recall(server.alice, text, **FRESH, **fields)


async def test_it_is_found_first_however_it_is_written(here: Server) -> None:
    await remember_all(here, (*TYPED, *NOTES))
    wrong = []
    for content, queries in TYPED.items():
        for query in queries:
            answer = await ask(here, query)
            best = answer.hits[0]
            if best.memory.content != content or best.score < LEAST_SCORE or answer.no_match:
                wrong.append((query, best.memory.content, best.score))
    assert not wrong


@pytest.mark.parametrize("query", ["quantum chromodynamics", "zzzqqq", "+1 555 010 9999", "SHOP-77"])
async def test_what_nothing_has_is_no_match(here: Server, query: str) -> None:
    await remember_all(here, ("Ana prefers tea", "The boiler was serviced in May", *NOTES))
    answer = await ask(here, query)
    assert answer.no_match
    assert not (await ask(here, "boiler")).no_match


async def test_a_precise_recall_has_another_version_or_number_never(here: Server) -> None:
    others = ("Version 2.14.0 is deployed in staging", "The printer is 10.0.0.12", "Ask kim@example.com")
    await remember_all(here, (*VERSIONS.values(), *others))
    for query, content in VERSIONS.items():
        answer = await ask(here, query, mode=recall_pb2.RECALL_MODE_PRECISE)
        assert [hit.memory.content for hit in answer.hits] == [content], query
        best = (await ask(here, query)).hits[0]
        assert (best.memory.content, best.score >= LEAST_SCORE) == (content, True), query


@pytest.mark.parametrize("form", ["{id}", "{id:.13}", "memory:{id}", " {id} ", "plain", "UPPER"])
async def test_an_id_and_its_beginning_find_the_memory(here: Server, form: str) -> None:
    await remember_all(here, NOTES)
    here.clock.move(3600)
    memory_id = (await remember(here.alice, "The safe is behind the mirror")).memory_id
    plain = memory_id.replace("-", "")
    query = {"plain": plain, "UPPER": memory_id.upper()}.get(form) or form.format(id=memory_id)
    best = (await ask(here, query, explain=True)).hits[0]
    assert best.memory.memory_id == memory_id
    assert best.score >= LEAST_SCORE
    assert best.breakdown.typed == 1


async def test_an_id_finds_nothing_that_the_filter_leaves_out(here: Server) -> None:
    memory_id = (await remember(here.alice, "The safe is behind the mirror")).memory_id
    await remember_all(here, NOTES)
    tagged = pb.MemoryFilter(tags_any=["none"])
    assert not (await ask(here, memory_id, filter=tagged)).hits
    assert (await ask(here, memory_id)).hits[0].memory.memory_id == memory_id


async def test_another_spelling_is_told(here: Server) -> None:
    await remember_all(here, ("Kubernetes is upgraded on Mondays", *NOTES))
    best = (await ask(here, "kuberentes", explain=True)).hits[0]
    assert best.breakdown.reading == "kubernetes"
    asis = (await ask(here, "kubernetes", explain=True)).hits[0]
    assert (asis.breakdown.reading, asis.memory) == ("", best.memory)
    assert asis.score > best.score
