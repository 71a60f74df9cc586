"""Rows of chunks: the same for the same event, and all that is known of it."""

import math
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import UUID

import numpy as np
import pytest
from camillo_server.features.events.chunks import chunk_kind, chunk_rows
from camillo_server.features.events.event import WorkflowStatus, WorkflowStepContent
from camillo_server.kernel.ids import chunk_id
from camillo_server.kernel.kinds import ChunkKind, EventKind, Source, source_of
from camillo_server.lib.text.counted_terms import counted_terms
from camillo_server.lib.text.index_terms import MAX_TERMS, index_terms
from camillo_server.models.embedding.embedder import Vector

from tests.unit.events.samples import MOMENT, event_of, result_of

ORIGIN = UUID("01890a5d-ac96-774b-bcce-b302099a8057")


def test_a_chunks_id_follows_from_its_event_and_its_place() -> None:
    ids = [chunk_id(ORIGIN, place) for place in range(1_024)]
    assert len(set(ids)) == 1_024
    assert {each.version for each in ids} == {8}
    assert {str(each)[:13] for each in ids} == {str(ORIGIN)[:13]}
    assert str(ids[0]) == str(chunk_id(ORIGIN, 0))
    assert ids[0] != chunk_id(UUID(int=ORIGIN.int ^ 1), 0)


def test_every_kind_of_event_has_chunks_of_a_kind_of_its_own() -> None:
    kinds = [chunk_kind(kind) for kind in EventKind]
    assert len(set(kinds)) == len(EventKind)
    sources = {kind: source_of(chunk_kind(kind)) for kind in EventKind}
    assert sources.pop(EventKind.WORKFLOW_STEP) is Source.WORKFLOW_STEP
    assert set(sources.values()) == {Source.EVENT}


def test_results_of_tools_that_failed_are_told_from_the_others() -> None:
    failures = [result_of("no leaves", is_error=True), result_of("no leaves", exit_code=1)]
    for result in (*failures, result_of("leaves", exit_code=0)):
        (row,) = chunk_rows(event_of(result))
        assert row.memory.metadata["outcome"] == ("error" if result in failures else "ok")


def test_rows_of_a_step_tell_its_workflow() -> None:
    step = WorkflowStepContent("茶 tea", "", "steep", WorkflowStatus.SKIPPED, "", artifact_id="log_1")
    (row,) = chunk_rows(event_of(step, kind=EventKind.WORKFLOW_STEP))
    told = row.memory
    assert told.content == "茶 tea / steep: skipped"
    assert {"workflow": "茶 tea", "step": "steep", "status": "skipped"}.items() <= told.metadata.items()
    assert "run" not in told.metadata
    assert told.source_refs == (str(event_of(step).event_id), "log_1")
    (row,) = chunk_rows(event_of(replace(step, run="7"), kind=EventKind.WORKFLOW_STEP))
    assert row.memory.metadata["run"] == "7"


def test_rows_tell_what_is_known_of_their_event_and_stand_in_order() -> None:
    event = event_of(result_of("steep the leaves 茶\n" * 200, artifact_id="log_7f3k9q2mxd"))
    rows = [row.memory for row in chunk_rows(event)]
    assert len(rows) > 2
    assert chunk_rows(event) == chunk_rows(event)
    first = rows[0]
    assert first.metadata == {
        "channel": "private",
        "actor": "Ana",
        "actor_type": "human",
        "tool": "read_file",
        "outcome": "ok",
        "path": "src/tee.py",
        "place": 0,
    }
    assert first.kind is ChunkKind.EVENT_TOOL_RESULT
    assert first.source_refs == (str(event.event_id), "log_7f3k9q2mxd")
    assert [row.metadata["place"] for row in rows] == list(range(len(rows)))
    assert [row.occurred_at - MOMENT for row in rows] == [timedelta(microseconds=place) for place in range(len(rows))]
    assert all(row.created_at == row.updated_at == MOMENT for row in rows)


def test_at_the_end_of_all_time_passages_have_the_same_moment() -> None:
    last = datetime.max.replace(tzinfo=UTC)
    long = event_of(result_of("steep the leaves 茶\n" * 200))
    rows = chunk_rows(replace(long, occurred_at=last))
    assert len(rows) > 2
    assert {row.memory.occurred_at for row in rows} == {last}


@pytest.mark.parametrize("words", ["steep the leaves. ", "浸泡茶叶。", "انقع الأوراق. ", "שרה עלים 🍵. "])
def test_a_part_counts_as_long_as_the_mean_of_itself_and_the_whole(words: str) -> None:
    rows = chunk_rows(event_of(words * (3_000 // len(words))))
    own = [len(index_terms(row.text())) for row in rows]
    assert len(own) > 1
    characters = [len(row.memory.content) for row in rows]
    longer = [math.sqrt(sum(characters) / each) for each in characters]
    counted = [row.terms().total for row in rows]
    assert counted == [round(terms * each) for terms, each in zip(own, longer, strict=True)]
    # Whatever becomes of the row on its way.
    vector = Vector("m", np.zeros(1, np.float32))
    assert [row.with_vector(vector).with_terms().terms().total for row in rows] == counted
    assert [row.with_terms().without_vector().terms().total for row in rows] == counted


def test_an_event_of_one_part_counts_as_long_as_it_is() -> None:
    (row,) = chunk_rows(event_of("steep 茶 🍵"))
    assert row.terms() == counted_terms(row.text(), ("ana:", "user:"))
    assert row.terms().total == len(index_terms(row.text()))


def test_parts_of_a_whole_without_measure_are_bounded() -> None:
    counted = {row.terms().total for row in chunk_rows(event_of("a " * 1_000_000))}
    assert max(counted) == MAX_TERMS
