"""Page and resume tokens: taken for the query that they were made for, refused everywhere else."""

import random
from base64 import urlsafe_b64decode, urlsafe_b64encode

import grpc
import pytest
from camillo.v1 import admin_service_pb2 as admin
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from google.protobuf.message import Message

from tests.rpc.memories.calls import remember
from tests.rpc.memories.test_update import update
from tests.rpc.watching import Watch
from tests.server_fixtures import Caller, Refusal, Server, refused

JUNK = ["?", "A", "AAAA", "not base 64 \u00e4", "x" * 60_000, "\0", "=" * 8]


def paged(token: str) -> list[Message]:
    """A request with this token for each list there is."""
    return [
        service.ListMemoriesRequest(page_size=1, page_token=token),
        service.ListMemoryRevisionsRequest(memory_id=ID, page_size=1, page_token=token),
        admin.ListTenantsRequest(page_size=1, page_token=token),
        admin.ListAgentsRequest(page_size=1, page_token=token),
        admin.ListKeysRequest(page_size=1, page_token=token),
    ]


ID = "01890a5d-ac96-774b-bcce-b302099a8057"


@pytest.fixture
async def filled(server: Server) -> Server:
    """Two of everything that is listed."""
    await remember(server.root, "one", memory_id=ID)
    await server.root(update(ID, 1, content="two"))
    await remember(server.root, "other")
    await remember(server.alice, "alice's")
    await server.root(admin.CreateAgentRequest(agent_id="bob"))
    return server


def is_refused(told: Refusal) -> bool:
    return (told.code, told.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "INVALID_PAGE_TOKEN")


@pytest.mark.own_server
@pytest.mark.parametrize("token", JUNK, ids=range(len(JUNK)))
async def test_what_is_no_token_is_refused(filled: Server, token: str) -> None:
    for request in paged(token):
        assert is_refused(await refused(filled.root(request))), type(request).__name__
    for request in paged(""):
        await filled.root(request)


@pytest.mark.own_server
async def test_a_token_is_for_the_list_it_came_from(filled: Server) -> None:
    tokens = [(await filled.root(request)).next_page_token for request in paged("")]
    assert all(tokens)
    for made, token in enumerate(tokens):
        for place, request in enumerate(paged(token)):
            if place == made:
                await filled.root(request)
            else:
                assert is_refused(await refused(filled.root(request))), (made, place)


@pytest.mark.own_server
async def test_a_token_is_for_one_scope_and_one_filter(filled: Server) -> None:
    request = service.ListMemoriesRequest(page_size=1)
    request.page_token = (await filled.root(request)).next_page_token
    assert (await filled.root(request)).memories
    assert is_refused(await refused(filled.alice(request)))
    assert is_refused(await refused(filled.rival(request)))
    request.filter.tags_any.append("t")
    assert is_refused(await refused(filled.root(request)))


@pytest.mark.own_server
async def test_a_changed_token_never_breaks_the_server(filled: Server) -> None:
    """Whatever a forged token says, the answer is a page or a refusal."""
    dice = random.Random(7)  # noqa: S311
    for request in paged(""):
        token = (await filled.root(request)).next_page_token
        packed = urlsafe_b64decode(token + "=" * (-len(token) % 4))
        for _ in range(60):
            request.page_token = forged(packed, dice)  # type: ignore[attr-defined]
            await answered_or_refused(filled.root, request)


def forged(packed: bytes, dice: random.Random) -> str:
    """The token with its end replaced, where what it says stands behind what it is bound to."""
    end = dice.randrange(9, len(packed) + 1)
    tail = bytes(dice.choice((0, 255, 49, dice.randrange(256))) for _ in packed[end:] or b"\0")
    return urlsafe_b64encode(packed[:end] + tail).rstrip(b"=").decode()


async def answered_or_refused(caller: Caller, request: Message) -> None:
    try:
        await caller(request)
    except grpc.aio.AioRpcError as error:
        if error.code() != grpc.StatusCode.INVALID_ARGUMENT:
            raise


async def test_a_revision_has_one_text(server: Server) -> None:
    """Spare bits behind the last byte would be passed over."""
    written: service.RememberResponse = await server.alice(service.RememberRequest(memory=pb.NewMemory(content="one")))
    request = service.RecallRequest(text="one")
    demanded = request.freshness.at_least_as_fresh
    token = demanded.token = written.revision.token
    assert (await server.alice(request)).hits
    same = [token[:-1] + chr(ord(token[-1]) + step) for step in (1, 2, 3)]
    assert {urlsafe_b64decode(each + "=") for each in same} == {urlsafe_b64decode(token + "=")}
    for demanded.token in [*same, token + "=", token + "\n"]:
        told = await refused(server.alice(request))
        assert told.code == grpc.StatusCode.INVALID_ARGUMENT, demanded.token


@pytest.mark.own_server
async def test_a_resume_token_is_for_one_scope(server: Server) -> None:
    await remember(server.alice, "one")
    await remember(server.rival, "theirs")
    async with Watch(server.alice, from_beginning=True) as watch:
        token = (await watch.next()).resume_token
    request = service.WatchMemoriesRequest(resume_token=token)
    assert (await anext(aiter(server.alice.begin(request)))).change.HasField("checkpoint")
    for caller in (server.rival, server.root):
        assert is_refused(await refused(anext(aiter(caller.begin(request)))))
    for junk in JUNK:
        request.resume_token = junk
        assert is_refused(await refused(anext(aiter(server.alice.begin(request)))))


async def test_a_forged_position_far_ahead_gets_a_checkpoint_or_a_refusal(server: Server) -> None:
    await remember(server.alice, "one")
    async with Watch(server.alice, from_beginning=True) as watch:
        change = await watch.next()
    packed = bytearray(urlsafe_b64decode(change.resume_token + "=="))
    packed[15:23] = b"\xff" * 8
    token = urlsafe_b64encode(packed).rstrip(b"=").decode()
    call = server.alice.begin(service.WatchMemoriesRequest(resume_token=token))
    try:
        answer = await anext(aiter(call))
    except grpc.aio.AioRpcError as error:
        if error.code() not in (grpc.StatusCode.INVALID_ARGUMENT, grpc.StatusCode.OUT_OF_RANGE):
            raise
    else:
        assert answer.change.HasField("checkpoint")
    call.cancel()


async def test_the_order_of_a_filters_fields_is_no_other_filter(server: Server) -> None:
    for i in range(3):
        await remember(server.alice, str(i), metadata={"a": 1, "b": 2})
    one = pb.MemoryFilter(metadata={"a": 1, "b": 2})
    other = pb.MemoryFilter(metadata={"b": 2, "a": 1})
    first = await server.alice(service.ListMemoriesRequest(filter=one, page_size=1))
    request = service.ListMemoriesRequest(filter=other, page_size=1, page_token=first.next_page_token)
    assert len((await server.alice(request)).memories) == 1
