"""The freshness that reads demand of an agent's scope and of the scope that its tenant shares."""

from __future__ import annotations

import pytest

from camillo.v1.consistency_pb2 import Freshness, Revision
from camillo.v1.memory_pb2 import Source
from camillo.v1.memory_service_pb2 import GetMemoryRequest, RecallRequest, RecallResponse
from camillo_client import SHARED, fully_consistent
from camillo_client.demands import Demands
from camillo_client.revisions import WrittenRevisions


@pytest.fixture
def written() -> WrittenRevisions:
    """Both scopes were written once."""
    written = WrittenRevisions()
    written.wrote(written.begin("ada"), Revision(token="r1"))
    written.wrote(written.begin(SHARED), Revision(token="s1"))
    return written


def told(freshness: Freshness) -> str:
    return "all" if freshness.fully_consistent else freshness.at_least_as_fresh.token


@pytest.mark.parametrize(
    ("request_", "shared"),
    [
        (RecallRequest(agent_id="ada"), ""),
        (RecallRequest(agent_id="ada", sources=[Source.SOURCE_WORKFLOW_STEP]), ""),
        (RecallRequest(agent_id="ada", sources=[Source.SOURCE_DOCUMENT]), "s1"),
        (RecallRequest(agent_id="ada", sources=[Source.SOURCE_AUDIT]), "s1"),
        (RecallRequest(agent_id="ada", include_shared=True), "s1"),
    ],
)
def test_the_shared_scope_is_demanded_where_it_is_searched(
    written: WrittenRevisions, request_: RecallRequest, shared: str
) -> None:
    assert Demands(written, request_)
    assert told(request_.freshness) == "r1"
    assert told(request_.shared_freshness) == shared


def test_what_the_caller_demands_stays(written: WrittenRevisions) -> None:
    sources = [Source.SOURCE_DOCUMENT]
    request = RecallRequest(agent_id="bob", sources=sources, shared_freshness=fully_consistent())
    assert not Demands(written, request)
    assert told(request.shared_freshness) == "all"
    assert not Demands(written, GetMemoryRequest(agent_id="bob"))


def test_an_answer_covers_what_is_in_doubt_in_each_scope(written: WrittenRevisions) -> None:
    for agent_id in ("ada", SHARED):
        written.wrote(written.begin(agent_id), Revision(token="again"), repeatable=True)
    request = RecallRequest(agent_id="ada", include_shared=True)
    demands = Demands(written, request)
    assert (told(request.freshness), told(request.shared_freshness)) == ("all", "all")
    demands.met(Revision(token="r9"), RecallResponse(shared_revision=Revision(token="s9")))
    demands.take_back()
    assert request == RecallRequest(agent_id="ada", include_shared=True)
    Demands(written, request)
    assert (told(request.freshness), told(request.shared_freshness)) == ("r9", "s9")


def test_void_demands_are_dropped_from_the_request_and_from_what_is_known(written: WrittenRevisions) -> None:
    request = RecallRequest(agent_id="ada", include_shared=True)
    Demands(written, request).drop()
    assert request == RecallRequest(agent_id="ada", include_shared=True)
    assert not Demands(written, request)
