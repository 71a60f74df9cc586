"""The cost of a tenant's audit policy to its calls: nothing, where it does not ask for reads."""

from typing import Any

from camillo.v1 import admin_service_pb2 as admin
from camillo.v1 import audit_pb2 as pb
from camillo.v1 import audit_service_pb2 as service
from camillo.v1.admin_pb2 import ROLE_TENANT_ADMIN
from camillo.v1.memory_service_pb2 import GetMemoryRequest

from bench.measure.client import Client, Material, connected, remember_call
from bench.measure.servers import AppServer
from bench.measure.timing import Call, Figure, Figures, latencies_ms, percentiles, rounds_of

WARM_UP = 60
AGENT = "reader"


async def measure_policy(app: AppServer, rounds: int, calls_a_round: int) -> Figures:
    """Remember and GetMemory in a tenant that keeps its trail for a year and enters reads, over those in one without a
    policy; in turns, on one server."""
    async with connected(app.port, app.secret) as root:
        plain = await _tenant(root, "plain")
        ruled = await _tenant(root, "ruled")
        policy = pb.AuditPolicy(retention_days=365, audit_reads=True)
        await ruled(service.SetAuditPolicyRequest(policy=policy))
        writes = {
            name: remember_call(client, Material.with_vectors(), AGENT)
            for name, client in (("ruled", ruled), ("plain", plain))
        }
        reads = {"ruled": await _read_call(ruled), "plain": await _read_call(plain)}
        return {
            "audit_policy_overhead": await _overhead(writes, rounds, calls_a_round),
            "audited_read_overhead": await _overhead(reads, rounds, calls_a_round),
        }


async def _overhead(calls: dict[str, Call], rounds: int, calls_a_round: int) -> Figure:
    """By how many percent the median grows with a policy."""
    for call in calls.values():
        await latencies_ms(call, WARM_UP)
    found = await rounds_of(calls, rounds, calls_a_round)
    ratio = percentiles(found["ruled"], 50).over(percentiles(found["plain"], 50))
    return Figure(tuple(100 * (each - 1) for each in ratio.rounds))


async def _tenant(root: Client, tenant_id: str) -> Client:
    """An administrator of a new tenant."""
    await root(admin.CreateTenantRequest(tenant_id=tenant_id))
    key = admin.CreateKeyRequest(tenant_id=tenant_id, any_agent=True, role=ROLE_TENANT_ADMIN)
    return Client(root.channel, (await root(key)).secret)


async def _read_call(client: Client) -> Call:
    memory = await client.remember(AGENT, "what is read")

    async def read() -> Any:
        return await client(GetMemoryRequest(agent_id=AGENT, memory_id=memory.memory_id))

    return read
