"""Everything that the facade of 0.1.0 does."""

from __future__ import annotations

import asyncio
from contextlib import aclosing, closing
from typing import TYPE_CHECKING

from camillo.v1.memory_pb2 import MemoryKind
from camillo_client import (
    AsyncCamillo,
    Camillo,
    at_least_as_fresh,
    enum_name,
    errors,
    fully_consistent,
    memory_filter,
    minimize_latency,
    new_memory,
    recall_request,
    to_dict,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.compatibility.playing import Stage

NO_TOKEN = "made up"  # noqa: S105


def play(stage: Stage) -> None:
    alice = stage.client("alice")
    writes_and_reads(alice)
    recalls(alice)
    lists_pages(alice)
    goes_out_and_in_again(alice, stage.client("admin", agent_id="heir"))
    watches(alice)
    is_told_typed_errors(alice, stage.client("reader"))
    administers(stage.client("root"))
    asyncio.run(does_the_same_asynchronously(stage))


def writes_and_reads(camillo: Camillo) -> None:
    tea = camillo.remember(
        "Ada prefers tea to coffee",
        kind="preference",
        tags=["drinks"],
        importance=0.75,
        metadata={"shelf": 2, "open": True, "茶": None},
    )
    assert enum_name(MemoryKind, tea.kind) == "preference"
    assert tea.version == 1
    assert to_dict(tea.metadata) == {"shelf": 2.0, "open": True, "茶": None}
    changed = camillo.update(tea.memory_id, 1, importance=0.9, content="Ada prefers green tea")
    assert changed.version == 2
    assert camillo.get(tea.memory_id) == changed
    assert camillo.get(tea.memory_id, include_vector=True).vector.values
    assert [each.memory.version for each in camillo.history(tea.memory_id)] == [2, 1]
    assert camillo.update(tea.memory_id, 2, archived=True).archived
    assert camillo.restore([tea.memory_id]) == 1
    assert camillo.forget([tea.memory_id], dry_run=True).forgotten == 1
    receipt = camillo.forget([tea.memory_id]).receipt
    assert list(receipt.memory_ids) == [tea.memory_id]
    assert not list(camillo.list_memories())


def recalls(camillo: Camillo) -> None:
    tea, milk = camillo.remember_many(
        ["Ada keeps her tea on shelf two", new_memory("Milk is in the fridge", tags=["cold"])]
    )
    assert not isinstance(tea, errors.CamilloError)
    assert not isinstance(milk, errors.CamilloError)
    answer = camillo.recall("tea on the shelf", limit=1, profile="recency_weighted", explain=True)
    [hit] = answer.hits
    assert hit.memory.memory_id == tea.memory_id
    assert 0 < hit.score <= 1
    assert hit.HasField("breakdown")
    for freshness in (fully_consistent(), minimize_latency(), at_least_as_fresh(answer.revision)):
        assert camillo.recall("tea", freshness=freshness).hits
    only_cold = memory_filter(tags_any=["cold"])
    assert [hit.memory.content for hit in camillo.recall("milk", filter=only_cold).hits] == ["Milk is in the fridge"]
    vector = camillo.get(tea.memory_id, include_vector=True).vector
    assert camillo.recall(vector=vector, limit=1).hits[0].memory.memory_id == tea.memory_id
    found, refused, also = camillo.recall_many(["tea", recall_request(""), "milk"])
    assert isinstance(refused, errors.InvalidField)
    for each in (found, also):
        assert not isinstance(each, errors.CamilloError)
        assert each.hits


def lists_pages(camillo: Camillo) -> None:
    camillo.remember_many(f"number {number}" for number in range(7))
    # 7 and the two of before, newest first.
    listed = [memory.content for memory in camillo.list_memories(page_size=4)]
    assert len(listed) == 9
    assert {f"number {number}" for number in range(7)} <= set(listed)
    [bad, good] = camillo.remember_many(["x" * 5000, "short enough"])
    assert isinstance(bad, errors.InvalidField)
    assert bad.field_violations[0].field.endswith("content")
    assert not isinstance(good, errors.CamilloError)


def goes_out_and_in_again(camillo: Camillo, heir: Camillo) -> None:
    exported = list(camillo.export(include_vectors=True))
    assert len(exported) == 10
    told: list[int] = []
    answer = heir.import_memories(exported, on_progress=told.append)
    assert (answer.imported, told[-1]) == (10, 10)
    assert heir.import_memories(exported, on_conflict="skip").imported == 0
    again = {memory.memory_id: memory.content for memory in heir.list_memories()}
    assert again == {memory.memory_id: memory.content for memory in exported}


def watches(camillo: Camillo) -> None:
    with closing(camillo.watch(from_beginning=True)) as changes:
        seen = [next(changes) for _ in range(10)]
    assert all(change.changed.content for change in seen)
    token = seen[-1].resume_token
    late = camillo.remember("told while nobody watched")
    with closing(camillo.watch(resume_token=token)) as changes:
        following = (change for change in changes if change.HasField("changed"))
        assert next(following).changed == late
    with closing(camillo.watch(resume_token=NO_TOKEN)) as changes:
        fails(lambda: next(changes), errors.InvalidPageToken)


def is_told_typed_errors(camillo: Camillo, reader: Camillo) -> None:
    tea = camillo.remember("Tea is ready", request_id="once")
    assert camillo.remember("Tea is ready", request_id="once") == tea
    reused = fails(lambda: camillo.remember("other", request_id="once"), errors.RequestIdReused)
    assert reused.request_id == "once"
    conflict = fails(lambda: camillo.update(tea.memory_id, 9, importance=1.0), errors.VersionConflict)
    assert isinstance(conflict, errors.VersionConflict)
    assert (conflict.expected, conflict.actual) == (9, 1)
    nobody = "01890a5d-ac96-774b-bcce-b302099a8057"
    fails(lambda: camillo.get(nobody), errors.MemoryNotFound)
    fails(lambda: reader.remember("by a reader"), errors.ScopeForbidden)
    fails(lambda: camillo.recall("tea", agent_id="somebody"), errors.ScopeForbidden)
    fails(lambda: camillo.recall("tea", timeout=1e-9), errors.DeadlineExceeded)


def administers(root: Camillo) -> None:
    assert root.who_am_i().tenant_id == "acme"
    assert root.admin.create_tenant("guests", display_name="Guests").tenant_id == "guests"
    fails(lambda: root.admin.create_tenant("guests"), errors.AlreadyExists)
    assert root.admin.create_agent("visitor", tenant_id="guests").agent_id == "visitor"
    assert [each.agent_id for each in root.admin.list_agents(tenant_id="guests")] == ["visitor"]
    created = root.admin.create_key("writer", agent_id="visitor", tenant_id="guests")
    assert created.secret
    [key] = root.admin.list_keys(tenant_id="guests")
    assert key.key_id == created.key.key_id
    assert root.admin.revoke_key(key.key_id, tenant_id="guests").HasField("revoked_at")
    assert root.admin.delete_agent("visitor", confirm_agent_id="visitor", tenant_id="guests") == 0
    assert {each.tenant_id for each in root.admin.list_tenants()} == {"acme", "rival", "guests"}
    assert root.admin.delete_tenant("guests", confirm_tenant_id="guests") == 0


async def does_the_same_asynchronously(stage: Stage) -> None:
    async with AsyncCamillo.connect(stage.address, key=stage.keys["rival"], agent_id="bob") as bob:
        memory = await bob.remember("Bob prefers coffee")
        hits = (await bob.recall("coffee")).hits
        assert [hit.memory.memory_id for hit in hits] == [memory.memory_id]
        assert [each.content async for each in bob.list_memories()] == ["Bob prefers coffee"]
        async with aclosing(bob.watch(from_beginning=True)) as changes:
            assert (await anext(changes)).changed == memory
        assert [each async for each in bob.export()] == [memory]
        assert (await bob.import_memories([memory], on_conflict="replace")).imported == 1


def fails(call: Callable[[], object], kind: type[errors.CamilloError]) -> errors.CamilloError:
    """The error that a call ends with."""
    try:
        answer = call()
    except errors.CamilloError as error:
        # Not of a subclass: the old client knows its own.
        if type(error) is kind:
            return error
        raise
    raise AssertionError(f"answered: {str(answer)[:200]}")
