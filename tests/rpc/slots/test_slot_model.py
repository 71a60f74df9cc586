"""Random operations on slots against a plain dictionary with history, and many writers of one key."""

import asyncio
import json
import random
from collections import defaultdict
from typing import Any

import grpc
from camillo.v1 import lifecycle_service_pb2 as lifecycle
from camillo.v1 import slot_pb2 as pb
from camillo.v1 import slot_service_pb2 as service

from tests.rpc.slots.calls import get_slot, history, listed, set_memory, setting
from tests.rpc.slots.watching import changes_of, exported, versions_of
from tests.server_fixtures import Caller, Server, StartServer, refused

KEYS = ("/a", "/a/b", "/a b", "/a/b/c", "/ключ", "/鍵/🧭", "/é")
OPERATIONS = 120
WRITERS, WRITES = 8, 5


class Model:
    """Contents of the versions of each key, the oldest first; and a log of what was done."""

    def __init__(self) -> None:
        self.versions: dict[str, list[str]] = defaultdict(list)
        self.log: list[tuple[str, int, str]] = []

    def set(self, key: str, content: str) -> int:
        self.versions[key].append(content)
        version = len(self.versions[key])
        self.log.append((key, version, content))
        return version

    def forget(self, key: str) -> None:
        self.versions.pop(key)
        self.log = [each for each in self.log if each[0] != key]

    def in_force(self) -> dict[str, str]:
        newest = {key: versions[-1] for key, versions in self.versions.items() if versions}
        return {key: content for key, content in newest.items() if content != "null"}


async def step(caller: Caller, dice: random.Random, model: Model, number: int) -> None:
    key = dice.choice(KEYS)
    versions = model.versions[key]
    kind = dice.choices(("set", "tombstone", "restore", "conflict", "forget"), (10, 3, 3, 2, 1))[0]
    if kind == "forget" and versions:
        slot_id = (await history(caller, key))[0].slot_id
        request = lifecycle.ForgetRequest(allow_restating=True)
        request.records.slot_ids.append(slot_id)
        await caller(request)
        model.forget(key)
    elif kind == "restore" and versions:
        version = dice.randint(1, len(versions))
        answer = await caller(service.RestoreSlotRequest(key=key, version=version))
        assert answer.slot.version == model.set(key, versions[version - 1])
    elif kind == "conflict":
        refusal = await refused(caller(setting(key, "1", if_version=len(versions) + 1)))
        assert (refusal.code, refusal.reason) == (grpc.StatusCode.ABORTED, "VERSION_CONFLICT")
    else:
        content = "null" if kind == "tombstone" else json.dumps({"n": number, "文": "🧭" * 3})
        slot = await set_memory(caller, key, content, if_version=len(versions))
        assert slot.version == model.set(key, content)


def lines(slots: list[pb.Slot]) -> list[tuple[str, int, str]]:
    return [(slot.key, slot.version, slot.json_content) for slot in slots]


class Copy:
    """A watcher's copy of the slots: each version it was sent, in order."""

    def __init__(self) -> None:
        self.slots: list[pb.Slot] = []
        self.token = ""

    async def follow(self, caller: Caller) -> None:
        start: dict[str, Any] = {"resume_token": self.token}
        for change in await changes_of(caller, **(start if self.token else {"from_beginning": True})):
            if change.HasField("written"):
                self.slots.append(change.written)
            elif change.HasField("forgotten_slot_id"):
                gone = change.forgotten_slot_id
                self.slots = [slot for slot in self.slots if slot.slot_id != gone]
            self.token = change.resume_token


async def test_random_operations_do_what_a_dictionary_with_history_does(server: Server) -> None:
    """A copy that is brought up to date now and then is the same, and so is one that begins at the end."""
    dice, model, copy, caller = random.Random(7), Model(), Copy(), server.alice  # noqa: S311
    for number in range(OPERATIONS):
        await step(caller, dice, model, number)
        if dice.random() < 0.1:
            await copy.follow(caller)
            assert lines(copy.slots) == model.log
    in_force = model.in_force()
    assert in_force
    assert sorted(await listed(caller)) == sorted(in_force)
    for key in KEYS:
        if key in in_force:
            assert (await get_slot(caller, key)).json_content == in_force[key]
        else:
            assert (await refused(get_slot(caller, key))).reason == "SLOT_NOT_FOUND"
        if versions := model.versions[key]:
            found = [each.json_content for each in await history(caller, key, page_size=200)]
            assert found[::-1] == versions
    fresh = Copy()
    for each in (copy, fresh):
        await each.follow(caller)
        assert lines(each.slots) == model.log
    assert lines(versions_of(await exported(caller))) == model.log
    newest = versions_of(await exported(caller, newest_only=True))
    assert {slot.key: slot.json_content for slot in newest} == in_force


async def test_the_history_of_many_writers_at_two_servers_is_complete_and_in_order(start_server: StartServer) -> None:
    """Each version once, in the same order in the history, in every watch and in an export."""
    one, other = await start_server(), await start_server()
    copies = [Copy(), Copy()]

    async def write(writer: int) -> list[int]:
        caller = (one, other)[writer % 2].alice
        return [(await set_memory(caller, "/key", f'"{writer}/{n}"')).version for n in range(WRITES)]

    async def follow() -> None:
        for each, server in zip(copies, (other, one), strict=True):
            await each.follow(server.alice)

    written, _ = await asyncio.gather(asyncio.gather(*map(write, range(WRITERS))), follow())
    for versions in written:
        assert versions == sorted(versions)
    total = WRITERS * WRITES
    assert sorted(each for versions in written for each in versions) == [*range(1, total + 1)]
    await follow()
    newest_first = await history(one.alice, "/key", page_size=200)
    expected = newest_first[::-1]
    assert [slot.version for slot in expected] == [*range(1, total + 1)]
    for place in range(WRITERS):
        own = [slot.json_content for slot in expected if f'"{place}/' in slot.json_content]
        assert own == [f'"{place}/{n}"' for n in range(WRITES)]
    assert [each.slots for each in copies] == [expected, expected]
    assert versions_of(await exported(other.alice)) == expected
