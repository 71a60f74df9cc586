"""Page tokens of ArtifactService belong to one query of one agent."""

from dataclasses import replace
from datetime import UTC, datetime
from uuid import UUID

import pytest
from camillo.v1 import artifact_pb2 as pb
from camillo.v1 import artifact_service_pb2 as service
from camillo_server.doors.rpc import tokens
from camillo_server.features.artifacts import messages as artifact_tokens
from camillo_server.features.artifacts.artifact import (
    ArtifactCursor,
    ArtifactFilter,
    ArtifactId,
    ArtifactLookup,
    ArtifactQuery,
)
from camillo_server.kernel.channel import Channel
from camillo_server.kernel.errors import InvalidPageToken
from camillo_server.kernel.ids import AgentId, MemoryId, TenantId
from camillo_server.kernel.scope import Scope

from tests.cases import each_case

ADA = Scope(TenantId("acme"), AgentId("ada"))
BOB = Scope(TenantId("acme"), AgentId("bob"))
RIVAL = Scope(TenantId("other"), AgentId("ada"))
CURSOR = ArtifactCursor(datetime(2026, 3, 1, 12, 30, 15, 123456, tzinfo=UTC), ArtifactId("a_1"))
LISTED = ArtifactQuery(ADA, ArtifactFilter(), Channel.PRIVATE, include_shared=False)
READ = ArtifactLookup(ADA, ArtifactId("a_1"), Channel.PRIVATE)
BINDING = tokens.query_binding("x")
LIST = service.ListArtifactsRequest
PAGE = service.ReadArtifactPageRequest


@pytest.mark.parametrize("at", [CURSOR.at, datetime(1950, 1, 1, tzinfo=UTC), datetime(1970, 1, 1, tzinfo=UTC)])
def test_the_place_in_a_list_comes_back(at: datetime) -> None:
    cursor = replace(CURSOR, at=at)
    token = artifact_tokens.list_token(BINDING, cursor)
    assert artifact_tokens.read_list_token(BINDING, token) == cursor


def test_an_empty_token_is_the_beginning_and_the_end() -> None:
    assert artifact_tokens.read_list_token(BINDING, "") is None
    assert artifact_tokens.read_citation_token(BINDING, "") is None
    assert artifact_tokens.list_token(BINDING, None) == ""
    assert artifact_tokens.after_token(BINDING, None) == ""


def test_the_places_in_a_text_and_among_citations_come_back() -> None:
    memory_id = MemoryId(UUID(int=2**127 + 5))
    citation = artifact_tokens.after_token(BINDING, memory_id)
    assert artifact_tokens.read_citation_token(BINDING, citation) == memory_id
    text = artifact_tokens.after_token(BINDING, 2**40)
    assert tokens.read_number_page_token(BINDING, text) == 2**40


@each_case(
    "forged",
    [
        "",
        "1",
        "x a_1",
        "1 A_1",
        "1 a",
        "1 " + "a" * 65,
        "1  a_1",
        "1 a_1\n",
        "9" * 18 + " a_1",
        "-" + "9" * 18 + " a_1",
        "1" * 19 + " a_1",
        "१ a_1",
    ],
)
def test_a_forged_place_is_refused(forged: str) -> None:
    good = tokens.text_page_token(BINDING, "1 a_1")
    assert artifact_tokens.read_list_token(BINDING, good) is not None
    with pytest.raises(InvalidPageToken):
        artifact_tokens.read_list_token(BINDING, tokens.text_page_token(BINDING, forged))
    with pytest.raises(InvalidPageToken):
        artifact_tokens.read_citation_token(BINDING, tokens.text_page_token(BINDING, forged))


def test_a_token_of_another_query_is_refused() -> None:
    other = tokens.query_binding("y")
    with pytest.raises(InvalidPageToken):
        artifact_tokens.read_list_token(other, artifact_tokens.list_token(BINDING, CURSOR))
    with pytest.raises(InvalidPageToken):
        artifact_tokens.read_citation_token(other, artifact_tokens.after_token(BINDING, MemoryId(UUID(int=1))))


@pytest.mark.parametrize(
    ("request_", "asked"),
    [
        (LIST(), replace(LISTED, scope=BOB)),
        (LIST(), replace(LISTED, scope=RIVAL)),
        (LIST(), replace(LISTED, channel=Channel.TEAM)),
        (LIST(), replace(LISTED, include_shared=True)),
        (LIST(filter=pb.ArtifactFilter(tool="shell")), LISTED),
    ],
)
def test_a_list_is_bound_to_all_but_its_page_size(request_: service.ListArtifactsRequest, asked: ArtifactQuery) -> None:
    binding = artifact_tokens.list_binding(LIST(), LISTED)
    assert artifact_tokens.list_binding(LIST(page_size=7), LISTED) == binding
    assert artifact_tokens.list_binding(request_, asked) != binding


@pytest.mark.parametrize(
    ("request_", "asked"),
    [
        (PAGE(), replace(READ, scope=BOB)),
        (PAGE(), replace(READ, scope=RIVAL)),
        (PAGE(), replace(READ, artifact_id=ArtifactId("a_2"))),
        (PAGE(), replace(READ, channel=Channel.AGENT)),
        (PAGE(range=pb.ArtifactRange(tail_lines=3)), READ),
    ],
)
def test_a_page_of_text_is_bound_to_all_but_its_length(
    request_: service.ReadArtifactPageRequest, asked: ArtifactLookup
) -> None:
    binding = artifact_tokens.text_binding(PAGE(), READ)
    assert artifact_tokens.text_binding(PAGE(max_tokens=99), READ) == binding
    assert artifact_tokens.text_binding(request_, asked) != binding


def test_citations_are_bound_to_the_artifact_and_the_agent() -> None:
    binding = artifact_tokens.citation_binding(ADA, ArtifactId("a_1"))
    assert artifact_tokens.citation_binding(ADA, ArtifactId("a_1")) == binding
    assert artifact_tokens.citation_binding(ADA, ArtifactId("a_2")) != binding
    assert artifact_tokens.citation_binding(BOB, ArtifactId("a_1")) != binding
