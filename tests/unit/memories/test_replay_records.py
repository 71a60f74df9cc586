"""Records of every kind of mutation, as the release before there were versions kept them."""

import json
from datetime import datetime
from typing import Any

from camillo_server.across.admin.store.admin_store import CreatedReplay, KeyReplay
from camillo_server.across.admin.store.agent_rows import DeletedReplay
from camillo_server.across.context.store.context import ViewReplay
from camillo_server.across.context.view import HandoffReplay
from camillo_server.across.forgetting.records import ForgottenEvents, ForgottenReplay, LiftedReplay, ResetReplay
from camillo_server.across.lifecycle.store.passes import PassReplay
from camillo_server.across.runs.store.endings import EndedReplay
from camillo_server.across.runs.store.runs import RunReplay
from camillo_server.features.artifacts.artifact import ArtifactReplay, DeletionReplay
from camillo_server.features.compaction.compaction import CompactionsReplay
from camillo_server.features.decisions.decision import DecisionReplay, SupersessionReplay
from camillo_server.features.events.event import EventsReplay
from camillo_server.features.tasks.task import TaskReplay
from camillo_server.kernel.writes import EmptyReplay, decode, encode
from camillo_server.rows.write_records import MemoriesReplay, RestoredReplay, UpdateReplay

from tests.cases import each_case

AT = "2030-01-01T00:00:00+00:00"
ONE, TWO = "01b8dac5-b400-730e-8f43-1ea1eac3b403", "01b8dac5-b400-7b07-a3d5-daad8d3db275"

# As rows of `requests` held them, column `facts`.
ROWS: list[tuple[type, str]] = [
    (
        MemoriesReplay,
        f"""{{"at": "{AT}", "ends": ["2030-01-15T00:00:00+00:00"], "models": ["random-16"],
        "memory_ids": ["{ONE}"]}}""",
    ),
    (
        MemoriesReplay,
        f"""{{"at": "{AT}", "memory_ids": ["{ONE}", "{TWO}", "{ONE}"], "models": ["random-16", "", "m"],
        "ends": [null, null, "{AT}"], "taken": [0], "refused": [[1, 2]],
        "merged": [{{"place": 2, "memory_id": "{TWO}", "version": 3, "model": "random-16", "accessed_at": null,
        "access_count": 0, "stated_count": 4}}]}}""",
    ),
    (UpdateReplay, '{"version": 2, "stated_count": 2}'),
    (RestoredReplay, '{"restored": 2}'),
    (
        ForgottenReplay,
        f"""{{"stores": {{"memories": 1, "memory_access": 0, "memory_history": 0, "memory_vectors": 1}},
        "memory_ids": ["{ONE}"], "receipt_id": "{TWO}", "forgotten_at": "{AT}", "blocked_values": 1}}""",
    ),
    (
        ForgottenEvents,
        f"""{{"total": 1, "stores": {{"chunks": 1, "events": 1, "chunk_vectors": 0}}, "event_ids": ["{ONE}"],
        "receipt_id": "{TWO}", "invalidated": ["{TWO}"], "forgotten_at": "{AT}"}}""",
    ),
    (ResetReplay, f'{{"receipt_id": "{ONE}", "stores": {{"memories": 1, "memory_vectors": 1}}, "at": "{AT}"}}'),
    (
        EventsReplay,
        f"""{{"at": "{AT}", "events": [["{ONE}", 1, ""], null, "no such ref", {{"rejected": "text"}},
        ["{TWO}", 75, "01b8dac5_b400_7840_grybrieeju"]]}}""",
    ),
    (TaskReplay, f'{{"task_id": "{ONE}", "version": 1, "created_at": "{AT}", "updated_at": "{AT}"}}'),
    (DecisionReplay, f'{{"at": "{AT}", "decision_id": "{ONE}"}}'),
    (SupersessionReplay, f'{{"decision_id": "{ONE}", "version": 1, "supersedes": ["{TWO}"]}}'),
    (
        HandoffReplay,
        f"""{{"handoff_id": "{ONE}", "created_at": "{AT}",
        "expires_at": "2030-01-08T00:00:00+00:00"}}""",
    ),
    (ArtifactReplay, '{"artifact_id": "01b8dac5_b400_7840_grybrieeju"}'),
    (
        DeletionReplay,
        f"""{{"receipt_id": "{ONE}", "size": 1000, "at": "{AT}", "bytes_deleted": true,
        "stores": {{"artifacts": 1, "content_parts": 1, "contents": 1}}}}""",
    ),
    (CompactionsReplay, f"""{{"more": false, "compactions": [["{ONE}", 2, 0, "{TWO}"], ["{TWO}", 4, 3, null]]}}"""),
    (
        PassReplay,
        f"""{{"receipt_id": "{ONE}", "items": [["{TWO}", 1, 1, 0.5, "{AT}", 5, 2]], "counts": [[2, 5, 1]],
        "stores": {{"memories": 1, "memory_access": 0}}, "at": "{AT}",
        "digest": "3639b2eef51e80428da4fc29385b15036420fcaa878552a1d124ccce2474ab3e"}}""",
    ),
    (PassReplay, f"""{{"receipt_id": null, "items": [], "counts": [], "stores": {{}}, "at": "{AT}", "digest": ""}}"""),
    (RunReplay, f'{{"run_id": "{ONE}"}}'),
    (EndedReplay, f'{{"memory_ids": ["{ONE}", "{TWO}"], "rounds": 0}}'),
    (ViewReplay, f'{{"version": 1, "at": "{AT}"}}'),
    (LiftedReplay, '{"lifted": 3}'),
    (CreatedReplay, f'{{"at": "{AT}"}}'),
    (DeletedReplay, '{"memories": 1}'),
    (KeyReplay, '{"key_id": "c7d362f5-f5c2-413f-8280-a060256636b1"}'),
    (EmptyReplay, "{}"),
]
# Fields that a row of that release may lack, with the values that it did without.
OPTIONAL = {"taken": [], "refused": [], "merged": [], "stated_count": 1}


@each_case(("record_type", "row"), ROWS)
def test_a_row_without_a_version_is_read(record_type: type, row: str) -> None:
    assert isinstance(decode(record_type, json.loads(row)), record_type)


@each_case(("record_type", "row"), ROWS)
def test_a_server_of_that_release_can_read_the_rows_of_this_one(record_type: type, row: str) -> None:
    """While servers are updated one by one, either may be asked again what the other has done."""
    old: dict[str, Any] = json.loads(row)
    record: object = decode(record_type, old)
    kept = json.loads(json.dumps(encode(record)))
    # UTC is written as Z today, which `datetime.fromisoformat` of that release reads as well.
    expected = json.loads(row.replace("+00:00", "Z"))
    assert datetime.fromisoformat(AT) == datetime.fromisoformat(AT.replace("+00:00", "Z"))
    assert {**{name: OPTIONAL[name] for name in OPTIONAL if name in old}, **kept} == {**expected, "v": 1}
    assert decode(record_type, kept) == record


def test_what_older_releases_did_not_tell_is_made_up_for() -> None:
    memories = decode(MemoriesReplay, {"at": AT, "memory_ids": [ONE], "models": [""]})
    assert (memories.ends, memories.taken, memories.refused, memories.merged) == (None, (), (), ())
    assert decode(UpdateReplay, {"version": 2}).stated_count == 1
