"""Bytes of artifacts as HTTP has them: downloads in ranges, with validators; uploads that are resumed."""

import hashlib
import re
from collections.abc import AsyncIterator, Mapping
from contextlib import aclosing
from typing import Any, NamedTuple
from urllib.parse import quote

from camillo.v1 import artifact_pb2 as pb
from camillo.v1 import artifact_service_pb2 as service
from starlette.routing import BaseRoute, Route

from camillo_server.doors.gateway import http_answers as answers
from camillo_server.doors.gateway.calls import LocalMethods, one_message
from camillo_server.doors.gateway.exchange import Exchange, Receive, Scope, Send
from camillo_server.doors.gateway.http_requests import (
    CONTENT_DIGEST,
    PREFIX_DIGEST,
    fill_from_query,
    sha256_of,
)
from camillo_server.kernel.errors import invalid_field

GET = "/camillo.v1.ArtifactService/GetArtifact"
READ = "/camillo.v1.ArtifactService/ReadArtifact"
PUT = "/camillo.v1.ArtifactService/PutArtifact"
UPLOAD_PATH = "/v1/artifacts/upload"
CONTENT_PATH = "/v1/artifacts/{artifact_id}/content"
# Size of the parts in which the bytes of an upload are sent on; smaller parts are put together.
PART_BYTES = 256 * 1024
UNNAMED = "application/octet-stream"
# Media types that programs send when nobody said what the bytes are.
NO_MEDIA_TYPES = frozenset({"", UNNAMED, "application/x-www-form-urlencoded"})
_OF_HEADER = frozenset({"request_id", "agent_id", "upload_id", "requestId", "agentId", "uploadId"})
_MEDIA_TYPE = re.compile(r"[\w!#$&^.+-]{1,60}/[\w!#$&^.+-]{1,60}(; ?[\w-]+=[\w.+-]+)*", re.ASCII)
_RANGE = re.compile(r"bytes=(\d{0,18})-(\d{0,18})", re.ASCII)
_CONTENT_RANGE = re.compile(r"bytes (\d{1,18})-(\d{1,18})/(\d{1,18}|\*)", re.ASCII)
# The largest number that the contract's fields of sizes hold.
_MAX_SIZE = 2**63 - 1
# A browser that is led there shows nothing of it, and runs nothing.
SHUT = {"content-security-policy": "default-src 'none'; sandbox"}


def artifact_routes(methods: LocalMethods) -> list[BaseRoute]:
    """`PUT /v1/artifacts/upload`, and `GET /v1/artifacts/{artifact_id}/content`."""
    return [
        Route(UPLOAD_PATH, ArtifactUpload(methods)),
        Route(CONTENT_PATH, ArtifactContent(methods)),
    ]


class ContentSpan(NamedTuple):
    """Bytes from `start` on, up to `stop`."""

    start: int
    stop: int


class ArtifactContent:
    """GET and HEAD of an artifact's bytes, with Range, If-Range and If-None-Match of RFC 9110."""

    def __init__(self, methods: LocalMethods) -> None:
        self._methods = methods

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request of HTTP."""
        exchange = Exchange(scope, receive, send, has_body=False)
        if exchange.http_method in ("GET", "HEAD"):
            await exchange.answer(self._get(exchange, scope["path_params"]["artifact_id"]))
        else:
            await exchange.refuse_method(("GET", "HEAD"))

    async def _get(self, exchange: Exchange, artifact_id: str) -> None:
        lookup = service.GetArtifactRequest()
        fill_from_query(lookup, exchange.query)
        lookup.artifact_id = artifact_id
        arrival = exchange.arrival(one_message(lookup), None)
        found: Any = await exchange.unless_gone(self._methods.call(GET, arrival))
        await self.send(exchange, lookup, found.artifact)

    async def send(self, exchange: Exchange, lookup: service.GetArtifactRequest, artifact: pb.Artifact) -> None:
        """Answers a request for an artifact that was found. Raises CallFailed, CallerGone, InvalidField."""
        headers = _content_headers(artifact)
        if answers.has_tag(exchange.headers.get("if-none-match", ""), headers["etag"]):
            await exchange.start(304, {"etag": headers["etag"]})
            await exchange.end()
            return
        span = _span(exchange.headers, headers["etag"], artifact.size_bytes)
        status, stated = 200, ContentSpan(0, artifact.size_bytes)
        if span is not None:
            if span.start >= span.stop:
                unsatisfied = {**SHUT, "content-range": f"bytes */{artifact.size_bytes}"}
                await exchange.respond(416, unsatisfied, b"")
                return
            status, stated = 206, span
            headers["content-range"] = f"bytes {span.start}-{span.stop - 1}/{artifact.size_bytes}"
        headers["content-length"] = str(stated.stop - stated.start)
        if exchange.http_method == "HEAD":
            await exchange.start(status, headers)
            await exchange.end()
        else:
            await self._send_bytes(exchange, lookup, stated, status, headers)

    async def _send_bytes(
        self,
        exchange: Exchange,
        lookup: service.GetArtifactRequest,
        span: ContentSpan,
        status: int,
        headers: Mapping[str, str],
    ) -> None:
        """A stream that fails after its beginning ends short of its length: so the connection ends, too."""
        bytes_range = pb.ByteRange(start=span.start, end=span.stop)
        request = service.ReadArtifactRequest(
            agent_id=lookup.agent_id,
            artifact_id=lookup.artifact_id,
            channel=lookup.channel,
            range=pb.ArtifactRange(bytes=bytes_range),
        )
        arrival = exchange.arrival(one_message(request), None)
        async with aclosing(self._methods.stream(READ, arrival)) as messages:
            first: Any = await exchange.unless_gone(anext(messages))
            await exchange.start(status, headers)

            async def send_all() -> None:
                await exchange.send(first.data)
                async for message in messages:
                    await exchange.send(message.data)  # type: ignore[attr-defined]
                await exchange.end()

            await exchange.unless_gone(send_all())


class ArtifactUpload:
    """PUT of an artifact's bytes: whole, or from where a broken upload of the same `upload_id` ended."""

    def __init__(self, methods: LocalMethods) -> None:
        self._methods = methods

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request of HTTP."""
        exchange = Exchange(scope, receive, send)
        if exchange.http_method == "PUT":
            await exchange.answer(self._put(exchange))
        else:
            await exchange.refuse_method(("PUT",))

    async def _put(self, exchange: Exchange) -> None:
        header = _upload_header(exchange)
        arrival = exchange.arrival(_upload(exchange, header), None)
        stored: Any = await exchange.unless_gone(self._methods.call(PUT, arrival))
        artifact: pb.Artifact = stored.artifact
        headers = {
            "content-type": answers.JSON,
            "location": CONTENT_PATH.replace("{artifact_id}", quote(artifact.artifact_id)),
            "etag": _tag(artifact),
        }
        await exchange.respond(201, headers, answers.json_bytes(stored))


def _tag(artifact: pb.Artifact) -> str:
    return f'"{artifact.sha256.hex()}"'


def _content_headers(artifact: pb.Artifact) -> dict[str, str]:
    stated = artifact.media_type
    name = artifact.name or artifact.artifact_id
    return {
        **SHUT,
        "accept-ranges": "bytes",
        "cache-control": "private, no-cache",
        "content-disposition": f"attachment; filename*=UTF-8''{quote(name, safe='')}",
        "content-type": stated if _MEDIA_TYPE.fullmatch(stated) else UNNAMED,
        "etag": _tag(artifact),
    }


def _span(headers: Mapping[str, str], tag: str, size: int) -> ContentSpan | None:
    """The one range that is asked for; None for all, also if it is no range of bytes or several (RFC 9110, 14.2)."""
    parsed = _RANGE.fullmatch(headers.get("range", "").strip())
    if parsed is None or headers.get("if-range", tag) != tag:
        return None
    first, last = parsed.groups()
    if first:
        return ContentSpan(int(first), min(int(last) + 1, size) if last else size)
    # The last so many bytes.
    return ContentSpan(max(0, size - int(last)), size) if last else None


def _upload_header(exchange: Exchange) -> service.PutArtifactHeader:
    """Builds the header of an upload from the query and the headers of the request. Raises InvalidField."""
    header, headers = service.PutArtifactHeader(), exchange.headers
    of_header = [each for each in exchange.query if each[0] in _OF_HEADER]
    fill_from_query(header, of_header)
    of_artifact = [each for each in exchange.query if each[0] not in _OF_HEADER]
    fill_from_query(header.artifact, of_artifact)
    media_type = headers.get("content-type", "")
    if not header.artifact.media_type and media_type not in NO_MEDIA_TYPES:
        header.artifact.media_type = media_type
    if "content-range" in headers:
        offset, size = _content_range(headers["content-range"])
        header.offset = offset
        if size is not None:
            header.size_bytes = size
        header.prefix_sha256 = sha256_of(headers, PREFIX_DIGEST) or b""
    elif headers.get("content-length", "").isdecimal():
        header.size_bytes = min(int(headers["content-length"]), _MAX_SIZE)
    return header


def _content_range(value: str) -> tuple[int, int | None]:
    """Where the bytes begin, and how many there are in all, where that is known. Raises InvalidField."""
    parsed = _CONTENT_RANGE.fullmatch(value.strip())
    if parsed is None:
        raise invalid_field("content-range", "must be of the form: bytes first-last/length")
    first, last, size = parsed.groups()
    if size != "*" and int(last) + 1 != int(size):
        raise invalid_field("content-range", "must go on to the end: send all the rest at once")
    return int(first), None if size == "*" else int(size)


async def _upload(exchange: Exchange, header: service.PutArtifactHeader) -> AsyncIterator[bytes]:
    """The messages of an upload. Without a digest of the caller's, that of what has come is taken. Raises
    InvalidField."""
    stated = sha256_of(exchange.headers, CONTENT_DIGEST)
    yield service.PutArtifactRequest(header=header).SerializeToString()
    digest, offset, held = hashlib.sha256(), header.offset, bytearray()

    def message() -> bytes:
        data = bytes(held)
        if stated is None:
            digest.update(data)
        held.clear()
        sent = service.ArtifactBytes(offset=offset, data=data)
        return service.PutArtifactRequest(bytes=sent).SerializeToString()

    async for part in exchange.parts():
        held += part
        if len(held) >= PART_BYTES:
            size = len(held)
            yield message()
            offset += size
    if held:
        yield message()
    finish = service.PutArtifactFinish(sha256=stated or digest.digest())
    yield service.PutArtifactRequest(finish=finish).SerializeToString()
