"""Refusals by Envoy itself read as the servers' would, in gRPC or JSON as the caller asked."""

import grpc
import pytest
from camillo.v1.admin_service_pb2 import WhoAmIRequest
from camillo.v1.admin_service_pb2_grpc import AdminServiceStub

from tests.mesh.bare_replica import BareReplica, bare_replicas
from tests.mesh.conftest import StartEnvoy
from tests.mesh.envoy_process import Envoy
from tests.mesh.web import asked, grpc_web, requested

KEY = "any"
NOBODY = "no healthy upstream"
# More than JSON may be.
LARGE_BYTES = 16 * 1024 * 1024 + 1

pytestmark = pytest.mark.timeout(60)


def code_of(answer: object) -> int:
    """The code of a google.rpc.Status."""
    assert isinstance(answer, dict)
    code: int = answer["code"]
    return code


async def grpc_told(envoy: Envoy) -> tuple[grpc.StatusCode, str | None]:
    """Status and details that a call by gRPC gets."""
    async with grpc.aio.insecure_channel(envoy.address) as channel:
        call = AdminServiceStub(channel).WhoAmI(WhoAmIRequest(), timeout=10)
        return await call.code(), await call.details()


async def test_that_nobody_is_there_is_told_in_json_and_in_grpc(start_envoy: StartEnvoy) -> None:
    envoy = await start_envoy([BareReplica()])
    answer = await asked(envoy, KEY, "GET /v1/memories/any")
    assert (answer.status, answer.headers["content-type"]) == (503, "application/json")
    assert answer.json == {"code": grpc.StatusCode.UNAVAILABLE.value[0], "message": NOBODY}
    assert await grpc_told(envoy) == (grpc.StatusCode.UNAVAILABLE, NOBODY)
    path = "/camillo.v1.AdminService/WhoAmI"
    page = await grpc_web(envoy, KEY, path, WhoAmIRequest())
    assert page.headers["grpc-status"] == str(grpc.StatusCode.UNAVAILABLE.value[0])
    assert page.headers["grpc-message"] == NOBODY


async def test_what_cannot_be_read_or_found_is_told_in_json(start_envoy: StartEnvoy) -> None:
    async with bare_replicas(1) as [replica]:
        envoy = await start_envoy([replica])
        await envoy.until_well(1)
        as_json = {"content-type": "application/json"}
        broken = await requested(envoy, "POST /v1/memories", b"{not json", as_json)
        assert (broken.status, code_of(broken.json)) == (400, 3)
        # Some proxies take these for dashes, and so for what they are not.
        underscored = {"camillo_scope": "any"}
        unclear = await requested(envoy, "GET /v1/whoami", headers=underscored)
        assert (unclear.status, code_of(unclear.json)) == (400, 3)
        absent = await requested(envoy, "GET /v1/nothing")
        assert (absent.status, code_of(absent.json)) == (404, 5)
        assert replica.calls == []
        assert (await requested(envoy, "GET /v1/whoami")).json == {"tenantId": replica.address}


async def test_a_body_that_is_too_large_is_not_kept(start_envoy: StartEnvoy) -> None:
    async with bare_replicas(1) as [replica]:
        envoy = await start_envoy([replica])
        await envoy.until_well(1)
        told = {"memory": {"content": "x" * LARGE_BYTES}}
        refused = await asked(envoy, KEY, "POST /v1/memories", told)
        assert (refused.status, code_of(refused.json)) == (413, 8)
        assert replica.calls == []
        told = {"memory": {"content": "x" * (LARGE_BYTES // 8)}}
        await asked(envoy, KEY, "POST /v1/memories", told)
        assert len(replica.calls) == 1
