"""`camillo rescue` of a server whose Postgres is gone, and of one that is dead itself."""

import asyncio
import json
import stat
from datetime import UTC, datetime
from pathlib import Path

import grpc
import pytest
from camillo.v1 import admin_service_pb2 as admin
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo_server.doors.spool.spool import Spool
from camillo_server.lib.crypto.keyring import Keyring
from camillo_server.storage.embedded.server import EmbeddedPostgres

from tests.cli.conftest import Finished, clean_environ, run_process
from tests.faults.server_process import server_process
from tests.faults.spool_process import spool_process
from tests.patience import PATIENCE_SECONDS
from tests.postgres_fixtures import TestDatabase
from tests.rpc.records import record
from tests.server_fixtures import Caller
from tests.tenant_keys import create_keys
from tests.unit.spool.spooled_writes import KEYS, OTHER_KEYS, TEXTS, spooled_write

pytestmark = [pytest.mark.xdist_group("rescue"), pytest.mark.timeout(110)]

# KEYS and OTHER_KEYS, as an operator gives them.
KEY_TEXT = "k1:MTExMTExMTExMTExMTExMTExMTExMTExMTExMTExMTE="
OTHER_KEY_TEXT = "k2:MjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjI="
AGENTS = {"alice": TEXTS[0], "bob": TEXTS[1], "": TEXTS[2]}


async def rescue(data_dir: Path, target: Path, *arguments: str, keys: str = "") -> Finished:
    environ = clean_environ() | {"CAMILLO_DATA_DIR": str(data_dir)}
    if keys:
        environ["CAMILLO_ENCRYPTION_KEYS"] = keys
    return await asyncio.to_thread(run_process, "rescue", str(target), *arguments, environ=environ)


def lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


async def warm(caller: Caller) -> None:
    """Recalls until every scope is in the memory of the server."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        held = -1
        while held < len(AGENTS):
            for agent in AGENTS:
                await caller(service.RecallRequest(agent_id=agent or "@shared", text="key"))
            held = len((await caller(admin.ListIndexesRequest())).indexes)


async def test_what_a_server_has_in_memory_outlives_its_postgres(
    postgres: EmbeddedPostgres, own_database: TestDatabase, tmp_path: Path
) -> None:
    keys = create_keys(own_database, datetime.now(UTC))
    # Too long for the address of a Unix socket.
    data_dir = tmp_path / "данные" / ("d" * 90)
    data_dir.mkdir(parents=True)
    with server_process(data_dir, database_url=own_database.server_url) as process:
        async with grpc.aio.insecure_channel(await process.ready()) as channel:
            caller = Caller(channel, keys.admin, PATIENCE_SECONDS)
            for agent, text in AGENTS.items():
                new = pb.NewMemory(content=f"{text}\n# not a heading", tags=["ключ", "deploy"])
                await caller(service.RememberRequest(agent_id=agent or "@shared", memory=new))
            await record(caller, "we met 会议", agent_id="alice")
            await warm(caller)
            await asyncio.to_thread(postgres.stop)
            (listening,) = data_dir.glob("rescue-*.sock")
            assert stat.S_IMODE(listening.stat().st_mode) == 0o600
            target = tmp_path / "rescued"
            done = await rescue(data_dir, target, "--json")
        assert done.returncode == 0, done.stderr
        told = json.loads(done.stdout)
        assert told["servers"] == 1
        assert [(each["agent_id"], each["memories"]) for each in told["scopes"]] == [("", 1), ("alice", 1), ("bob", 1)]
        # A second time, by people; and nothing is overwritten.
        table = await rescue(data_dir, tmp_path / "again")
        assert "4 items of 3 scopes, from 1 server and 0 spool files" in table.stdout
        refused = await rescue(data_dir, target)
        assert (refused.returncode, refused.stderr.count("not empty")) == (2, 1)
    for agent, text in AGENTS.items():
        folder = target / "acme" / (agent or "@shared")
        (memory,) = lines(folder / "memories.jsonl")
        assert memory["content"] == f"{text}\n# not a heading"
        page = (folder / "MEMORY.md").read_text("utf-8")
        assert f"> {text}\n> # not a heading\n" in page
        assert "#ключ · #deploy" in page
        assert stat.S_IMODE((folder / "MEMORY.md").stat().st_mode) == 0o600
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    (chunk,) = lines(target / "acme" / "alice" / "records.jsonl")
    assert "会议" in str(chunk["text"])
    # The socket goes with the process.
    assert not listening.exists() or (await rescue(data_dir, tmp_path / "none")).returncode == 3


async def test_what_was_rescued_can_be_imported(
    database: TestDatabase, tmp_path: Path, own_database: TestDatabase
) -> None:
    keys = create_keys(own_database, datetime.now(UTC))
    target = tmp_path / "rescued"
    with server_process(tmp_path, database_url=own_database.server_url) as process:
        async with grpc.aio.insecure_channel(await process.ready()) as channel:
            caller = Caller(channel, keys.admin, PATIENCE_SECONDS)
            for agent, text in AGENTS.items():
                new = pb.NewMemory(content=text, tags=["тег"], kind=pb.MEMORY_KIND_PREFERENCE)
                await caller(service.RememberRequest(agent_id=agent or "@shared", memory=new))
            await warm(caller)
            assert (await rescue(tmp_path, target)).returncode == 0
    spooled = pb.NewMemory(content="紫藤要浇水")
    body = service.RememberRequest(agent_id="bob", memory=spooled).SerializeToString()
    spool = Spool(tmp_path / "dead" / "spool", 8 << 20, Keyring.empty())
    await spool.append(spooled_write(0, body, agent="bob"))
    await spool.close()
    assert (await rescue(tmp_path / "dead", tmp_path / "rescued too")).returncode == 0
    new_keys = create_keys(database, datetime.now(UTC))
    with server_process(tmp_path / "other", database_url=database.server_url) as process:
        address = await process.ready()
        environ = {"CAMILLO_ADDRESS": address, "CAMILLO_KEY": new_keys.admin}
        for file in (
            target / "acme" / "bob" / "memories.jsonl",
            tmp_path / "rescued too" / "acme" / "bob" / "spooled-memories.jsonl",
        ):
            done = await asyncio.to_thread(
                run_process, *("import", str(file), "--agent", "bob"), environ=clean_environ() | environ
            )
            assert done.stdout.startswith("imported 1"), done.stderr
        async with grpc.aio.insecure_channel(address) as channel:
            caller = Caller(channel, new_keys.admin, PATIENCE_SECONDS)
            listed = (await caller(service.ListMemoriesRequest(agent_id="bob"))).memories
    assert {(each.content, each.kind, *each.tags) for each in listed} == {
        (AGENTS["bob"], pb.MEMORY_KIND_PREFERENCE, "тег"),
        ("紫藤要浇水", pb.MEMORY_KIND_FACT),
    }


async def fill_spool(data_dir: Path, keyring: Keyring) -> None:
    """A spool of a process that is gone, one write of which is done."""
    spool = Spool(data_dir / "spool", 8 << 20, keyring)
    writes = [spooled_write(number, agent="bob") for number in range(4)]
    for write in writes:
        await spool.append(write)
    async for batch in spool.batches():
        await spool.done(batch[:1])
    await spool.close()


async def test_the_spool_of_a_dead_server_is_rescued_and_stays(tmp_path: Path) -> None:
    await fill_spool(tmp_path, KEYS)
    before = {path: path.read_bytes() for path in (tmp_path / "spool").iterdir()}
    target = tmp_path / "rescued"
    done = await rescue(tmp_path, target, keys=KEY_TEXT)
    assert done.returncode == 0, done.stderr
    folder = target / "acme" / "bob"
    assert [each["request_id"] for each in lines(folder / "spooled.jsonl")] == [
        f"request-{number}" for number in (1, 2, 3)
    ]
    page = (folder / "MEMORY.md").read_text("utf-8")
    assert page.count("SPOOLED, never stored in Postgres") == 3
    assert f"> {TEXTS[1]}\n" in page
    assert {path: path.read_bytes() for path in (tmp_path / "spool").iterdir()} == before
    # A server with this data directory still replays it.
    spool = Spool(tmp_path / "spool", 8 << 20, KEYS)
    await spool.open()
    assert spool.waiting_count == 3
    await spool.close()


async def test_spooled_writes_without_their_key_are_told(tmp_path: Path) -> None:
    await fill_spool(tmp_path, OTHER_KEYS)
    done = await rescue(tmp_path, tmp_path / "rescued", "--json", keys=KEY_TEXT)
    assert done.returncode == 1
    assert json.loads(done.stdout)["unopened"] == {"k2": 3}
    assert "key k2 is missing" in done.stderr
    done = await rescue(tmp_path, tmp_path / "other", keys=OTHER_KEY_TEXT)
    assert done.returncode == 0, done.stderr


async def test_the_spool_of_a_running_process_is_read_while_it_grows(tmp_path: Path) -> None:
    with spool_process(tmp_path / "spool", "append", "1") as process:
        acknowledged = set(await process.lines(100))
        done = await rescue(tmp_path, tmp_path / "rescued", keys=KEY_TEXT)
        assert done.returncode == 0, done.stderr
        # It went on meanwhile.
        assert len(await process.kill()) > 0
    found = lines(tmp_path / "rescued" / "acme" / "алиса" / "spooled.jsonl")
    numbers = [int(str(each["request_id"]).removeprefix("request-")) for each in found]
    assert acknowledged <= set(numbers)
    assert numbers == sorted(numbers)


async def test_where_there_is_nothing_that_is_said_and_no_directory_made(tmp_path: Path) -> None:
    done = await rescue(tmp_path, tmp_path / "rescued")
    assert done.returncode == 3
    assert "nothing to rescue" in done.stderr
    assert not (tmp_path / "rescued").exists()
