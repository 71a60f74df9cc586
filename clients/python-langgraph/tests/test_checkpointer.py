"""Promises of the checkpointer beyond LangGraph's conformance suite, at a real server."""

from __future__ import annotations

import operator
from concurrent.futures import ThreadPoolExecutor
from typing import Annotated, Any, TypedDict
from uuid import uuid4

import pytest
from langgraph.checkpoint.base import empty_checkpoint
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command, interrupt

from camillo_client import Camillo
from camillo_client.errors import ArtifactNotFound
from camillo_langgraph import CamilloSaver

LONG = "длинный текст " * 8_000


class State(TypedDict):
    said: Annotated[list[str], operator.add]
    log: str


def asks(state: State) -> dict[str, Any]:
    answer = interrupt(f"after {len(state['said'])}?")
    return {"said": [str(answer)]}


def logs(state: State) -> dict[str, Any]:
    return {"log": LONG + str(len(state["said"])), "said": ["logged"]}


def graph_on(saver: CamilloSaver) -> Any:
    builder = StateGraph(State)
    builder.add_node("logs", logs)
    builder.add_node("asks", asks)
    builder.add_edge(START, "logs")
    builder.add_edge("logs", "asks")
    builder.add_edge("asks", END)
    return builder.compile(checkpointer=saver)


def thread(thread_id: str | None = None) -> Any:
    return {"configurable": {"thread_id": thread_id or str(uuid4())}}


def test_a_graph_goes_on_in_another_process_with_values_of_any_length(camillo: Camillo) -> None:
    config = thread()
    graph_on(CamilloSaver(camillo)).invoke({"said": ["привет"]}, config)
    # Nothing but the server is in common.
    again = graph_on(CamilloSaver(camillo))
    assert again.get_state(config).interrupts[0].value == "after 2?"
    done = again.invoke(Command(resume="да"), config)
    assert done == {"said": ["привет", "logged", "да"], "log": LONG + "1"}
    history = list(again.get_state_history(config))
    assert [len(each.values.get("said", [])) for each in history] == [3, 2, 1, 0]
    fork = again.invoke(None, history[2].config)
    assert fork["said"] == ["привет", "logged"]


async def test_a_graph_in_an_event_loop(camillo: Camillo) -> None:
    graph, config = graph_on(CamilloSaver(camillo)), thread()
    await graph.ainvoke({"said": ["猫"]}, config)
    done = await graph.ainvoke(Command(resume="はい"), config)
    assert done["said"] == ["猫", "logged", "はい"]
    assert len([each async for each in graph.aget_state_history(config)]) == 4


def test_a_deleted_thread_leaves_nothing_and_its_copy_stays(camillo: Camillo, saver: CamilloSaver) -> None:
    graph, config = graph_on(saver), thread("one")
    graph.invoke({"said": ["a"]}, config)
    saver.copy_thread("one", "two")
    artifacts = {each.artifact_id for each in camillo.artifacts.list()}
    slots = [entry.key for entry in camillo.slots.list("/langgraph/=one")]
    assert artifacts
    assert slots
    saver.delete_thread("one")
    assert [entry.key for entry in camillo.slots.list("/langgraph/=one")] == []
    gone = artifacts - {each.artifact_id for each in camillo.artifacts.list()}
    assert 0 < len(gone) < len(artifacts)
    with pytest.raises(ArtifactNotFound):
        camillo.artifacts.read(gone.pop())
    assert saver.get_tuple(config) is None
    done = graph.invoke(Command(resume="b"), thread("two"))
    assert done == {"said": ["a", "logged", "b"], "log": LONG + "1"}


def test_a_pruned_thread_keeps_the_artifacts_that_its_newest_checkpoint_names(
    camillo: Camillo, saver: CamilloSaver
) -> None:
    graph, config = graph_on(saver), thread()
    graph.invoke({"said": ["a"]}, config)
    graph.invoke(Command(resume="b"), config)
    saver.prune([config["configurable"]["thread_id"]])
    assert graph.get_state(config).values == {"said": ["a", "logged", "b"], "log": LONG + "1"}
    assert len(list(camillo.artifacts.list())) == 1


def test_a_long_value_is_that_of_its_branch_and_of_its_time(camillo: Camillo, saver: CamilloSaver) -> None:
    """Branches of a thread, and a thread that another process deleted, count the same versions of a channel."""

    def put(config: Any, checkpoint_id: str, log: str) -> Any:
        checkpoint = empty_checkpoint() | {"id": checkpoint_id}
        checkpoint["channel_versions"], checkpoint["channel_values"] = {"log": 1}, {"log": LONG + log}
        return saver.put(config, checkpoint, {}, {"log": 1})

    def log(config: Any) -> Any:
        found = saver.get_tuple(config)
        return found and found.checkpoint["channel_values"]["log"].removeprefix(LONG)

    root: Any = {"configurable": {"thread_id": "t", "checkpoint_ns": ""}}
    one, other = put(root, "00000001", "one"), put(root, "00000002", "other")
    assert (log(one), log(other)) == ("one", "other")
    assert log(put(one, "00000003", "one")) == "one"
    # The child names the artifact of its parent.
    assert len(list(camillo.artifacts.list())) == 2
    CamilloSaver(camillo).delete_thread("t")
    assert log(put(root, "00000004", "anew")) == "anew"


def test_pruning_keeps_ancestors_of_channels_without_a_value(saver: CamilloSaver) -> None:
    config: Any = {"configurable": {"thread_id": "t", "checkpoint_ns": ""}}
    ids = []
    for step in range(5):
        checkpoint = empty_checkpoint()
        checkpoint["id"] = f"0000000{step}"
        checkpoint["channel_versions"] = {"delta": step + 1}
        checkpoint["channel_values"] = {"delta": ["seed"]} if step == 1 else {}
        said: Any = {"step": step, "counters_since_delta_snapshot": {"delta": (1, 1)}}
        config = saver.put(config, checkpoint, said, {"delta": step + 1})
        saver.put_writes(config, [("delta", [step])], f"task-{step}")
        ids.append(checkpoint["id"])
    before = saver.get_delta_channel_history(config=config, channels=["delta"])
    assert before["delta"]["seed"] == ["seed"]
    saver.prune(["t"])
    kept = [each.checkpoint["id"] for each in saver.list({"configurable": {"thread_id": "t"}})]
    assert kept == ids[:0:-1]
    assert saver.get_delta_channel_history(config=config, channels=["delta"]) == before


def test_checkpoints_are_in_no_recall_and_no_digest(camillo: Camillo, saver: CamilloSaver) -> None:
    graph_on(saver).invoke({"said": ["a"]}, thread())
    camillo.slots.set_memory("/user/cat", {"summary": "langgraph cat checkpoint"}, "test")
    found = camillo.recall("langgraph cat checkpoint", sources=["slot"], limit=200).hits
    assert [hit.text.splitlines()[0] for hit in found] == ["/user/cat"]
    assert "user/cat" in (prompt := camillo.context.digest().prompt)
    assert "langgraph.checkpoint" not in prompt


def test_writes_of_one_task_by_several_at_once_are_all_kept(saver: CamilloSaver) -> None:
    config = saver.put({"configurable": {"thread_id": "t", "checkpoint_ns": ""}}, empty_checkpoint(), {}, {})

    def write(number: int) -> None:
        saver.put_writes(config, [("a", number), ("b", number)][: number % 2 + 1], "task")

    with ThreadPoolExecutor(6) as threads:
        list(threads.map(write, range(6)))
    found = saver.get_tuple(config)
    assert found is not None
    assert found.pending_writes is not None
    assert [channel for _, channel, _ in found.pending_writes] == ["a", "b"]


def test_a_checkpoint_is_read_with_the_writes_of_all_its_tasks(saver: CamilloSaver) -> None:
    config: Any = {"configurable": {"thread_id": "t", "checkpoint_ns": ""}}
    saver.put(config, empty_checkpoint(), {}, {})
    newest = saver.put(config, empty_checkpoint(), {}, {})
    for count in range(5):
        for asked in (config, newest):
            found = saver.get_tuple(asked)
            assert found is not None
            assert found.config == newest
            assert [value for _, _, value in found.pending_writes or ()] == [*range(count)]
        saver.put_writes(newest, [("a", count)], f"задача {count}")


def test_a_record_of_many_short_values_fits(saver: CamilloSaver, camillo: Camillo) -> None:
    checkpoint = empty_checkpoint()
    # Random texts cannot be compressed.
    checkpoint["channel_values"] = {f"channel {number}": str(uuid4()) for number in range(5_000)}
    checkpoint["channel_versions"] = dict.fromkeys(checkpoint["channel_values"], 1)
    config: Any = {"configurable": {"thread_id": "t", "checkpoint_ns": ""}}
    stored = saver.put(config, checkpoint, {}, checkpoint["channel_versions"])
    found = saver.get_tuple(stored)
    assert found is not None
    assert found.checkpoint["channel_values"] == checkpoint["channel_values"]
    saver.delete_thread("t")
    assert list(camillo.artifacts.list()) == []


@pytest.mark.parametrize("thread_id", ["a/b", "..", "é", "%2F", "x y\n", "=", "_%"])
def test_threads_of_any_name_are_apart(saver: CamilloSaver, thread_id: str) -> None:
    for each in (thread_id, "a", "a/b/c"):
        config: Any = {"configurable": {"thread_id": each, "checkpoint_ns": "n|s:1"}}
        saver.put(config, empty_checkpoint(), {"step": 1}, {})
    assert len(list(saver.list({"configurable": {"thread_id": thread_id}}))) == 1
    assert len(list(saver.list(None))) == 3
    saver.delete_thread(thread_id)
    assert list(saver.list({"configurable": {"thread_id": thread_id}})) == []
    assert len(list(saver.list(None))) == 2
