"""Who may call: every credential that is none, every role that is too low, every scope that is another's."""

import json
from datetime import timedelta
from pathlib import Path

import grpc
import pytest
from camillo.v1 import admin_service_pb2 as admin
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo.v1.admin_service_pb2_grpc import AdminServiceStub
from camillo_server.doors.rpc.contract import PERMISSION
from camillo_server.kernel.scope import Role
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from tests.rpc.memories.calls import listed, remember
from tests.rpc.test_random_requests import METHODS
from tests.rpc.watching import Watch
from tests.server_fixtures import Caller, Server, StartServer, refusal, refused
from tests.unit.identity.moving_clock import MovingClock
from tests.unit.identity.token_issuer import TokenIssuer

# Their servicers ask for more than the role: an administrator, and a credential of the whole tenant.
RESTRICTED = {"GetQuotas", "PublishDocument"}


def with_role(role: Role) -> set[str]:
    """The methods that the contract opens to a role, and not to a lower one."""
    found = {
        each.name
        for each in METHODS
        if each.GetOptions().Extensions[PERMISSION] == role and each.name not in RESTRICTED
    }
    assert len(found) > 40
    return found


READS, WRITES = with_role(Role.READER), with_role(Role.WRITER)


async def first_answer(caller: Caller, name: str) -> object:
    """The answer, or the first of them, to an empty request of this method."""
    method = next(method for method in METHODS if method.name == name)
    request: Message = GetMessageClass(method.input_type)()
    if method.client_streaming:
        return await caller.send([request], name)
    call = caller.begin(request)
    return await anext(aiter(call), None) if method.server_streaming else await call


@pytest.mark.parametrize(
    "key",
    ["", "nonsense", "cam_", "cam_" + "x" * 43, "cam_" + "x" * 1000, "a.b.c"],
    ids=["none", "nonsense", "a prefix", "unknown", "too long", "a token"],
)
async def test_no_method_answers_without_a_valid_credential(server: Server, key: str) -> None:
    for method in METHODS:
        told = await refused(first_answer(server.caller(key), method.name))
        assert (told.code, told.reason) == (grpc.StatusCode.UNAUTHENTICATED, "CREDENTIAL_INVALID"), method.name
        assert told.message == "the credential is missing or not valid"


async def test_a_reader_only_reads_and_a_writer_only_writes(server: Server) -> None:
    for method in METHODS:
        allowed = {"reader": READS, "alice": READS | WRITES}
        for who, methods in allowed.items():
            caller = server.caller(getattr(server.keys, who))
            try:
                await first_answer(caller, method.name)
            except grpc.aio.AioRpcError as error:
                forbidden = refusal(error).reason == "SCOPE_FORBIDDEN"
                assert forbidden == (method.name not in methods), (who, method.name)
            else:
                assert method.name in methods, (who, method.name)


async def test_an_agent_that_names_another_is_refused(server: Server) -> None:
    await remember(server.admin, "bob's", agent_id="bob")
    for request in (
        service.ListMemoriesRequest(agent_id="bob"),
        service.RecallRequest(agent_id="bob", text="x"),
        service.RememberRequest(agent_id="bob", memory=pb.NewMemory(content="x")),
        service.ForgetMemoriesRequest(agent_id="bob", filter=pb.MemoryFilter(tags_any=["a"])),
    ):
        told = await refused(server.alice(request))
        assert (told.code, told.reason) == (grpc.StatusCode.PERMISSION_DENIED, "SCOPE_FORBIDDEN")
    imported = service.ImportMemoriesRequest(agent_id="bob", memories=[pb.Memory(content="x")])
    assert (await refused(server.alice.send([imported]))).reason == "SCOPE_FORBIDDEN"
    assert await listed(server.alice, agent_id="alice") == []
    assert await listed(server.admin, agent_id="bob") == ["bob's"]


async def key_id_of_alice(server: Server) -> str:
    keys = (await server.admin(admin.ListKeysRequest())).keys
    return next(str(key.key_id) for key in keys if key.agent_id == "alice" and key.role == 2)


async def test_a_key_revoked_while_in_use_is_refused_at_once_here_and_soon_elsewhere(
    start_server: StartServer, clock: MovingClock
) -> None:
    here, there = await start_server(), await start_server()
    for server in (here, there):
        await remember(server.alice, "before")
    await here.admin(admin.RevokeKeyRequest(key_id=await key_id_of_alice(here)))
    told = await refused(here.alice(service.ListMemoriesRequest()))
    assert (told.code, told.reason) == (grpc.StatusCode.UNAUTHENTICATED, "CREDENTIAL_INVALID")
    clock.move(5)
    told = await refused(there.alice(service.ListMemoriesRequest()))
    assert told.reason == "CREDENTIAL_INVALID"
    assert await listed(there.reader) == ["before"]


async def test_a_watch_ends_when_its_key_is_revoked(server: Server) -> None:
    async with Watch(server.alice, from_beginning=True) as watch:
        await watch.until_caught_up()
        await server.admin(admin.RevokeKeyRequest(key_id=await key_id_of_alice(server)))
        server.clock.move(60)
        await remember(server.admin, "not for the holder of that key", agent_id="alice")
        with pytest.raises(grpc.aio.AioRpcError) as ended:
            await watch.next()
    assert refusal(ended.value).reason == "CREDENTIAL_INVALID"


async def test_a_token_of_the_identity_provider_is_taken_for_what_it_says(
    start_server: StartServer, clock: MovingClock, tmp_path: Path
) -> None:
    issuer = TokenIssuer(tmp_path / "jwks.json", clock)
    jwt = {"issuer": "https://issuer", "audience": "camillo", "jwks_path": str(issuer.path)}
    server = await start_server(identity={"jwt": jwt})
    ada = server.caller(issuer.token())
    assert (await remember(ada, "by token")).agent_id == "ada"
    assert await listed(server.admin, agent_id="ada") == ["by token"]
    told = await refused(ada(service.ListMemoriesRequest(agent_id="alice")))
    assert told.reason == "SCOPE_FORBIDDEN"
    for bad in (issuer.token(aud="other"), issuer.token(iss="other"), issuer.token(tenant=...)):
        told = await refused(server.caller(bad)(service.ListMemoriesRequest()))
        assert told.reason == "CREDENTIAL_INVALID"
    reader = server.caller(issuer.token(role="reader"))
    told = await refused(reader(service.RememberRequest(memory=pb.NewMemory(content="x"))))
    assert told.reason == "SCOPE_FORBIDDEN"
    clock.move(timedelta(hours=1).total_seconds())
    assert (await refused(ada(service.ListMemoriesRequest()))).reason == "CREDENTIAL_INVALID"


async def test_a_token_of_a_tenant_that_is_not_there_is_told_so(
    start_server: StartServer, clock: MovingClock, tmp_path: Path
) -> None:
    issuer = TokenIssuer(tmp_path / "jwks.json", clock)
    assert json.loads(issuer.path.read_text())["keys"]
    jwt = {"issuer": "https://issuer", "audience": "camillo", "jwks_path": str(issuer.path)}
    server = await start_server(identity={"jwt": jwt})
    stranger = server.caller(issuer.token(tenant="nowhere", agent=..., role="tenant_admin"))
    new = pb.NewMemory(content="x")
    for request in (
        service.RememberRequest(memory=new),
        service.RememberRequest(memory=new, request_id="r"),
        service.BatchRememberRequest(memories=[new]),
        admin.CreateAgentRequest(agent_id="a", request_id="r"),
    ):
        told = await refused(stranger(request))
        assert (told.code, told.reason) == (grpc.StatusCode.NOT_FOUND, "TENANT_NOT_FOUND")
    assert await listed(stranger) == []


async def test_two_credentials_are_none(server: Server) -> None:
    """Not the first, not the last, and not the same one twice."""
    for second in (server.keys.alice, server.keys.admin, ""):
        twice = (*server.alice.metadata, ("authorization", f"Bearer {second}".strip()))
        for metadata in (twice, twice[::-1]):
            call = AdminServiceStub(server.channel).WhoAmI(admin.WhoAmIRequest(), metadata=metadata, timeout=30)
            failed = await refused(call)
            assert (failed.code, failed.reason) == (grpc.StatusCode.UNAUTHENTICATED, "CREDENTIAL_INVALID")
    assert (await server.alice(admin.WhoAmIRequest())).agent_id == "alice"
