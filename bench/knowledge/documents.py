"""How fast documents are published and found unchanged, and whether citations open at what they cite."""

import asyncio
import hashlib
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from camillo.v1 import knowledge_pb2 as pb
from camillo.v1 import knowledge_service_pb2 as service
from camillo.v1 import memory_pb2
from camillo.v1.memory_service_pb2 import RecallRequest

from bench.material.texts import Texts
from bench.measure.client import CALL_SECONDS, Client, connected
from bench.measure.servers import AppServer
from bench.measure.timing import Figure, Figures

STREAMS = 8
ROUNDS = 5
DOCUMENT_BYTES = 8_192
SECTIONS = 8
PART = 262_144
HITS = 10
# In scripts whose characters take one to four bytes, so that a citation counted in characters would open elsewhere.
OTHER_SCRIPTS = (
    "部署在星期二进行。",
    "يتم النشر يوم الثلاثاء.",
    "Развёртывание 🚀 во вторник.",
    "मंगलवार",
)


@dataclass(frozen=True, slots=True)
class Published:
    """A document as it is published."""

    name: str
    content: bytes

    def messages(self) -> Iterator[service.PublishDocumentRequest]:
        header = service.PublishDocumentHeader(document=pb.NewDocument(name=self.name))
        yield service.PublishDocumentRequest(header=header)
        for start in range(0, len(self.content), PART):
            yield service.PublishDocumentRequest(data=self.content[start : start + PART])
        finish = service.PublishDocumentFinish(sha256=hashlib.sha256(self.content).digest())
        yield service.PublishDocumentRequest(finish=finish)


def documents(count: int, seed: int = 1) -> Sequence[Published]:
    """Markdown of about 8 KB, in sections below two levels of headings."""
    texts = Texts(seed)
    return [Published(f"handbook/chapter-{number:04}.md", _markdown(number, texts).encode()) for number in range(count)]


def _markdown(number: int, texts: Texts) -> str:
    parts = [f"# Chapter {number}\n"]
    for section in range(SECTIONS):
        level = "##" if section % 2 == 0 else "###"
        parts.append(f"\n{level} Topic {number}-{section}\n")
        size = 0
        while size < DOCUMENT_BYTES // SECTIONS - 100:
            paragraph = " ".join(texts.sentences(3))
            other = OTHER_SCRIPTS[(number + section) % len(OTHER_SCRIPTS)]
            parts.append(f"\n{paragraph} {other}\n")
            size += len(paragraph) + len(other)
    return "".join(parts)


async def measure_documents(app: AppServer, count: int, questions: int) -> Figures:
    """Documents published by eight streams at once, compared with the same folder again, and cited."""
    published = documents(count)
    size = count // ROUNDS
    async with connected(app.port, app.secret) as client:
        seconds = [await _publish(client, published[begin : begin + size]) for begin in range(0, size * ROUNDS, size)]
        stored = published[: size * ROUNDS]
        resync_seconds = [await _find_unchanged(client, stored) for _ in range(ROUNDS)]
        exact = await _exact_citations(client, stored, questions)
    return {
        "publish_per_s": Figure(tuple(size / each for each in seconds)),
        "resync_per_s": Figure(tuple(len(stored) / each for each in resync_seconds)),
        "citations_exact": Figure((exact,)),
    }


async def _publish(client: Client, published: Sequence[Published]) -> float:
    waiting = iter(published)

    async def publish() -> None:
        for each in waiting:
            answer = await client.send(each.messages(), service.PublishDocumentRequest, CALL_SECONDS)
            assert not answer.unchanged, each.name

    began = time.perf_counter()
    await asyncio.gather(*(publish() for _ in range(STREAMS)))
    return time.perf_counter() - began


async def _find_unchanged(client: Client, published: Sequence[Published]) -> float:
    """Measures how a folder is published again: each file's hash is compared with that of the document of its name."""
    began = time.perf_counter()
    known = {
        document.stated.name: document.sha256
        async for page in client.pages(service.ListDocumentsRequest(page_size=1_000))
        for document in page.documents
    }
    changed = [each.name for each in published if known.get(each.name) != hashlib.sha256(each.content).digest()]
    seconds = time.perf_counter() - began
    assert not changed, changed[:3]
    return seconds


async def _exact_citations(client: Client, published: Sequence[Published], questions: int) -> float:
    """The percentage of the passages found by these questions whose citation opens at bytes that the passage ends
    with."""
    checked = exact = 0
    for number in range(questions):
        document = published[number * len(published) // questions]
        answer = await client(
            RecallRequest(
                agent_id="@shared",
                text=f"Topic {document.name[-7:-3]}-{number % SECTIONS} {document.content.decode()[200:300]}",
                sources=[memory_pb2.SOURCE_DOCUMENT],
                limit=HITS,
            )
        )
        assert answer.hits, document.name
        for hit in answer.hits:
            cited = hit.chunk.citation
            opened = await client(
                service.GetDocumentRequest(
                    document_id=cited.document_id,
                    version=cited.version,
                    byte_from=cited.byte_from,
                    byte_until=cited.byte_until,
                )
            )
            checked += 1
            exact += bool(opened.text) and hit.chunk.text.endswith(opened.text)
    return 100 * exact / checked
