"""Page tokens of ArtifactService: see `tokens`."""

import re
from uuid import UUID

from camillo.v1 import artifact_service_pb2 as service

from camillo_server.domain.artifact import ArtifactId
from camillo_server.domain.artifact_ports import ArtifactCursor
from camillo_server.domain.errors import InvalidPageToken
from camillo_server.domain.get_artifact import ArtifactAsked
from camillo_server.domain.ids import MemoryId
from camillo_server.domain.list_artifacts import ArtifactsAsked
from camillo_server.domain.moments import microseconds, moment
from camillo_server.domain.scope import Scope
from camillo_server.rpc import tokens
from camillo_server.rpc.caller import names
from camillo_server.rpc.validate import ARTIFACT_ID

# Microseconds since 1970, and the id.
CURSOR = re.compile(rf"(-?[0-9]{{1,18}}) ({ARTIFACT_ID.pattern})")


def list_binding(request: service.ListArtifactsRequest, asked: ArtifactsAsked) -> bytes:
    """All that the token of a list depends on: everything but the size of the page."""
    return tokens.query_binding(
        "ListArtifacts",
        *names(asked.scope),
        bytes([asked.channel, asked.include_shared]),
        request.filter.SerializeToString(deterministic=True),
    )


def list_token(binding: bytes, cursor: ArtifactCursor | None) -> str:
    """The place behind an artifact; empty at the end."""
    if cursor is None:
        return ""
    return tokens.text_page_token(binding, f"{microseconds(cursor.at)} {cursor.artifact_id}")


def read_list_token(binding: bytes, token: str) -> ArtifactCursor | None:
    """The place in a client's token, None for an empty one. Raises InvalidPageToken."""
    text = tokens.read_text_page_token(binding, token)
    if text is None:
        return None
    parts = CURSOR.fullmatch(text)
    if parts is None:
        raise _not_ours()
    try:
        return ArtifactCursor(moment(int(parts[1])), ArtifactId(parts[2]))
    except OverflowError:
        raise _not_ours() from None


def text_binding(request: service.ReadArtifactPageRequest, asked: ArtifactAsked) -> bytes:
    """All that the token of a page of text depends on: everything but the size of the page."""
    return tokens.query_binding(
        "ReadArtifactPage",
        *names(asked.scope),
        asked.artifact_id,
        bytes([asked.channel]),
        request.range.SerializeToString(deterministic=True),
    )


def text_token(binding: bytes, after: int | None) -> str:
    """How much of a range lies before the next page; empty at the end. `read_number_page_token` reads it."""
    return "" if after is None else tokens.text_page_token(binding, str(after))


def citation_binding(scope: Scope, artifact_id: ArtifactId) -> bytes:
    return tokens.query_binding("ListCitations", *names(scope), artifact_id)


def citation_token(binding: bytes, after: MemoryId | None) -> str:
    """The place behind a citation; empty at the end."""
    return "" if after is None else tokens.text_page_token(binding, str(after))


def read_citation_token(binding: bytes, token: str) -> MemoryId | None:
    """The place in a client's token, None for an empty one. Raises InvalidPageToken."""
    text = tokens.read_text_page_token(binding, token)
    if text is None:
        return None
    try:
        return MemoryId(UUID(text))
    except ValueError:
        raise _not_ours() from None


def _not_ours() -> InvalidPageToken:
    return InvalidPageToken("is not a page token of this service")
