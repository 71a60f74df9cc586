"""A space taken elsewhere: to another space, another tenant, another server, whole or not at all."""

import json
import re
from collections.abc import Callable
from datetime import timedelta
from hashlib import sha256
from io import BytesIO
from typing import Any

import pytest
from camillo.v1.admin_pb2 import ROLE_WRITER
from camillo.v1.admin_service_pb2 import CreateKeyRequest
from camillo.v1.event_service_pb2 import GetEventRequest
from camillo.v1.memory_pb2 import Vector
from camillo_client import AsyncCamillo, new_event, tool_result
from camillo_client.errors import ScopeForbidden
from camillo_client.space_files import MAX_LINE_BYTES, BadSpaceFile

from tests.server_fixtures import Server, StartServer

HOME, AWAY = "users/42", "users/43"
TEXTS = ("Ana trinkt grünen Tee 🍵", "安娜住在里斯本", "آنا تسكن في لشبونة", "Анна любит чай", "アナは紅茶が好き\t\n")


def client_of(server: Server, role: str = "admin") -> AsyncCamillo:
    return server.client(getattr(server.keys, role))


async def fill(server: Server, camillo: AsyncCamillo) -> None:
    """A space with something in every store, and references between them."""
    ana = camillo.for_space(HOME)
    log = await ana.artifacts.put("\n".join(TEXTS) * 20_000, name="log.txt", tool="shell", session_id="s1")
    events = await ana.events.record_many(
        [
            *(new_event(text, session_id="s1", actor="human:42", tags=["ä"]) for text in TEXTS),
            new_event(session_id="s2", tool_result=tool_result("shell", "部分", artifact_id=log.artifact_id)),
        ]
    )
    server.clock.move(1)
    ids = [event.event_id for event in events]  # type: ignore[union-attr]
    moved = await ana.remember(
        TEXTS[0], source_refs=[ids[0], "https://example.org/1"], tags=["tee"], metadata={"n": 0.1}
    )
    await ana.remember(f"See {log.memory_ref}", source_refs=[events[1].chunk_ids[0]])  # type: ignore[union-attr]
    restricted = await ana.remember(TEXTS[1], sensitivity="restricted", pinned=True)
    server.clock.move(1)
    await ana.update(moved.memory_id, 1, content="Ana trinkt jetzt Kaffee ☕", importance=0.3)
    # Another memory may say now what one said before.
    await ana.remember(TEXTS[0], valid_until=server.clock.now() + timedelta(days=9))
    server.clock.move(1)
    newer = await ana.remember(TEXTS[3], supersedes=[restricted.memory_id])
    await ana.update(newer.memory_id, 1, archived=True)
    await ana.events.record("about a memory", session_id="s1", refs=[moved.memory_id, ids[0]])
    for value in ["1", '{"größe": 2}', "null"]:
        await ana.slots.set_memory("/user/größe", value, "said so", unindexed=value == "1")
        server.clock.move(1)
    first = await ana.decisions.record("Tee", refs=[ids[0]])
    server.clock.move(1)
    await ana.decisions.supersede(first.decision_id, 1, "Kaffee", refs=[moved.memory_id])
    await ana.tasks.open("Bohnen kaufen", refs=[ids[1]], status="done")
    await ana.context.views.put("rules", "Siempre en español.")


async def exported(camillo: AsyncCamillo, space: str) -> bytes:
    return b"".join([line async for line in camillo.spaces.export(space)])


# Given anew by the server, and who wrote it.
GIVEN = (
    "agent_id",
    "credential",
    "recorded_at",
    "revision",
    "trust",
    "created_by_agent_id",
    "vector_model_id",
    "is_data",
)
GIVEN_TO_OTHERS = ("created_at", "updated_at", "superseded_at", "is_data")
IDS = ("memory_id", "event_id", "artifact_id", "slot_id", "decision_id", "task_id")
CHUNK = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}")


def is_chunk(ref: str) -> bool:
    return CHUNK.fullmatch(ref) is not None


def lines_of(data: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in data.splitlines()]


def _decision(line: dict[str, Any]) -> str:
    """Decisions by what they say: a clock that stands still does not tell which came first."""
    return line["record"]["stated"]["decision"] if line["store"] == "decisions" else ""


def comparable(data: bytes) -> dict[str, list[Any]]:
    """The records of a file by store, in their order, without what is not the same elsewhere; ids are numbered."""
    text, numbers = data.decode(), dict[str, str]()
    for line in sorted(lines_of(data)[1:-1], key=_decision):
        store, record = line["store"], line["record"]
        for name in IDS[: 0 if store == "artifact_parts" else None]:
            if name in record:
                numbers.setdefault(record[name], f"{store} {sum(each.startswith(store) for each in numbers.values())}")
    for record_id, number in numbers.items():
        text = text.replace(record_id, number)
    stores: dict[str, list[Any]] = {}
    for line in sorted(lines_of(CHUNK.sub("chunk", text).encode())[1:-1], key=_decision):
        given = GIVEN if line["store"] == "memories" else GIVEN + GIVEN_TO_OTHERS
        record = {name: value for name, value in line["record"].items() if name not in given}
        if line["store"] == "decisions":
            # Superseding one by another that is there changes both.
            del record["version"]
        stores.setdefault(line["store"], []).append(record)
    return stores


async def test_a_space_comes_back_whole_in_another_one(server: Server) -> None:
    camillo = client_of(server)
    await fill(server, camillo)
    done = await camillo.spaces.copy(HOME, AWAY)
    assert (done.failures, done.merged, done.dropped_refs) == ([], 0, 0)
    before, after = await exported(camillo, HOME), await exported(camillo, AWAY)
    assert comparable(after) == comparable(before)
    counts = json.loads(before.split(b"\n")[0])["counts"]
    assert counts == {
        "artifacts": 1, "events": 7, "memories": 8, "slots": 3, "decisions": 2, "tasks": 1, "views": 1,
    }  # fmt: skip
    assert done.written == counts
    # Nothing else than it was is found, and what was superseded stays so.
    old, new = camillo.for_space(HOME), camillo.for_space(AWAY)
    for query in TEXTS:
        found = [{hit.memory.memory_id for hit in (await each.recall(query)).hits} for each in (old, new)]
        assert found[0] == found[1] != set()
    # A memory that rests on a chunk rests on that of the new event.
    refs = [ref for each in lines_of(after)[1:-1] for ref in each["record"].get("source_refs", ())]
    (rests_on,) = filter(is_chunk, refs)
    events = [each.event_id async for each in new.events.list(session_id="s1")]
    told = [await server.admin(GetEventRequest(agent_id=AWAY, event_id=event_id)) for event_id in events]
    assert rests_on in {chunk_id for each in told for chunk_id in each.chunk_ids}


async def test_vectors_of_a_caller_are_taken_along_if_asked_for(server: Server) -> None:
    camillo = client_of(server)
    vector = Vector(model_id="mine", values=[0.1, 0.2, 0.3])
    stored = await camillo.for_space(HOME).remember("Grüße", vector=vector)
    for include_vectors in (False, True):
        target = f"users/with-vectors-{include_vectors}"
        data = b"".join([line async for line in camillo.spaces.export(HOME, include_vectors=include_vectors)])
        assert (await camillo.spaces.import_(BytesIO(data), to=target)).failures == []
        found = await camillo.get(stored.memory_id, agent_id=target, include_vector=True)
        assert (found.vector.model_id == "mine") is include_vectors


async def test_a_space_comes_back_whole_in_another_tenant(server: Server) -> None:
    camillo, rival = client_of(server), client_of(server, "rival")
    await fill(server, camillo)
    data = await exported(camillo, HOME)
    done = await rival.spaces.import_(BytesIO(data), to=HOME)
    assert (done.failures, done.written, done.header.space) == ([], done.header.counts, HOME)
    assert comparable(await exported(rival, HOME)) == comparable(data)
    # A file of a file is the same.
    again = await rival.spaces.copy(HOME, AWAY)
    assert (again.failures, again.written) == ([], done.written)
    assert comparable(await exported(rival, AWAY)) == comparable(data)


async def test_a_space_moves_to_another_server(server: Server, start_server: StartServer) -> None:
    camillo = client_of(server)
    await fill(server, camillo)
    data = await exported(camillo, HOME)
    other = await start_server()
    there = client_of(other)
    other.clock.move(60)
    done = await there.spaces.import_(BytesIO(data), to="projects/ana")
    assert (done.failures, done.written) == ([], done.header.counts)
    assert comparable(await exported(there, "projects/ana")) == comparable(data)


async def test_an_import_again_writes_nothing(server: Server) -> None:
    camillo = client_of(server)
    await fill(server, camillo)
    data = await exported(camillo, HOME)
    planned = await camillo.spaces.import_(BytesIO(data), to=AWAY, dry_run=True)
    assert planned.written == planned.header.counts
    assert [each async for each in camillo.for_space(AWAY).list_memories()] == []
    await camillo.spaces.import_(BytesIO(data), to=AWAY)
    once = comparable(await exported(camillo, AWAY))
    # Longer than requests are remembered.
    server.clock.move(3 * 86_400)
    for target in (AWAY, HOME):
        again = await camillo.spaces.import_(BytesIO(data), to=target)
        assert (again.written.total(), again.failures, again.known) == (0, [], planned.written)
    assert comparable(await exported(camillo, AWAY)) == once


class BreakingFile(BytesIO):
    """A file whose disk fails after some lines."""

    lines = 0

    def readline(self, size: int | None = -1, /) -> bytes:
        self.lines -= 1
        if self.lines == 0:
            raise OSError("the disk is gone")
        return super().readline(size)


async def test_an_import_that_was_cut_off_goes_on(server: Server) -> None:
    camillo = client_of(server)
    await fill(server, camillo)
    data = await exported(camillo, HOME)
    count = len(data.splitlines())
    for number in range(count + 4, 2 * count, 5):
        file, target = BreakingFile(data), f"users/cut-{number}"
        file.lines = number
        with pytest.raises(OSError, match="the disk is gone"):
            await camillo.spaces.import_(file, to=target)
        done = await camillo.spaces.import_(BytesIO(data), to=target)
        assert (done.failures, done.written + done.known) == ([], done.header.counts)
        assert comparable(await exported(camillo, target)) == comparable(data)


def sealed(lines: list[bytes]) -> bytes:
    """A file of these lines, with the last line that fits them."""
    body = b"".join(line + b"\n" for line in lines)
    trailer = {"lines": len(lines), "sha256": sha256(body).hexdigest()}
    return body + json.dumps(trailer).encode() + b"\n"


def changed(line: bytes, **fields: Any) -> bytes:
    value = json.loads(line)
    value["record"] |= fields
    return json.dumps(value).encode()


HOSTILE: list[tuple[str, Callable[[list[bytes]], bytes]]] = [
    ("does not fit", lambda lines: b"\n".join(lines[:-1]) + b"\n"),
    ("does not fit", lambda lines: b"\n".join([*lines[:2], lines[2].replace(b"1", b"2"), *lines[3:]]) + b"\n"),
    ("does not fit", lambda lines: b"\n".join([*lines, lines[-1]]) + b"\n"),
    ("no whole JSON", lambda lines: b"\n".join(lines)),
    ("last line", lambda _: b""),
    ("no file of a space", lambda lines: sealed(lines[1:-1])),
    ("another version", lambda lines: sealed([lines[0].replace(b'"version":1', b'"version":2'), *lines[1:-1]])),
    ("exported_at", lambda lines: sealed([lines[0].replace(b"exported_at", b"at"), *lines[1:-1]])),
    ("numbers by store", lambda lines: sealed([lines[0].replace(b'"events":7', b'"events":-7'), *lines[1:-1]])),
    ("unknown store 'secrets'", lambda lines: sealed([lines[0].replace(b'"views"', b'"secrets"'), *lines[1:-1]])),
    ("as many records", lambda lines: sealed(lines[:-2])),
    ("another space", lambda lines: sealed([*lines[:-2], changed(lines[-2], agent_id="users/44")])),
    ("another space", lambda lines: sealed([*lines[:-2], changed(lines[-2], agent_id="")])),
    ("no record of", lambda lines: sealed([*lines[:-2], changed(lines[-2], unknown=1)])),
    ("no record of", lambda lines: sealed([*lines[:-2], changed(lines[-2], agent_id=["x"])])),
    ("unknown store 'keys'", lambda lines: sealed([*lines[:-1], b'{"store":"keys","record":{}}'])),
    ("store and record", lambda lines: sealed([*lines[:-1], b'{"store":"keys"}'])),
    ("part of no artifact", lambda lines: sealed([*lines[:-1], b'{"store":"artifact_parts","record":{"data":""}}'])),
    ("no part", lambda lines: sealed([*lines[:-1], b'{"store":"artifact_parts","record":{"data":"?"}}'])),
    ("other bytes", lambda lines: sealed([line for line in lines[:-1] if b'"artifact_parts"' not in line])),
    ("no whole JSON", lambda lines: sealed([*lines[:-1], b"[" * 100_000])),
    ("a line of more than", lambda lines: sealed([*lines[:-1], b" " * MAX_LINE_BYTES])),
]


async def test_a_file_that_is_not_whole_or_not_of_one_space_writes_nothing(server: Server) -> None:
    camillo = client_of(server)
    await fill(server, camillo)
    lines = (await exported(camillo, HOME)).splitlines()
    for reason, damaged in HOSTILE:
        with pytest.raises(BadSpaceFile, match=reason):
            await camillo.spaces.import_(BytesIO(damaged(lines)), to=AWAY)
    assert [each.space async for each in camillo.spaces.list(AWAY)] == []
    # The same lines, as these functions write them, are taken.
    done = await camillo.spaces.import_(BytesIO(sealed(lines[:-1])), to=AWAY)
    assert (done.failures, done.written) == ([], done.header.counts)


async def test_a_record_that_breaks_a_limit_fails_alone(server: Server) -> None:
    camillo = client_of(server)
    await fill(server, camillo)
    lines = (await exported(camillo, HOME)).splitlines()
    # The last one of each store: nothing rests on it.
    stores = {json.loads(line).get("store"): place for place, line in enumerate(lines)}
    bad: dict[str, dict[str, Any]] = {
        "memories": {"content": "x" * 3_000},
        "slots": {"source": {}},
        "events": {"stated": {"text": "no session"}},
    }
    places = {stores[store]: fields for store, fields in bad.items()}
    for place, fields in places.items():
        lines[place] = changed(lines[place], **fields)
    done = await camillo.spaces.import_(BytesIO(sealed(lines[:-1])), to=AWAY)
    assert sorted(failure.line for failure in done.failures) == sorted(place + 1 for place in places)
    assert done.failed == dict.fromkeys(bad, 1)
    assert all(failure.reason for failure in done.failures)
    assert done.written + done.failed == done.header.counts


async def test_what_a_file_does_not_hold_is_counted(server: Server) -> None:
    camillo = client_of(server)
    ana = camillo.for_space(HOME)
    stays = await ana.remember("stays")
    await ana.remember("ends", expires_at=server.clock.now() + timedelta(seconds=5))
    await ana.runs.start("r1")
    server.clock.move(1)
    await ana.events.record("text", session_id="s", refs=[stays.memory_id])
    server.clock.move(10)
    header, *lines, _ = lines_of(await exported(camillo, HOME))
    assert header["left_out"] | {"runs": 1, "memories": 1} == header["left_out"]
    assert header["not_counted"] == ["links", "audit trail"]
    assert [line["store"] for line in lines] == ["memories", "events"]
    # A memory that is one with another of the other space is counted, and refs to it go.
    await camillo.remember("stays", agent_id=AWAY)
    done = await camillo.spaces.copy(HOME, AWAY)
    assert (done.merged, done.dropped_refs, done.written) == (1, 1, {"memories": 0, "events": 1})


async def key_of(server: Server, grant: str) -> str:
    """A key of the agent `alice` with a grant."""
    made = await server.admin(CreateKeyRequest(agent_id="alice", role=ROLE_WRITER, spaces=[grant]))
    return str(made.secret)


async def test_rights_are_those_of_each_call(server: Server) -> None:
    camillo = client_of(server)
    await fill(server, camillo)
    data = await exported(camillo, HOME)
    async with server.client(await key_of(server, f"{HOME}:read")) as reader:
        # Whoever reads the space takes all of it, restricted rows, too.
        assert comparable(await exported(reader, HOME)) == comparable(data)
        with pytest.raises(ScopeForbidden):
            await reader.spaces.copy(HOME, AWAY)
        await camillo.remember("elsewhere", agent_id=AWAY)
        others = await exported(camillo, AWAY)
        assert (await reader.spaces.import_(BytesIO(others), to=HOME, dry_run=True)).written["memories"] == 1
        with pytest.raises(ScopeForbidden):
            await reader.spaces.import_(BytesIO(others), to=HOME)
        # Into its own space it may.
        assert (await reader.spaces.copy(HOME, "alice")).failures == []
    async with server.client(await key_of(server, f"{AWAY}:write")) as other:
        with pytest.raises(ScopeForbidden):
            await exported(other, HOME)
        assert (await other.spaces.import_(BytesIO(data), to=AWAY)).failures == []
