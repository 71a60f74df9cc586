"""Calls of tests about documents."""

from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from camillo.v1 import knowledge_pb2 as pb
from camillo.v1 import knowledge_service_pb2 as service
from camillo.v1 import memory_pb2

from tests.rpc.memories.calls import recall
from tests.server_fixtures import Caller

Request = service.PublishDocumentRequest
Header = service.PublishDocumentHeader
PARTS = 7_000


def parts(name: str, text: str | bytes, header: dict[str, Any] | None = None, **fields: Any) -> list[Request]:
    """The messages that publish a document."""
    content = text.encode() if isinstance(text, str) else text
    stated = pb.NewDocument(name=name, **fields)
    data = [content[at : at + PARTS] for at in range(0, len(content), PARTS)]
    return [
        Request(header=Header(document=stated, **(header or {}))),
        *(Request(data=each) for each in data),
        Request(finish=service.PublishDocumentFinish(sha256=sha256(content).digest())),
    ]


async def publish(
    caller: Caller, name: str, text: str | bytes, header: dict[str, Any] | None = None, **fields: Any
) -> service.PublishDocumentResponse:
    answer: service.PublishDocumentResponse = await caller.send(parts(name, text, header, **fields), "PublishDocument")
    return answer


async def get(caller: Caller, name: str, **fields: Any) -> service.GetDocumentResponse:
    answer: service.GetDocumentResponse = await caller(service.GetDocumentRequest(name=name, **fields))
    return answer


async def names(caller: Caller, **fields: Any) -> list[str]:
    """The names of all documents that pass a filter."""
    found: list[str] = []
    request = service.ListDocumentsRequest(page_size=fields.pop("page_size", 0), **fields)
    while True:
        page = await caller(request)
        found += [each.stated.name for each in page.documents]
        if not page.next_page_token:
            return found
        request.page_token = page.next_page_token


async def passages(caller: Caller, query: str, **fields: Any) -> Sequence[memory_pb2.Chunk]:
    """The passages that a recall finds in the tenant's documents."""
    asked: dict[str, Any] = {"agent_id": "@shared", "sources": [memory_pb2.SOURCE_DOCUMENT]}
    answer = await recall(caller, query, **{**asked, **fields})
    return [hit.chunk for hit in answer.hits]
