"""Many at once: one content for all who put the same, and nobody's artifact loses its bytes to another's deletion."""

import asyncio
import random
from collections import Counter
from hashlib import sha256
from pathlib import Path
from uuid import uuid4

import grpc
import pytest
from camillo.v1.artifact_service_pb2 import DeleteArtifactRequest

from tests.faults.artifact_uploads import OpenUpload, go_on, held, rows, upload_state
from tests.postgres_fixtures import TestDatabase
from tests.rpc.artifacts.calls import MIB, part_files, put, read, upload
from tests.server_fixtures import Caller, Server, StartServer, refusal

pytestmark = [pytest.mark.xdist_group("artifact_crowds"), pytest.mark.timeout(110)]

CLIENTS = 16
ROUNDS = 200
PAIRS = 16
# How long a deletion waits at most, in turns of the loop: a put takes some hundreds.
TURNS = 400
TEXT = "строка: 構建 🔧 ok é\n".encode() * 40_000


@pytest.fixture(params=["in_postgres", "in_a_directory"])
async def server(request: pytest.FixtureRequest, start_server: StartServer, tmp_path: Path) -> Server:
    url = (tmp_path / "parts").as_uri()
    return await start_server(artifacts={"store_url": url} if request.param == "in_a_directory" else {})


def files(tmp_path: Path) -> int:
    return len(part_files(tmp_path / "parts"))


async def test_the_same_from_many_is_stored_once(server: Server, database: TestDatabase, tmp_path: Path) -> None:
    async def client(number: int) -> str:
        async with grpc.aio.insecure_channel(server.address, [("grpc.use_local_subchannel_pool", 1)]) as channel:
            answer = await put(Caller(channel, server.keys.alice, 30), TEXT, name=f"{number}")
            return str(answer.artifact.artifact_id)

    ids = await asyncio.gather(*(client(number) for number in range(CLIENTS)))
    assert len(set(ids)) == CLIENTS
    found = rows(database)
    assert (found["artifacts"], found["contents"], found["content_parts"]) == (CLIENTS, 1, 2)
    assert files(tmp_path) in (0, 2)
    for artifact_id in ids:
        assert await read(server.alice, artifact_id) == TEXT


async def test_no_put_loses_its_bytes_to_the_deletion_of_the_last_of_the_same(
    server: Server, database: TestDatabase
) -> None:
    chance = random.Random(5)  # noqa: S311
    data = TEXT[:5000]
    last = (await put(server.alice, data)).artifact.artifact_id
    went: Counter[bool] = Counter()
    for _ in range(ROUNDS):

        async def delete(artifact_id: str, turns: int) -> bool:
            for _ in range(turns):
                await asyncio.sleep(0)
            answer = await server.alice(DeleteArtifactRequest(artifact_id=artifact_id))
            return bool(answer.receipt.bytes_deleted)

        deleting = delete(last, chance.randrange(TURNS))
        answer, bytes_deleted = await asyncio.gather(put(server.alice, data), deleting)
        went[bytes_deleted] += 1
        last = answer.artifact.artifact_id
        assert await read(server.alice, last) == data
    # Which came first is the machine's to say; that one of them did each time is not.
    assert went[True] + went[False] == ROUNDS
    found = rows(database)
    assert (found["artifacts"], found["contents"]) == (1, 1)
    assert (await server.app.artifacts.collection()).lost == 0


async def test_of_two_that_go_on_with_one_upload_one_wins(server: Server, database: TestDatabase) -> None:
    """Each with other bytes behind the same beginning."""
    beginning = (TEXT * 2)[: 2 * MIB + 70_000]
    for number in range(PAIRS):
        upload_id = str(uuid4())
        async with OpenUpload(server.alice) as going:
            going.send(list(upload(beginning, upload_id=upload_id))[:-1])
            await held(server.alice, upload_id, MIB)
        start = await until_quiet(server.alice, upload_id)
        variants = [beginning[:start] + f"{number}{name}\n".encode() * 200_000 for name in ("one", "two")]
        answers = await asyncio.gather(
            *(go_on(server.alice, data, upload_id=upload_id) for data in variants), return_exceptions=True
        )
        for data, answer in zip(variants, answers, strict=True):
            if isinstance(answer, grpc.aio.AioRpcError):
                assert refusal(answer).reason in CLEAR, refusal(answer)
            elif isinstance(answer, BaseException):
                raise answer
            else:
                assert answer.artifact.sha256 == sha256(data).digest()
                assert await read(server.alice, answer.artifact.artifact_id) == data
        assert sum(isinstance(answer, BaseException) for answer in answers) == 1
    assert (await server.app.artifacts.collection()).lost == 0


CLEAR = {"UPLOAD_OFFSET_MISMATCH", "UPLOAD_NOT_FOUND", "ALREADY_EXISTS", "CONTENT_MISMATCH"}


async def until_quiet(caller: Caller, upload_id: str) -> int:
    """How many bytes of an upload that was broken off are held."""
    # A repeated answer: the part that was on its way has come or will not.
    before = -1
    while (now := int((await upload_state(caller, upload_id)).held_bytes)) != before:
        before = now
    return now
