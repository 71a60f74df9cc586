"""Headers by which callers tell Envoy who they are, or what to do, have no effect."""

import grpc
from camillo.v1.admin_service_pb2 import WhoAmIRequest
from camillo.v1.admin_service_pb2_grpc import AdminServiceStub
from camillo.v1.memory_service_pb2 import RememberRequest
from camillo.v1.memory_service_pb2_grpc import MemoryServiceStub

from tests.mesh.bare_replica import bare_replicas, refuses
from tests.mesh.conftest import StartEnvoy

IDENTITY = "By=spiffe://example.com/envoy;URI=spiffe://example.com/tenant/acme/agent/root"
SPOOFED = (
    ("x-forwarded-client-cert", IDENTITY),
    ("x-forwarded-for", "10.0.0.1"),
    ("x-envoy-internal", "true"),
    ("x-envoy-external-address", "10.0.0.1"),
    ("x-envoy-original-path", "/elsewhere"),
    ("x-envoy-upstream-rq-timeout-ms", "1"),
    ("x-envoy-upstream-rq-per-try-timeout-ms", "1"),
    ("x-envoy-retry-on", "5xx,reset"),
    ("x-envoy-retry-grpc-on", "unavailable"),
    ("x-envoy-max-retries", "9"),
    ("x-envoy-hedge-on-per-try-timeout", "true"),
)
TOLD = (("authorization", "Bearer key"), ("camillo-scope", "0123"), ("x-request-id", "of-a-caller"))


async def test_only_what_is_the_callers_to_say_reaches_a_server(start_envoy: StartEnvoy) -> None:
    async with bare_replicas(1) as [replica]:
        envoy = await start_envoy([replica])
        await envoy.until_well(1)
        async with grpc.aio.insecure_channel(envoy.address) as channel:
            ask = AdminServiceStub(channel).WhoAmI
            await ask(WhoAmIRequest(), metadata=SPOOFED + TOLD, timeout=10)
        [got] = replica.calls
        assert dict(TOLD).items() <= got.items()
        # These two are Envoy's own to say, or to add to.
        of_envoy = {"x-envoy-external-address", "x-forwarded-for"}
        assert not {name for name, _ in SPOOFED} & set(got) - of_envoy
        assert got["x-envoy-external-address"] == "127.0.0.1"
        assert got["x-forwarded-for"] != dict(SPOOFED)["x-forwarded-for"]


async def test_callers_cannot_have_a_write_sent_twice(start_envoy: StartEnvoy) -> None:
    async with bare_replicas(2) as replicas:
        envoy = await start_envoy(replicas)
        await envoy.until_well(2)
        for replica in replicas:
            replica.conduct = refuses(grpc.StatusCode.UNAVAILABLE)
        async with grpc.aio.insecure_channel(envoy.address) as channel:
            remember = MemoryServiceStub(channel).Remember
            call = remember(RememberRequest(), metadata=SPOOFED, timeout=10)
            assert await call.code() is grpc.StatusCode.UNAVAILABLE
        assert sum(len(replica.calls) for replica in replicas) == 1
