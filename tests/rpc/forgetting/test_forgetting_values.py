"""A forgotten value is found in artifacts, recipes, tags and session ids, too, and what rests on the shared scope is
named."""

from typing import Any

import pytest
from camillo.v1 import memory_pb2
from camillo.v1.artifact_service_pb2 import GetArtifactRequest
from camillo.v1.lifecycle_service_pb2 import ForgetResponse
from camillo.v1.run_pb2 import Trigger
from camillo.v1.run_service_pb2 import StartRunRequest
from camillo.v1.snapshot_service_pb2 import PutRecipeRequest

from tests.rpc.artifacts.calls import put
from tests.rpc.forgetting.test_every_string import RECIPE
from tests.rpc.forgetting.test_forgetting_holes import forget, invariants_hold
from tests.rpc.memories.calls import listed, remember
from tests.rpc.records import decide, decisions, open_task, put_view, record, tasks
from tests.rpc.records import texts as event_texts
from tests.rpc.test_secrets import stored_texts
from tests.server_fixtures import Caller, Server, refused

VALUE = "Die Winterküche liegt hinter dem Schieferdach 🏠"
CONTROL = "Der Dachdecker kommt am 冬至 wieder"
CONFIDENTIAL = memory_pb2.SENSITIVITY_CONFIDENTIAL


def remains(answer: ForgetResponse) -> dict[str, list[str]]:
    return {each.place: sorted(each.ids) for each in answer.receipt.remains}


async def stored(caller: Caller, data: bytes, **fields: Any) -> str:
    """The id of a new artifact."""
    artifact_id: str = (await put(caller, data, **fields)).artifact.artifact_id
    return artifact_id


@pytest.fixture
def server_settings() -> dict[str, Any]:
    """Searches the contents of few artifacts."""
    return {"lifecycle": {"forget_search_bytes": 300_000}}


@pytest.mark.own_server
async def test_artifacts_that_hold_a_value_go_and_those_that_were_not_searched_are_listed(server: Server) -> None:
    lines = "".join(f"line {i}: 建具\n" for i in range(8_000))
    stored_now = [
        await stored(server.alice, b"\x00\x89PNG" + VALUE.encode()),
        await stored(server.alice, (lines * 3).encode()),
    ]
    gone = [
        await stored(server.alice, f"{lines}- {VALUE.upper()}\n".encode()),
        await stored(server.alice, f"{VALUE}.".encode(), sensitivity=CONFIDENTIAL),
        await stored(server.alice, b"bytes", description=f"Note: {VALUE}"),
        await stored(server.alice, b"more bytes", tags=[VALUE]),
    ]
    kept = await stored(server.alice, CONTROL.encode())
    of_bob = await stored(server.admin, VALUE.encode(), agent_id="bob")
    answer, rows = await forget(server.alice, value=VALUE)
    assert list(answer.receipt.records.artifact_ids) == sorted(gone)
    assert rows["artifacts"] == len(gone)
    assert remains(answer)["unsearched_artifacts"] == sorted(stored_now)
    for artifact_id in gone:
        failed = await refused(server.alice(GetArtifactRequest(artifact_id=artifact_id)))
        assert failed.reason == "ARTIFACT_NOT_FOUND"
    assert await server.alice(GetArtifactRequest(artifact_id=kept))
    answer, _ = await forget(server.admin, value=VALUE, all_scopes=True)
    assert list(answer.receipt.records.artifact_ids) == [of_bob]
    assert invariants_hold(server.database)


async def test_an_artifact_is_forgotten_by_its_id(server: Server) -> None:
    of_bob = await stored(server.admin, VALUE.encode(), agent_id="bob")
    mine = await stored(server.alice, VALUE.encode())
    answer, rows = await forget(server.alice, artifact_ids=[mine, of_bob, "none-000"])
    assert list(answer.receipt.records.artifact_ids) == [mine]
    # Its vector may be there by now.
    rows.pop("chunk_vectors", None)
    assert rows == {"artifacts": 1, "chunks": 1}
    assert await server.admin(GetArtifactRequest(artifact_id=of_bob, agent_id="bob"))


async def test_what_was_made_from_a_forgotten_record_is_listed(server: Server) -> None:
    memory = await remember(server.alice, VALUE)
    made = await stored(server.alice, b"picture", source_refs=[memory.memory_id])
    answer, _ = await forget(server.alice, memory_ids=[memory.memory_id])
    assert remains(answer)["artifacts"] == [made]


async def test_recipes_that_hold_a_value_are_listed(server: Server) -> None:
    for name, text in (("winter", VALUE), ("dach", CONTROL)):
        await server.admin(PutRecipeRequest(yaml=RECIPE.format(name, text)))
    answer, _ = await forget(server.alice, value=VALUE)
    assert remains(answer)["recipes"] == ["winter"]


@pytest.mark.own_server
async def test_a_value_is_found_in_tags_session_ids_and_actors(server: Server) -> None:
    for text in (VALUE, CONTROL):
        event = await record(server.alice, f"tagged {text[4:9]}", tags=[text])
        await record(server.alice, f"in session {text[4:9]}", session_id=text)
        await decide(server.alice, f"decided {text[4:9]}", event.event_id, tags=[text])
        await open_task(server.alice, f"to do {text[4:9]}", session_id=text)
        await put_view(server.alice, "a" if text is VALUE else "b", text)
        await server.alice(StartRunRequest(trigger=Trigger(type="t"), session_id=text))
    _, rows = await forget(server.alice, value=VALUE.lower())
    assert rows.items() >= {"events": 2, "decisions": 1, "tasks": 1, "views": 1, "runs": 1}.items()
    assert len(await event_texts(server.alice)) == 2
    assert (len(await decisions(server.alice)), len(await tasks(server.alice))) == (1, 1)
    left = stored_texts(server.database).lower()
    assert (CONTROL.lower() in left, "schieferdach" in left) == (True, False)


async def test_memories_of_agents_that_rest_on_a_shared_memory_are_named_or_go(server: Server) -> None:
    shared = [await remember(server.admin, text, agent_id="@shared") for text in ("甲", "乙")]
    by_bob = await remember(server.admin, "because of it", agent_id="bob", source_refs=[shared[0].memory_id])
    second = await remember(server.admin, "所以", agent_id="bob", source_refs=[shared[1].memory_id])
    answer, _ = await forget(server.admin, agent_id="@shared", memory_ids=[shared[0].memory_id])
    assert remains(answer)["other_scopes"] == [by_bob.memory_id]
    assert len(await listed(server.admin, agent_id="bob")) == 2
    answer, _ = await forget(server.admin, agent_id="@shared", memory_ids=[shared[1].memory_id], all_scopes=True)
    assert second.memory_id in answer.receipt.records.memory_ids
    assert "other_scopes" not in remains(answer)
    assert await listed(server.admin, agent_id="bob") == [by_bob.content]
