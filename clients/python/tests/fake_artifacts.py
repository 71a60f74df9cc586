"""A small artifact service in memory: breaks off, mangles and refuses as it is told."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import AsyncIterator, Iterator

import google_crc32c
import grpc
from clients.python.tests.fake_service import UNAVAILABLE, Context, Desk, abort, status

from camillo.v1 import artifact_service_pb2 as pb
from camillo.v1.artifact_pb2 import (
    Artifact,
    ArtifactLine,
    ArtifactMatch,
    ArtifactPassage,
    ArtifactPreview,
    ArtifactRange,
    ArtifactReceipt,
    ArtifactRedaction,
    Citation,
    NewArtifact,
)
from camillo.v1.artifact_service_pb2_grpc import ArtifactServiceServicer
from camillo.v1.memory_pb2 import Redaction
from camillo_client.memory_refs import render

CHUNK = 16
STATED = {"name", "description", "media_type", "tool", "command", "session_id", "pinned"}
NOT_FOUND = status(grpc.StatusCode.NOT_FOUND, "ARTIFACT_NOT_FOUND")
NO_UPLOAD = status(grpc.StatusCode.NOT_FOUND, "UPLOAD_NOT_FOUND")
MISMATCH = status(grpc.StatusCode.INVALID_ARGUMENT, "CONTENT_MISMATCH", metadata={"what": "sha256"})

UNFINISHED = status(grpc.StatusCode.INVALID_ARGUMENT, "INVALID_FIELD", fields={"finish": "required"})


class FakeArtifacts(ArtifactServiceServicer):
    """Artifacts by id, whoever asks. A number sign is a secret; a token is a character."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.contents: dict[str, bytes] = {}
        self.artifacts: dict[str, Artifact] = {}
        self.uploads: dict[str, bytes] = {}
        self.finished: dict[str, str] = {}
        # After how many bytes each call of an upload or a read breaks, or matches of a search; later calls do not.
        self.breaks: list[int] = []
        # An upload breaks when everything is stored: only the answer is lost.
        self.loses_answer = False
        # Whether a read sends bytes other than it counts.
        self.mangles = False
        self.encoding = "utf-8"

    def keep(self, content: bytes, stated: NewArtifact | None = None) -> Artifact:
        """Stores a content as an upload would."""
        stated = stated or NewArtifact()
        artifact_id = f"artifact_{len(self.artifacts)}"
        artifact = Artifact(
            artifact_id=artifact_id,
            memory_ref=render(artifact_id, stated.description),
            summary="a summary",
            size_bytes=len(content),
            sha256=hashlib.sha256(content).digest(),
            encoding=self.encoding,
            version=1,
            tags=stated.tags,
            **{name: getattr(stated, name) for name in STATED},
        )
        self.contents[artifact_id] = content
        self.artifacts[artifact_id] = artifact
        return artifact

    async def PutArtifact(
        self, request_iterator: AsyncIterator[pb.PutArtifactRequest], context: Context
    ) -> pb.PutArtifactResponse:
        header = (await anext(request_iterator)).header
        await self.desk.enter("PutArtifact", header, context)
        held = bytearray(self.uploads.get(header.upload_id, b"")[: header.offset])
        if header.offset and hashlib.sha256(held).digest() != header.prefix_sha256:
            await abort(context, MISMATCH)
        break_at = self.breaks.pop(0) if self.breaks else None
        sent = hashlib.sha256()
        async for request in request_iterator:
            if request.HasField("finish"):
                if request.finish.sha256 != sent.digest():
                    await abort(context, MISMATCH)
                break
            assert request.bytes.offset == len(held)
            held += request.bytes.data
            sent.update(request.bytes.data)
            if break_at is not None and len(held) >= break_at:
                self.uploads[header.upload_id] = bytes(held)
                await abort(context, UNAVAILABLE)
        else:
            await abort(context, UNFINISHED)
        assert header.size_bytes == (len(held) if header.HasField("size_bytes") else 0)
        artifact = self.keep(bytes(held), header.artifact)
        self.finished[header.upload_id] = artifact.artifact_id
        if self.loses_answer:
            await abort(context, UNAVAILABLE)
        return pb.PutArtifactResponse(
            artifact=artifact, redactions=_redactions(held), field_redactions=_field_redactions(header.artifact)
        )

    async def GetUpload(self, request: pb.GetUploadRequest, context: Context) -> pb.GetUploadResponse:
        await self.desk.enter("GetUpload", request, context)
        finished = self.finished.get(request.upload_id, "")
        if request.upload_id not in self.uploads and not finished:
            await abort(context, NO_UPLOAD)
        held = self.uploads.get(request.upload_id, b"")
        return pb.GetUploadResponse(held_bytes=len(held), artifact_id=finished)

    async def OffloadOutput(self, request: pb.OffloadOutputRequest, context: Context) -> pb.OffloadOutputResponse:
        await self.desk.enter("OffloadOutput", request, context)
        text = request.output.decode("utf-8", "replace").replace("#", "*")
        redactions = _redactions(request.output)
        if len(text) <= (request.threshold_tokens or 500):
            return pb.OffloadOutputResponse(inline=text, text=text, redactions=redactions)
        artifact = self.keep(request.output, request.artifact)
        return pb.OffloadOutputResponse(
            artifact=artifact,
            text=f"{artifact.memory_ref}\n{artifact.summary}",
            preview=_preview(text),
            redactions=redactions,
        )

    async def _find(self, artifact_id: str, context: Context) -> Artifact:
        if artifact_id not in self.artifacts:
            await abort(context, NOT_FOUND)
        return self.artifacts[artifact_id]

    async def GetArtifact(self, request: pb.GetArtifactRequest, context: Context) -> pb.GetArtifactResponse:
        await self.desk.enter("GetArtifact", request, context)
        artifact = await self._find(request.artifact_id, context)
        text = self.contents[request.artifact_id].decode(self.encoding, "replace")
        return pb.GetArtifactResponse(artifact=artifact, preview=_preview(text))

    async def ReadArtifact(
        self, request: pb.ReadArtifactRequest, context: Context
    ) -> AsyncIterator[pb.ReadArtifactResponse]:
        await self.desk.enter("ReadArtifact", request, context)
        await self._find(request.artifact_id, context)
        content = self.contents[request.artifact_id]
        start, end = _span(content, request.range)
        place, crc32c = start + request.resume_after_bytes, request.resume_crc32c
        break_at = self.breaks.pop(0) if self.breaks else None
        while place < end or start == end:
            stop = _border(content, min(end, place + CHUNK))
            data = content[place:stop]
            crc32c = google_crc32c.extend(crc32c, data)
            yield pb.ReadArtifactResponse(
                data=data.replace(b"a", b"b") if self.mangles else data,
                offset=place,
                crc32c=crc32c,
                range_bytes=end - start,
            )
            place = stop
            if break_at is not None and place - start >= break_at:
                await abort(context, UNAVAILABLE)
            if place >= end:
                return

    async def ReadArtifactPage(
        self, request: pb.ReadArtifactPageRequest, context: Context
    ) -> pb.ReadArtifactPageResponse:
        await self.desk.enter("ReadArtifactPage", request, context)
        content = self.contents[request.artifact_id]
        start, end = _span(content, request.range)
        text = content[start:end].decode()
        place = int(request.page_token or 0)
        stop = place + (request.max_tokens or 1000)
        return pb.ReadArtifactPageResponse(text=text[place:stop], next_page_token=str(stop) if stop < len(text) else "")

    async def SearchArtifact(
        self, request: pb.SearchArtifactRequest, context: Context
    ) -> AsyncIterator[pb.SearchArtifactResponse]:
        await self.desk.enter("SearchArtifact", request, context)
        await self._find(request.artifact_id, context)
        lines = self.contents[request.artifact_id].decode().splitlines()
        if request.ranked:
            passages = [ArtifactPassage(text=line) for line in lines if request.ranked in line]
            yield pb.SearchArtifactResponse(passages=passages[: request.limit or 5])
            return
        break_at = self.breaks.pop(0) if self.breaks else None
        for found, match in enumerate(_matches(lines, request)):
            if found == (request.limit or 100):
                yield pb.SearchArtifactResponse(limit_reached=True, next_line=match.line.number)
                return
            yield pb.SearchArtifactResponse(matches=[match], next_line=match.line.number + 1)
            if found + 1 == break_at:
                await abort(context, UNAVAILABLE)

    async def ListArtifacts(self, request: pb.ListArtifactsRequest, context: Context) -> pb.ListArtifactsResponse:
        await self.desk.enter("ListArtifacts", request, context)
        newest_first = list(reversed(self.artifacts.values()))
        start = int(request.page_token or 0)
        end = start + (request.page_size or 50)
        return pb.ListArtifactsResponse(
            artifacts=newest_first[start:end], next_page_token=str(end) if end < len(newest_first) else ""
        )

    async def UpdateArtifact(self, request: pb.UpdateArtifactRequest, context: Context) -> pb.UpdateArtifactResponse:
        await self.desk.enter("UpdateArtifact", request, context)
        artifact = await self._find(request.artifact_id, context)
        for name in request.update_mask.paths:
            if name in STATED:
                setattr(artifact, name, getattr(request.artifact, name))
        artifact.version += 1
        return pb.UpdateArtifactResponse(artifact=artifact, field_redactions=_field_redactions(request.artifact))

    async def DeleteArtifact(self, request: pb.DeleteArtifactRequest, context: Context) -> pb.DeleteArtifactResponse:
        await self.desk.enter("DeleteArtifact", request, context)
        artifact = await self._find(request.artifact_id, context)
        del self.artifacts[request.artifact_id]
        receipt = ArtifactReceipt(artifact_id=artifact.artifact_id, bytes_deleted=True, size_bytes=artifact.size_bytes)
        return pb.DeleteArtifactResponse(receipt=receipt)

    async def ListCitations(self, request: pb.ListCitationsRequest, context: Context) -> pb.ListCitationsResponse:
        await self.desk.enter("ListCitations", request, context)
        return pb.ListCitationsResponse(
            citations=[Citation(cited_by_id=f"memory{request.page_token}")],
            next_page_token="" if request.page_token else "2",
        )


def _span(content: bytes, wanted: ArtifactRange) -> tuple[int, int]:
    """Where a range begins and ends; ranges by JSON pointer are everything."""
    which = wanted.WhichOneof("range")
    if which == "bytes":
        start = wanted.bytes.start
        start = max(0, len(content) + start) if start < 0 else start
        return _border(content, start), _border(content, wanted.bytes.end or len(content))
    ends = [0, *(match.end() for match in re.finditer(rb"\n", content))]
    ends += [len(content)] if ends[-1] != len(content) else []
    if which == "lines":
        return ends[wanted.lines.first - 1], ends[min(wanted.lines.last, len(ends) - 1) or -1]
    if which == "head_lines":
        return 0, ends[min(wanted.head_lines, len(ends) - 1)]
    if which == "tail_lines":
        return ends[max(0, len(ends) - 1 - wanted.tail_lines)], len(content)
    if which == "around":
        first = max(0, wanted.around.line - 1 - wanted.around.context)
        return ends[first], ends[min(wanted.around.line + wanted.around.context, len(ends) - 1)]
    if which == "json":
        json.loads(content)
    return 0, len(content)


def _border(content: bytes, place: int) -> int:
    """Where the next character begins, so that a range has those that begin in it."""
    place = min(place, len(content))
    while place < len(content) and content[place] & 0xC0 == 0x80:
        place += 1
    return place


def _matches(lines: list[str], request: pb.SearchArtifactRequest) -> Iterator[ArtifactMatch]:
    pattern = re.escape(request.literal) if request.HasField("literal") else request.regex
    flags = re.IGNORECASE if request.ignore_case else 0
    for number, line in enumerate(lines, 1):
        if number >= request.start_line and re.search(pattern, line, flags):
            yield ArtifactMatch(line=ArtifactLine(number=number, text=line))


def _preview(text: str) -> ArtifactPreview:
    return ArtifactPreview(head=text[:20], tail=text[-20:] if len(text) > 20 else "")


def _redactions(content: bytes | bytearray) -> list[ArtifactRedaction]:
    places = [place for place, byte in enumerate(content[:2000]) if byte == ord("#")]
    return [ArtifactRedaction(kind="number-sign", offset=place) for place in places]


def _field_redactions(stated: NewArtifact) -> list[Redaction]:
    is_secret = "#" in stated.description
    return [Redaction(field="description", kind="number-sign")] if is_secret else []
