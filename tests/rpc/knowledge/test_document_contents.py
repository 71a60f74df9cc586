"""Contents that a document may not have: secrets, forgotten values, and what is no document at all."""

import asyncio
import random
from collections.abc import AsyncIterator, Iterable
from contextlib import suppress
from typing import Any

import grpc
import pytest
from camillo.v1 import knowledge_pb2 as pb
from camillo.v1 import knowledge_service_pb2 as service
from camillo.v1 import lifecycle_service_pb2 as lifecycle
from camillo.v1.forgetting_pb2 import RecordIds

from tests.rpc.knowledge.calls import Header, Request, get, names, parts, passages, publish
from tests.rpc.test_secrets import stored_texts
from tests.secret_samples import samples
from tests.server_fixtures import Server, StartServer, refused

NAME = "handbook/plan.md"
SENTENCE = "The treasure of Hiddensee lies below the third pine 🌲."
TEXT = f"# Plan\n\nEvery summer we sail. {SENTENCE} 夏天我们航海。\n\n## Crew\n\nFour people.\n"
SECRET = samples(12)["github-pat"]
FINISH = Request(finish=service.PublishDocumentFinish())


@pytest.mark.own_server
async def test_secrets_are_taken_out_wherever_they_stand(server: Server) -> None:
    text = f"{'Padding. ' * 700}\n\nThe token 🔑 is {SECRET}, says Ada.\n"
    messages = parts(
        NAME,
        text,
        title=f"About {SECRET}",
        tags=[f"t-{SECRET}"],
        source_url=f"https://x.y/?token={SECRET}",
        provenance={"token": SECRET},
    )
    # The secret is in two messages.
    content = text.encode()
    middle = content.index(SECRET.encode()) + 9
    messages[1:-1] = [Request(data=content[:middle]), Request(data=content[middle:])]
    stored = await server.admin.send(messages, "PublishDocument")
    assert {each.field for each in stored.redactions} >= {"text", "title", "tags[0]", "source_url", "provenance.token"}
    found = await get(server.alice, NAME)
    assert "The token 🔑 is [redacted: github-pat], says Ada." in found.text
    (in_text,) = [each for each in stored.redactions if each.field == "text"]
    assert found.text[in_text.offset :].startswith("[redacted: github-pat]")
    assert found.document.text_bytes == len(found.text.encode())
    texts = stored_texts(server.database)
    assert "says Ada" in texts
    assert SECRET not in texts
    told = await refused(publish(server.admin, SECRET, "x"))
    assert told.fields == ("header.document.name",)
    assert SECRET not in told.message


@pytest.mark.own_server
async def test_what_is_forgotten_by_id_is_not_published_again(server: Server) -> None:
    document = (await publish(server.admin, NAME, TEXT)).document
    await publish(server.admin, NAME, f"{TEXT}More.\n")
    await publish(server.admin, "other.md", "# Other\n\nNothing of it.\n")
    request = lifecycle.ForgetRequest(agent_id="@shared", records=RecordIds(document_ids=[document.document_id]))
    receipt = (await server.admin(request)).receipt
    stores = {each.store: each.rows for each in receipt.stores}
    assert (stores["documents"], stores["document_versions"]) == (1, 2)
    assert stores["chunks"] >= 1
    assert await names(server.admin) == ["other.md"]
    assert {each.citation.name for each in await passages(server.admin, SENTENCE)} <= {"other.md"}
    told = await refused(publish(server.admin, "again.md", TEXT))
    assert (told.reason, told.metadata) == ("VALUE_REJECTED", {"field": "text"})
    assert "Hiddensee" not in stored_texts(server.database)


@pytest.mark.parametrize("level", ["INTERNAL", "CONFIDENTIAL"])
async def test_what_is_forgotten_by_value_takes_the_documents_that_say_it(server: Server, level: str) -> None:
    sensitivity = f"SENSITIVITY_{level}"
    await publish(server.admin, NAME, TEXT, sensitivity=sensitivity)
    await publish(server.admin, "other.md", "# Other\n\nNothing of it.\n", sensitivity=sensitivity)
    request = lifecycle.ForgetRequest(agent_id="@shared", value=SENTENCE)
    receipt = (await server.admin(request)).receipt
    assert {each.store: each.rows for each in receipt.stores}["documents"] == 1
    assert await names(server.admin) == ["other.md"]
    told = await refused(publish(server.admin, NAME, TEXT, sensitivity=sensitivity))
    assert told.reason == "VALUE_REJECTED"


async def test_the_rest_is_published_without_forgotten_sentences(server: Server) -> None:
    await server.admin(lifecycle.ForgetRequest(agent_id="@shared", value=SENTENCE))
    assert (await refused(publish(server.admin, NAME, TEXT))).reason == "VALUE_REJECTED"
    text = f"{TEXT}\nThe token is {SECRET}.\n"
    stored = await publish(server.admin, NAME, text, {"omit_forgotten": True})
    found = await get(server.alice, NAME)
    assert "Hiddensee" not in found.text
    assert "夏天我们航海" in found.text
    (omitted,) = stored.omitted
    assert omitted.field == "text"
    assert found.text[omitted.offset :].startswith("夏天我们航海")
    (redaction,) = stored.redactions
    assert found.text[redaction.offset :].startswith("[redacted: github-pat]")
    for each in await passages(server.admin, "sail"):
        opened = await get(server.alice, NAME, byte_from=each.citation.byte_from, byte_until=each.citation.byte_until)
        assert each.text.endswith(opened.text)


def header(**fields: Any) -> Request:
    return Request(header=Header(document=pb.NewDocument(name=NAME), **fields))


@pytest.mark.parametrize(
    ("messages", "field"),
    [
        ([], "header"),
        ([FINISH], "header"),
        ([Request(data=b"x"), FINISH], "header"),
        ([header(), header(), FINISH], "header"),
        ([header(), Request(data=b"x"), header(), FINISH], "header"),
        ([header(), Request(data=b"x"), FINISH, Request(data=b"y")], "data"),
        ([header(), Request(data=b"x"), FINISH, FINISH], "finish"),
        ([header(), Request(data=b""), FINISH], "data"),
        ([header(), Request(), FINISH], "part"),
        ([header(), FINISH], "data"),
        ([header(), Request(data=b"x")], "finish"),
        ([Request(header=Header()), FINISH], "header.document.name"),
    ],
)
async def test_a_stream_in_another_order_is_refused(server: Server, messages: Iterable[Request], field: str) -> None:
    told = await refused(server.admin.send(messages, "PublishDocument"))
    assert told.fields == (field,)
    assert await names(server.admin) == []


async def test_bytes_are_those_that_were_announced(server: Server) -> None:
    messages = parts(NAME, TEXT)
    messages[-1] = Request(finish=service.PublishDocumentFinish(sha256=b"x" * 32))
    assert (await refused(server.admin.send(messages, "PublishDocument"))).reason == ("CONTENT_MISMATCH")
    messages[-1] = Request(finish=service.PublishDocumentFinish(sha256=b"x" * 31))
    told = await refused(server.admin.send(messages, "PublishDocument"))
    assert told.fields == ("finish.sha256",)
    messages[-1] = FINISH
    assert (await server.admin.send(messages, "PublishDocument")).document.version == 1


async def test_a_document_has_a_greatest_size(start_server: StartServer) -> None:
    limits = {"max_upload_bytes": 20_000, "max_text_bytes": 10_000}
    server = await start_server(knowledge=limits)
    told = await refused(publish(server.admin, NAME, "x " * 10_001))
    assert told.fields == ("data",)
    told = await refused(publish(server.admin, NAME, "x " * 5_001))
    assert (told.code, told.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "DOCUMENT_UNREADABLE")
    assert (await publish(server.admin, NAME, "x " * 4_999)).document.version == 1


async def test_an_idle_stream_ends(start_server: StartServer) -> None:
    server = await start_server(server={"stream_idle_seconds": 0.05})
    told = await refused(server.admin.send(_silent_after_header(), "PublishDocument"))
    assert told.reason == "STREAM_IDLE"
    assert await names(server.admin) == []


async def _silent_after_header() -> AsyncIterator[Request]:
    yield header()
    await asyncio.Event().wait()


async def test_random_bytes_are_read_or_refused(server: Server) -> None:
    dice = random.Random(7)  # noqa: S311
    for number in range(40):
        content = dice.randbytes(dice.randrange(1, 3_000))
        if number % 2:
            content = content.decode("utf-8", "ignore").encode() or b"x"
        name = f"{number}.{dice.choice(['md', 'txt', 'py', 'bin', 'html'])}"
        with suppress(grpc.aio.AioRpcError):
            document = (await publish(server.admin, name, content)).document
            assert (await get(server.admin, name)).document == document
            continue
        told = await refused(publish(server.admin, name, content))
        assert told.reason == "DOCUMENT_UNREADABLE", (name, told)
    assert await names(server.admin)
