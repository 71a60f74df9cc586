"""Messages of artifacts, and the page tokens of their lists."""

import re
from collections.abc import Sequence
from uuid import UUID

from camillo.v1 import artifact_pb2 as pb
from camillo.v1 import artifact_service_pb2 as service
from camillo.v1.memory_pb2 import SOURCE_MEMORY, StoreCount

from camillo_server.doors.rpc import fields, tokens
from camillo_server.doors.rpc.call import names
from camillo_server.doors.rpc.page_tokens import page_of
from camillo_server.doors.rpc.validate import ARTIFACT_ID
from camillo_server.features.artifacts.artifact import (
    Artifact,
    ArtifactCursor,
    ArtifactId,
    ArtifactLookup,
    ArtifactQuery,
    Citation,
    ContentFacts,
    DeletionReplay,
)
from camillo_server.features.artifacts.offload_output import Offloaded
from camillo_server.features.artifacts.read_artifact import ReadChunk, SearchProgress, TextPage
from camillo_server.kernel.clock import microseconds, moment
from camillo_server.kernel.ids import MemoryId
from camillo_server.kernel.scope import Scope
from camillo_server.lib.outputs.line_search.query import Match, MatchLine, RankedPassage
from camillo_server.lib.redaction.redaction import FoundSecret, Redaction
from camillo_server.lib.text import memory_ref

# Microseconds since 1970, and the id.
CURSOR = re.compile(rf"(-?[0-9]{{1,18}}) ({ARTIFACT_ID.pattern})")
# The name of zstd as an encoding of bytes.
ZSTD = "zstd"


def artifact_message(artifact: Artifact) -> pb.Artifact:
    draft, facts = artifact.draft, artifact.content
    message = pb.Artifact(
        artifact_id=artifact.artifact_id,
        agent_id=artifact.agent_id,
        memory_ref=memory_ref.render(artifact.artifact_id, artifact.description),
        description=artifact.description,
        created_by_agent_id=artifact.created_by,
        version=artifact.version,
        name=draft.name,
        media_type=draft.media_type,
        tool=draft.tool,
        command=draft.command,
        exit_code=draft.exit_code,
        session_id=draft.session_id,
        tags=draft.tags,
        sensitivity=int(draft.sensitivity),  # type: ignore[arg-type]
        pinned=draft.pinned,
        source_refs=draft.source_refs,
        kind=int(facts.kind),  # type: ignore[arg-type]
        size_bytes=facts.size,
        sha256=facts.sha256,
        encoding=facts.encoding,
        line_count=facts.line_count,
        summary=facts.summary,
        summary_model_id=facts.summary_model_id,
    )
    fields.fill_timestamp(message.created_at, artifact.created_at)
    fields.fill_timestamp(message.updated_at, artifact.updated_at)
    if draft.expires_at is not None:
        fields.fill_timestamp(message.expires_at, draft.expires_at)
    if draft.metadata:
        fields.fill_struct(message.metadata, draft.metadata)
    for kind, count in sorted(facts.redaction_counts.items()):
        message.redaction_counts.add(kind=kind, count=count)
    return message


def preview_message(facts: ContentFacts) -> pb.ArtifactPreview | None:
    """None where the content is not text."""
    if not facts.encoding:
        return None
    return pb.ArtifactPreview(head=facts.preview.head, tail=facts.preview.tail)


def secret_messages(found: Sequence[FoundSecret]) -> list[pb.ArtifactRedaction]:
    """The secrets taken out of the bytes."""
    return [pb.ArtifactRedaction(kind=each.kind, offset=each.offset) for each in found]


def list_response(rows: Sequence[Artifact], size: int, binding: bytes) -> service.ListArtifactsResponse:
    """A page as `page_of` makes it."""

    def token_of(last: Artifact) -> str:
        return list_token(binding, ArtifactCursor(last.created_at, last.artifact_id))

    messages, token = page_of(rows, size, artifact_message, token_of)
    return service.ListArtifactsResponse(artifacts=messages, next_page_token=token)


def put_response(artifact: Artifact, field_redactions: Sequence[Redaction]) -> service.PutArtifactResponse:
    facts = artifact.content
    return service.PutArtifactResponse(
        artifact=artifact_message(artifact),
        preview=preview_message(facts),
        redactions=secret_messages(facts.redactions),
        field_redactions=fields.redaction_messages(field_redactions),
    )


def get_response(artifact: Artifact) -> service.GetArtifactResponse:
    facts = artifact.content
    return service.GetArtifactResponse(
        artifact=artifact_message(artifact),
        preview=preview_message(facts),
        redactions=secret_messages(facts.redactions),
    )


def offload_response(done: Offloaded) -> service.OffloadOutputResponse:
    stored = done.artifact
    return service.OffloadOutputResponse(
        text=done.text,
        inline=done.text if stored is None else None,
        artifact=artifact_message(stored) if stored else None,
        preview=preview_message(stored.content) if stored else None,
        output_tokens=done.output_tokens,
        text_tokens=done.text_tokens,
        redactions=secret_messages(done.redactions),
        field_redactions=fields.redaction_messages(done.field_redactions),
    )


def read_response(chunk: ReadChunk, crc32c: int) -> service.ReadArtifactResponse:
    return service.ReadArtifactResponse(
        data=chunk.data,
        offset=chunk.offset,
        line=chunk.line,
        crc32c=crc32c,
        range_bytes=chunk.range_bytes,
        content_encoding=ZSTD if chunk.decoded_bytes else "",
        decoded_bytes=chunk.decoded_bytes,
    )


def page_response(page: TextPage, next_page_token: str) -> service.ReadArtifactPageResponse:
    return service.ReadArtifactPageResponse(
        text=page.text,
        offset=page.offset,
        first_line=page.first_line,
        last_line=page.last_line,
        tokens=page.tokens,
        next_page_token=next_page_token,
    )


def search_response(progress: SearchProgress) -> service.SearchArtifactResponse:
    return service.SearchArtifactResponse(
        matches=[_match(match) for match in progress.matches],
        passages=[_passage(passage) for passage in progress.passages],
        scanned_bytes=progress.scanned_bytes,
        total_bytes=progress.total_bytes,
        next_line=progress.next_line,
        limit_reached=progress.limit_reached,
    )


def _match(match: Match) -> pb.ArtifactMatch:
    return pb.ArtifactMatch(
        line=_line(match.line),
        spans=[pb.CharacterSpan(start=start, end=end) for start, end in match.spans],
        before=[_line(line) for line in match.before],
        after=[_line(line) for line in match.after],
    )


def _line(line: MatchLine) -> pb.ArtifactLine:
    return pb.ArtifactLine(number=line.number, offset=line.offset, text=line.text, is_cut=line.is_cut)


def _passage(passage: RankedPassage) -> pb.ArtifactPassage:
    return pb.ArtifactPassage(
        first_line=passage.first_line,
        last_line=passage.last_line,
        offset=passage.offset,
        score=passage.score,
        text=passage.text,
    )


def citations_response(rows: Sequence[Citation], size: int, binding: bytes) -> service.ListCitationsResponse:
    """A page of at most `size` rows, of which there are more where there is a next page."""
    return service.ListCitationsResponse(
        citations=[citation_message(row) for row in rows[:size]],
        next_page_token=after_token(binding, rows[size - 1].memory_id if rows[size:] else None),
    )


def citation_message(citation: Citation) -> pb.Citation:
    return pb.Citation(source=SOURCE_MEMORY, cited_by_id=str(citation.memory_id), agent_id=citation.agent_id)


def receipt_message(artifact_id: ArtifactId, deletion: DeletionReplay) -> pb.ArtifactReceipt:
    message = pb.ArtifactReceipt(
        receipt_id=str(deletion.receipt_id),
        artifact_id=artifact_id,
        bytes_deleted=deletion.bytes_deleted,
        size_bytes=deletion.size,
        stores=[StoreCount(store=name, rows=rows) for name, rows in sorted(deletion.stores.items())],
    )
    fields.fill_timestamp(message.deleted_at, deletion.at)
    return message


def list_binding(request: service.ListArtifactsRequest, query: ArtifactQuery) -> bytes:
    """A digest of everything in the request but the size of the page."""
    return tokens.query_binding(
        "ListArtifacts",
        *names(query.scope),
        bytes([query.channel, query.include_shared]),
        request.filter.SerializeToString(deterministic=True),
    )


def list_token(binding: bytes, cursor: ArtifactCursor | None) -> str:
    """The position after an artifact; empty at the end."""
    if cursor is None:
        return ""
    return tokens.text_page_token(binding, f"{microseconds(cursor.at)} {cursor.artifact_id}")


def read_list_token(binding: bytes, token: str) -> ArtifactCursor | None:
    """The position in a client's token, None for an empty one. Raises InvalidPageToken."""
    text = tokens.read_text_page_token(binding, token)
    if text is None:
        return None
    parts = CURSOR.fullmatch(text)
    if parts is None:
        raise tokens.foreign_token()
    try:
        return ArtifactCursor(moment(int(parts[1])), ArtifactId(parts[2]))
    except OverflowError:
        raise tokens.foreign_token() from None


def text_binding(request: service.ReadArtifactPageRequest, lookup: ArtifactLookup) -> bytes:
    """A digest of everything in the request but the size of the page."""
    return tokens.query_binding(
        "ReadArtifactPage",
        *names(lookup.scope),
        lookup.artifact_id,
        bytes([lookup.channel]),
        request.range.SerializeToString(deterministic=True),
    )


def after_token(binding: bytes, after: int | MemoryId | None) -> str:
    """The position after so many bytes of a range, or after the citation by a memory; empty at the end."""
    return "" if after is None else tokens.text_page_token(binding, str(after))


def citation_binding(scope: Scope, artifact_id: ArtifactId) -> bytes:
    return tokens.query_binding("ListCitations", *names(scope), artifact_id)


def read_citation_token(binding: bytes, token: str) -> MemoryId | None:
    """The position in a client's token, None for an empty one. Raises InvalidPageToken."""
    text = tokens.read_text_page_token(binding, token)
    if text is None:
        return None
    try:
        return MemoryId(UUID(text))
    except ValueError:
        raise tokens.foreign_token() from None
