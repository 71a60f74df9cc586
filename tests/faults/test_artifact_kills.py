"""SIGKILL between every two steps of a call: what is there is whole, what was acknowledged stays, nothing is left
over."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from camillo.v1.artifact_pb2 import Artifact, NewArtifact
from camillo.v1.artifact_service_pb2 import (
    DeleteArtifactRequest,
    DeleteArtifactResponse,
    GetArtifactRequest,
    OffloadOutputRequest,
    OffloadOutputResponse,
    PutArtifactResponse,
)
from google.protobuf.message import Message

from tests.faults.artifact_kills import MAX_STEPS, DoomedProcess, Run, Stage, doomed_process
from tests.faults.artifact_uploads import go_on, upload_state
from tests.rpc.artifacts.calls import MIB, put, read, upload
from tests.server_fixtures import StartServer, refused
from tests.unit.identity.moving_clock import MovingClock

pytestmark = [pytest.mark.xdist_group("artifact_kills"), pytest.mark.timeout(110)]

NAME = "build.log"
PUT_BYTES = 2 * MIB + 9
OUTPUT_BYTES = MIB + 9
BYSTANDER = "a content that stays: 構建 🔧\n".encode()
LINES = "".join(f"строка {i}: 構建 🔧 ok é\n" for i in range(60_000)).encode()


def content(number: int, size: int) -> bytes:
    """A text that no other number has."""
    return (f"{number}\n".encode() + LINES)[:size]


@pytest.fixture
def clock() -> MovingClock:
    """A clock at the time of the killed processes."""
    clock = MovingClock()
    clock.moment = datetime.now(UTC)
    return clock


@pytest.fixture(scope="module")
async def doomed() -> AsyncIterator[DoomedProcess]:
    async with doomed_process() as doomed:
        yield doomed


@pytest.fixture(params=["in_postgres", "in_a_directory"])
async def stage(
    request: pytest.FixtureRequest, start_server: StartServer, doomed: DoomedProcess, tmp_path: Path
) -> AsyncIterator[Stage]:
    directory = tmp_path / "parts" if request.param == "in_a_directory" else None
    server = await start_server(artifacts={"store_url": directory.as_uri()} if directory else {})
    stage = Stage(doomed, server, directory)
    await put(server.alice, BYSTANDER, name="bystander")
    await stage.collected_after_a_day()
    yield stage
    (bystander,) = await stage.artifacts("bystander")
    assert await read(server.alice, bystander.artifact_id) == BYSTANDER


async def kill_at_every_step(
    stage: Stage,
    method: str,
    requests: Callable[[int], Awaitable[Iterable[Message]]],
    check: Callable[[Run, int], Awaitable[None]],
) -> tuple[int, int]:
    """How many steps the call has, and how many kills left something for a collection. Checks what is there after each
    kill, and after the call that was left to end; then removes what is seen of it, after which a collection has to
    remove the rest."""
    unharmed = stage.state()
    with_rest = 0
    for number in range(MAX_STEPS):
        run = await stage.call(method, await requests(number), number)
        await check(run, number)
        for artifact in await stage.artifacts(NAME):
            await stage.server.alice(DeleteArtifactRequest(artifact_id=artifact.artifact_id))
        with_rest += stage.state() != unharmed
        collected = await stage.collected_after_a_day()
        assert (collected.lost, stage.state()) == (0, unharmed), run.killed_before
        if run.answer is not None:
            return run.steps, with_rest
    raise AssertionError("the call takes more steps than are tried")


async def the_artifact(stage: Stage, data: bytes) -> Artifact:
    """The one that can be seen, whole."""
    (artifact,) = await stage.artifacts(NAME)
    assert artifact.sha256 == sha256(data).digest()
    assert await read(stage.server.alice, artifact.artifact_id) == data
    return artifact


async def test_a_put_is_there_whole_or_not_at_all_and_is_gone_on_with(stage: Stage) -> None:
    seen, went_on_at = set(), set()

    def fields(number: int) -> dict[str, Any]:
        return {"name": NAME, "request_id": f"put {number}", "upload_id": _upload_id(number)}

    async def requests(number: int) -> Iterable[Message]:
        return upload(content(number, PUT_BYTES), **fields(number))

    async def check(run: Run, number: int) -> None:
        data = content(number, PUT_BYTES)
        found = await stage.artifacts(NAME)
        seen.add(len(found))
        if found:
            await the_artifact(stage, data)
        state = await upload_state(stage.server.alice, _upload_id(number))
        held = None if state.artifact_id else state.held_bytes
        # Every other time it is left as it is, unless it was never gone on with from there.
        if number % 2 or run.answer is not None or held not in went_on_at:
            went_on_at.add(held)
            if not state.artifact_id:
                await go_on(stage.server.alice, data, **fields(number))
            artifact = await the_artifact(stage, data)
            assert found in ([], [artifact])
            again = fields(number) | {"upload_id": ""}
            assert (await put(stage.server.alice, data, **again)).artifact == artifact
        if run.answer is not None:
            assert PutArtifactResponse.FromString(run.answer).artifact == artifact

    steps, with_rest = await kill_at_every_step(stage, "PutArtifact", requests, check)
    assert steps >= 12
    assert with_rest >= 2
    assert seen == {0, 1}
    assert went_on_at >= {0, MIB, 2 * MIB, None}


def _upload_id(number: int) -> str:
    return f"00000000-0000-4000-8000-{number:012d}"


async def test_an_offload_is_there_whole_or_not_at_all(stage: Stage) -> None:
    seen = set()

    def request(number: int) -> OffloadOutputRequest:
        return OffloadOutputRequest(
            request_id=f"offload {number}", output=content(number, OUTPUT_BYTES), artifact=NewArtifact(name=NAME)
        )

    async def requests(number: int) -> Iterable[Message]:
        return [request(number)]

    async def check(run: Run, number: int) -> None:
        data = content(number, OUTPUT_BYTES)
        found = await stage.artifacts(NAME)
        seen.add(len(found))
        if found:
            await the_artifact(stage, data)
        if number % 2 or run.answer is not None:
            answer = await stage.server.alice(request(number))
            assert await the_artifact(stage, data) == answer.artifact
            assert found in ([], [answer.artifact])
        if run.answer is not None:
            assert OffloadOutputResponse.FromString(run.answer) == answer

    steps, with_rest = await kill_at_every_step(stage, "OffloadOutput", requests, check)
    assert steps >= 6
    assert with_rest >= 5
    assert seen == {0, 1}


async def test_a_deletion_is_done_wholly_or_not_at_all_and_nothing_comes_back(stage: Stage) -> None:
    seen = set()
    alice = stage.server.alice
    deleted: dict[int, Artifact] = {}

    def request(number: int) -> DeleteArtifactRequest:
        artifact_id = deleted[number].artifact_id
        return DeleteArtifactRequest(request_id=f"delete {number}", artifact_id=artifact_id)

    async def requests(number: int) -> Iterable[Message]:
        deleted[number] = (await put(alice, content(number, OUTPUT_BYTES), name=NAME)).artifact
        return [request(number)]

    async def check(run: Run, number: int) -> None:
        found = await stage.artifacts(NAME)
        seen.add(len(found))
        if found:
            assert await the_artifact(stage, content(number, OUTPUT_BYTES)) == deleted[number]
        if number % 2 or run.answer is not None:
            receipt = (await alice(request(number))).receipt
            assert {each.store: each.rows for each in receipt.stores}["artifacts"] == 1
        if run.answer is not None:
            answered = DeleteArtifactResponse.FromString(run.answer).receipt
            assert (answered.receipt_id, answered.bytes_deleted) == (receipt.receipt_id, True)
            asked = GetArtifactRequest(artifact_id=deleted[number].artifact_id)
            assert (await refused(alice(asked))).reason == "ARTIFACT_NOT_FOUND"

    steps, with_rest = await kill_at_every_step(stage, "DeleteArtifact", requests, check)
    assert steps >= 10
    # In Postgres all of it is one transaction.
    assert (with_rest > 0) == (stage.directory is not None)
    assert seen == {0, 1}
    # Artifacts that were never acknowledged are gone as well by now; none is visible.
    assert not await stage.artifacts(NAME)


async def test_content_that_is_there_already_stays_whole(stage: Stage) -> None:
    """The upload's own bytes go, and those of the artifact that was there stay."""

    async def requests(number: int) -> Iterable[Message]:
        return upload(BYSTANDER, name=NAME)

    async def check(run: Run, number: int) -> None:
        (bystander,) = await stage.artifacts("bystander")
        for artifact in (bystander, *await stage.artifacts(NAME)):
            whole = await read(stage.server.alice, artifact.artifact_id)
            assert whole == BYSTANDER

    steps, with_rest = await kill_at_every_step(stage, "PutArtifact", requests, check)
    assert steps >= 15
    assert with_rest >= 5
