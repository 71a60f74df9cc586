"""Keyword arguments become requests."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, cast

import pytest
from google.protobuf.json_format import MessageToDict

from camillo.v1.consistency_pb2 import Revision
from camillo.v1.memory_pb2 import Memory, MemoryFilter, MemoryKind, ScoringWeights, Sensitivity
from camillo.v1.recall_pb2 import Rerank, TimeMode
from camillo_client import fully_consistent, memory_filter, new_memory, recall_request, to_datetime
from camillo_client.memories import ChangedFields, NewMemoryFields, changed_memory

MOMENT = datetime(2026, 1, 2, tzinfo=UTC)


def test_a_new_memory_has_what_was_given() -> None:
    memory = new_memory(
        "likes tea",
        memory_id="m1",
        kind="preference",
        tags=["a", "b"],
        importance=0.0,
        session_id="s",
        occurred_at=MOMENT,
        sensitivity="restricted",
        metadata={"k": 1},
        expires_at=MOMENT,
        pinned=True,
        source_refs=["e1"],
        vector=[1.0],
    )
    assert memory.kind == MemoryKind.MEMORY_KIND_PREFERENCE
    assert memory.sensitivity == Sensitivity.SENSITIVITY_RESTRICTED
    assert (list(memory.tags), list(memory.source_refs)) == (["a", "b"], ["e1"])
    assert to_datetime(memory.occurred_at) == to_datetime(memory.expires_at) == MOMENT
    assert (memory.metadata["k"], list(memory.vector.values)) == (1, [1.0])
    assert memory.HasField("importance")
    assert (memory.content, memory.memory_id, memory.session_id) == ("likes tea", "m1", "s")
    assert memory.pinned


def test_what_is_left_out_or_none_is_not_sent() -> None:
    assert new_memory("a", importance=None, vector=None, metadata=None) == new_memory("a")
    assert not new_memory("a").HasField("importance")


def test_every_field_of_the_contract_can_be_given() -> None:
    fields = set(new_memory("a").DESCRIPTOR.fields_by_name)
    assert fields - {"content"} == NewMemoryFields.__optional_keys__


def test_an_unknown_keyword_is_refused() -> None:
    unknown = cast(Any, {"knd": "fact"})
    with pytest.raises(TypeError, match="knd"):
        new_memory("a", **unknown)
    with pytest.raises(TypeError, match="knd"):
        recall_request("a", **unknown)
    with pytest.raises(TypeError, match="version"):
        changed_memory(**cast(Any, {"version": 3}))


def test_a_change_names_its_fields_even_those_that_become_empty() -> None:
    memory, mask = changed_memory(content="b", expires_at=None, tags=[], archived=True)
    assert memory == Memory(content="b", archived=True)
    assert list(mask.paths) == ["content", "expires_at", "tags", "archived"]


def test_every_field_that_the_contract_lets_change_can_be_changed() -> None:
    fields = "content kind session_id occurred_at tags sensitivity importance metadata expires_at"
    fields += " pinned archived source_refs vector actor trust_level valid_from valid_until"
    assert ChangedFields.__optional_keys__ == set(fields.split())


def test_a_recall_is_by_text_or_by_vector() -> None:
    assert recall_request("tea").WhichOneof("query") == "text"
    assert recall_request(vector=[1.0]).WhichOneof("query") == "vector"
    for query, vector in ((None, None), ("tea", [1.0])):
        with pytest.raises(ValueError, match="either"):
            recall_request(query, vector=vector)


def test_a_recall_has_what_was_given() -> None:
    request = recall_request(
        "tea",
        agent_id="ada",
        sources=["memory", "event"],
        filter=memory_filter(session_id="s"),
        limit=7,
        profile="blended",
        min_score=0.25,
        max_tokens=100,
        freshness=fully_consistent(),
        explain=True,
    )
    assert (request.agent_id, list(request.sources), request.limit) == ("ada", [1, 2], 7)
    assert (request.filter.session_id, request.profile.name) == ("s", "blended")
    assert (request.min_score, request.max_tokens, request.explain) == (0.25, 100, True)
    assert request.freshness.fully_consistent


def test_spaces_may_weigh_beside_any_profile() -> None:
    for profile in (None, "blended", ScoringWeights(recency=1)):
        request = recall_request("tea", profile=profile, space_weights={"users": 1, "shared": 0})
        weights = request.profile.space_weights
        assert (weights.users, weights.HasField("shared"), weights.HasField("teams")) == (1, True, False)
        assert request.profile.name == (profile if isinstance(profile, str) else "")
        assert request.profile.weights == (profile if isinstance(profile, ScoringWeights) else ScoringWeights())
    assert not recall_request("tea").HasField("profile")
    with pytest.raises(ValueError, match="own"):
        recall_request("tea", space_weights={"own": 1})


def test_a_profile_may_be_weights_and_a_freshness_a_revision() -> None:
    request = recall_request("tea", profile=ScoringWeights(recency=1), freshness=Revision(token="r"))
    assert request.profile.weights.recency == 1
    assert request.freshness.at_least_as_fresh.token == "r"  # noqa: S105
    assert not recall_request("tea").HasField("freshness")


def test_a_recall_says_when_it_is_asked_and_what_a_time_in_it_does() -> None:
    request = recall_request("昨天 tea", query_time=MOMENT, time_mode="only")
    assert to_datetime(request.query_time) == MOMENT
    assert request.time_mode == TimeMode.TIME_MODE_ONLY
    plain = recall_request("tea")
    assert not plain.HasField("query_time")
    assert plain.time_mode == TimeMode.TIME_MODE_UNSPECIFIED
    with pytest.raises(ValueError, match="query_time has no timezone"):
        recall_request("tea", query_time=MOMENT.replace(tzinfo=None))


def test_a_filter_has_what_was_given() -> None:
    passed = memory_filter(
        tags_any=["a"],
        tags_all=["b"],
        kinds=["fact", MemoryKind.MEMORY_KIND_ERROR],
        session_id="s",
        occurred_from=MOMENT,
        occurred_before=MOMENT,
        min_importance=0.5,
        max_sensitivity="public",
        archived="only",
        metadata={"k": "v"},
    )
    assert (list(passed.tags_any), list(passed.tags_all), list(passed.kinds)) == (["a"], ["b"], [1, 6])
    assert to_datetime(passed.occurred_from) == to_datetime(passed.occurred_before) == MOMENT
    assert (passed.max_sensitivity, passed.archived, passed.min_importance) == (1, 3, 0.5)
    assert (passed.session_id, passed.metadata["k"]) == ("s", "v")
    assert memory_filter() == MemoryFilter()


def test_a_recall_asks_for_the_reranker_where_it_is_told_to() -> None:
    assert not recall_request("tea").HasField("rerank")
    assert not recall_request("tea", rerank=False).HasField("rerank")
    assert recall_request("tea", rerank=True).rerank == Rerank(enabled=True)
    stated = Rerank(enabled=True, candidates=50, budget_ms=400)
    assert recall_request("お茶", rerank=stated).rerank == stated


def test_a_filter_compares_metadata() -> None:
    compared = memory_filter(metadata_conditions={"order": {"gte": 10}, "état": {"in": ("a", None)}})
    told = [(each.key, MessageToDict(each.value)) for each in compared.metadata_conditions]
    assert told == [("order", {"gte": 10}), ("état", {"in": ["a", None]})]
