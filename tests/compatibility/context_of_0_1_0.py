"""Story of a client of 0.1.0 with artifacts, events and context, besides what it could do before."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

from camillo.v1.artifact_service_pb2 import GetUploadRequest
from camillo.v1.artifact_service_pb2_grpc import ArtifactServiceStub
from camillo_client import Camillo, errors, new_event, tool_result
from camillo_client.failures import from_rpc_error
from grpc import RpcError

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.compatibility.playing import Stage

RECIPE = """
name: short
description: Only what was said.
budget: 500
sections:
  - name: recent_window
    source: recent_events
    budget: 400
    priority: 5
"""


def play(stage: Stage) -> None:
    alice, admin = stage.client("alice"), stage.client("admin")
    admin.admin.create_agent("bob")
    keeps_artifacts(alice)
    looks_for_an_upload(stage)
    records_events(alice)
    decides_and_does(alice)
    builds_context(alice, admin)
    hands_off(alice, stage.client("admin", agent_id="bob"))
    # Recalls were answered from it.
    assert "alice" in {index.agent_id for index in stage.client("root").admin.list_indexes()}


def keeps_artifacts(camillo: Camillo) -> None:
    log = "".join(f"{number} tea is ready\n" for number in range(2_000))
    shown = camillo.artifacts.offload(log, tool="shell", exit_code=0)
    assert shown.artifact is not None
    ref = shown.artifact.memory_ref
    assert ref in shown.text
    assert camillo.artifacts.read(ref) == log.encode()
    assert camillo.artifacts.read_text(ref, lines=(2, 2)) == "1 tea is ready\n"
    assert next(camillo.artifacts.pages(ref, max_tokens=100)).first_line == 1
    found = list(camillo.artifacts.search(ref, regex="^199[89] ", limit=5))
    assert [match.line.number for match in found] == [1_999, 2_000]
    assert camillo.artifacts.passages(ref, "tea ready", limit=1)
    put = camillo.artifacts.put([b"piece ", b"by piece"], name="pieces")
    assert (put.name, put.size_bytes) == ("pieces", 14)
    with camillo.artifacts.open(put.artifact_id) as file:
        file.seek(6)
        assert file.read() == b"by piece"
    assert camillo.artifacts.get(put.artifact_id).artifact == put
    changed = camillo.artifacts.update(put.artifact_id, put.version, tags=["kept"])
    assert list(changed.tags) == ["kept"]
    assert [each.artifact_id for each in camillo.artifacts.list(tags_any=["kept"])] == [put.artifact_id]
    camillo.remember("It came piece by piece", source_refs=[put.artifact_id])
    assert len(list(camillo.artifacts.citations(put.artifact_id))) == 1
    assert camillo.artifacts.delete(put.artifact_id).artifact_id == put.artifact_id
    fails(lambda: camillo.artifacts.read(put.artifact_id), errors.ArtifactNotFound)


def looks_for_an_upload(stage: Stage) -> None:
    """Asks for an upload as the client does after one broke off."""
    request = GetUploadRequest(upload_id="01890a5d-ac96-774b-bcce-b302099a8057")
    stub = ArtifactServiceStub(stage.channel())
    try:
        answer = stub.GetUpload(request, metadata=stage.credential("alice"), timeout=10)
    except RpcError as error:
        assert isinstance(from_rpc_error(error), errors.UploadNotFound)  # noqa: PT017
    else:
        raise AssertionError(f"answered: {answer}")


def records_events(camillo: Camillo) -> None:
    asked = camillo.events.record("Is there any tea?", session_id="s", actor="human:ada")
    camillo.events.record(
        session_id="s",
        actor="tool:shelf",
        tool_result=tool_result("shelf", "tea: 2 tins", exit_code=0),
        refs=[asked.event_id],
    )
    both = camillo.events.record_many([new_event(text, session_id="t", actor="human:ada") for text in ("one", "two")])
    assert not any(isinstance(each, errors.CamilloError) for each in both)
    assert camillo.events.get(asked.event_id).event.stated.text == "Is there any tea?"
    told = list(camillo.events.list(session_id="s", page_size=1))
    assert [event.event_id == asked.event_id for event in told] == [True, False]
    with closing(camillo.events.watch(from_beginning=True, session_id="s")) as changes:
        assert next(changes).recorded.event_id == asked.event_id
    assert any(hit.HasField("chunk") for hit in camillo.recall("tea", sources=["event"]).hits)
    assert camillo.events.rebuild_chunks().revision.token
    assert camillo.events.forget(session_id="t").forgotten == 2


def decides_and_does(camillo: Camillo) -> None:
    [event, _] = camillo.events.list(session_id="s")
    tea = camillo.decisions.record("Order tea", refs=[event.event_id], rationale=["it takes long"])
    fails(lambda: camillo.decisions.record("Order milk"), errors.ProvenanceRequired)
    answer = camillo.decisions.supersede(tea.decision_id, tea.version, "Order coffee", refs=[event.event_id])
    assert list(answer.decision.supersedes) == [tea.decision_id]
    assert camillo.decisions.get(tea.decision_id).version == 2
    assert camillo.decisions.query("order").decisions[0].decision == answer.decision
    task = camillo.tasks.open("Order coffee", goal="There is always coffee")
    assert camillo.tasks.move(task.task_id, 1, "doing").version == 2
    fails(lambda: camillo.tasks.move(task.task_id, 1, "done"), errors.VersionConflict)
    assert [each.task_id for each in camillo.tasks.list()] == [task.task_id]
    assert camillo.tasks.get(task.task_id).stated.title == "Order coffee"


def builds_context(camillo: Camillo, admin: Camillo) -> None:
    identity = camillo.context.views.put("identity", "You keep the tea.")
    assert camillo.context.views.get("identity") == identity
    assert [view.name for view in camillo.context.views.list()] == ["identity"]
    bundle = camillo.context.bundle("how much tea?", session_id="s", max_tokens=1000)
    assert "You keep the tea." in bundle.prompt
    assert bundle.tokens <= bundle.budget_tokens == 1000
    assert camillo.context.snapshot("message", focus="tea").prompt
    turns = [("ada", "Is there any tea?"), ("keeper", "Two tins.")]
    assert "Two tins." in camillo.context.working_memory("Be brief.", turns, query="tea").prompt
    assert admin.context.recipes.put(RECIPE).name == "short"
    assert camillo.context.bundle(session_id="s", recipe="short").prompt
    assert "short" in {recipe.name for recipe in camillo.context.recipes.list()}
    admin.context.recipes.delete("short")
    camillo.context.views.delete("identity")
    fails(lambda: camillo.context.views.get("identity"), errors.ViewNotFound)


def hands_off(camillo: Camillo, bob: Camillo) -> None:
    handed = camillo.context.hand_off("bob", "Finish the order")
    assert [each.packet.goal for each in bob.context.handoffs()] == [handed.packet.goal]


def fails(call: Callable[[], object], kind: type[errors.CamilloError]) -> None:
    """Ends with an error of this kind."""
    try:
        answer = call()
    except kind:
        return
    raise AssertionError(f"answered: {str(answer)[:200]}")
