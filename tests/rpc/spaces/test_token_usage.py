"""Tokens and prices of models, and tokens of context: by space, operation, model and day, for whoever may see them."""

from datetime import UTC, datetime
from typing import Any

import grpc
import pytest
from camillo.v1 import snapshot_service_pb2 as snapshots
from camillo.v1 import space_pb2 as pb
from camillo.v1 import space_service_pb2 as service
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.scope import Scope
from camillo_server.models.embedding.limits import BudgetLimit, Used
from camillo_server.models.embedding.spend import EmbeddingBudget, Operation
from camillo_server.settings.settings import DatabaseSettings
from camillo_server.storage.database import Database
from camillo_server.storage.token_usage import ContextTokens, UsageSweep
from google.protobuf.timestamp_pb2 import Timestamp

from tests.chat_server import TOKENS, chat_server, says
from tests.rpc.compaction.compacting import ALIKE, compact
from tests.rpc.memories.calls import remember
from tests.rpc.records import bundle
from tests.rpc.spaces.test_grants import FORBIDDEN, granted
from tests.server_fixtures import Caller, Server, StartServer, refused

# One worker imports the library, which takes three seconds.
pytestmark = pytest.mark.xdist_group("litellm")

DAY, SPACE, OPERATION, MODEL, DOOR = (
    pb.USAGE_DIMENSION_DAY,
    pb.USAGE_DIMENSION_SPACE,
    pb.USAGE_DIMENSION_OPERATION,
    pb.USAGE_DIMENSION_MODEL,
    pb.USAGE_DIMENSION_DOOR,
)
ACME, RIVAL = TenantId("acme"), TenantId("rival")
MODEL_ID = "litellm-test"


@pytest.fixture
async def server(start_server: StartServer) -> Server:
    return await start_server(memory={"embedding_model": "lexical", "embedding_budget_usd": 0.001})


async def spend(server: Server, used: Used, agent_id: str = "alice", **more: Any) -> None:
    """Enters a request as a provider would be paid for."""
    operation: Operation = more.get("operation", "judging")
    budget = EmbeddingBudget(server.app.kernel.database, server.clock, BudgetLimit(None, "day"))
    reservation = await budget.reserve(more.get("tenant_id", ACME), MODEL_ID, used.nano_usd, used.tokens)
    await budget.settle(reservation, used, operation, {AgentId(agent_id): 1})


async def usages(caller: Caller, *group_by: pb.UsageDimension, **fields: Any) -> list[pb.TokenUsage]:
    answer = await caller(service.ListTokenUsageRequest(group_by=group_by, **fields))
    return [*answer.usages]


def at(day: str) -> Timestamp:
    moment = Timestamp()
    moment.FromDatetime(datetime.fromisoformat(day).replace(tzinfo=UTC))
    return moment


async def test_sums_are_grouped_by_what_is_asked_for(server: Server) -> None:
    first = server.clock.now().date().isoformat()
    await spend(server, Used(10, 5, 100))
    await spend(server, Used(1, 1, 7), operation="compaction")
    await spend(server, Used(4, 0, 4), "users/ana", operation="embedding")
    server.clock.move(86_400)
    second = server.clock.now().date().isoformat()
    await spend(server, Used(2, 2, 20))

    everything = await usages(server.admin, all_scopes=True)
    assert [(each.requests, each.input_tokens, each.output_tokens, each.nano_usd) for each in everything] == [
        (4, 17, 8, 131)
    ]
    assert not everything[0].HasField("day")
    by_day = await usages(server.admin, DAY, SPACE, all_scopes=True)
    assert [(each.day.ToJsonString()[:10], each.agent_id, each.nano_usd) for each in by_day] == [
        (first, "alice", 107),
        (first, "users/ana", 4),
        (second, "alice", 20),
    ]
    by_model = await usages(server.admin, OPERATION, MODEL, DOOR, all_scopes=True)
    assert [(each.operation, each.model_id, each.door, each.nano_usd) for each in by_model] == [
        ("compaction", MODEL_ID, "", 7),
        ("embedding", MODEL_ID, "", 4),
        ("judging", MODEL_ID, "", 120),
    ]
    for asked, nano_usd in (
        ({"since": at(second)}, 20),
        ({"until": at(first)}, 111),
        ({"operation": "judging"}, 120),
        ({"model_id": MODEL_ID, "until": at(first)}, 111),
    ):
        (found,) = await usages(server.admin, all_scopes=True, **asked)
        assert found.nano_usd == nano_usd, asked
    assert await usages(server.admin, all_scopes=True, model_id="another") == []


async def test_pages_have_each_sum_once(server: Server) -> None:
    for number in range(7):
        await spend(server, Used(1, 0, number + 1), f"users/{number}")
    found, token = list[int](), ""
    while True:
        request = service.ListTokenUsageRequest(all_scopes=True, group_by=[SPACE], page_size=3, page_token=token)
        answer = await server.admin(request)
        assert len(answer.usages) <= 3
        found += [each.nano_usd for each in answer.usages]
        if not (token := answer.next_page_token):
            break
        last = token
    assert found == [1, 2, 3, 4, 5, 6, 7]
    other = service.ListTokenUsageRequest(all_scopes=True, group_by=[DAY], page_size=3, page_token=last)
    assert (await refused(server.admin(other))).reason == "INVALID_PAGE_TOKEN"
    early = service.ListTokenUsageRequest(since=at("2026-02-01"), until=at("2026-01-01"))
    assert (await refused(server.admin(early))).code is grpc.StatusCode.INVALID_ARGUMENT


async def test_each_sees_what_its_key_reaches(server: Server) -> None:
    await spend(server, Used(1, 0, 1))
    await spend(server, Used(1, 0, 2), "users/42")
    await spend(server, Used(1, 0, 4), "users/43")
    await spend(server, Used(1, 0, 8), "users/42", tenant_id=RIVAL)
    key = await granted(server, "users/42:read")
    for caller, asked, nano_usd in (
        (server.alice, {}, [1]),
        (key, {"agent_id": "users/42"}, [2]),
        (server.admin, {"agent_id": "users/43"}, [4]),
        (server.admin, {"all_scopes": True}, [7]),
        (server.rival, {"all_scopes": True}, [8]),
        (server.rival, {"agent_id": "users/43"}, []),
    ):
        assert [each.nano_usd for each in await usages(caller, **asked)] == nano_usd, asked
    for asked in ({"agent_id": "users/43"}, {"all_scopes": True}):
        refusal = await refused(key(service.ListTokenUsageRequest(**asked)))
        assert (refusal.code, refusal.reason) == FORBIDDEN
    budget = (await server.admin(service.ListTokenUsageRequest(all_scopes=True))).budget
    assert (budget.max_nano_usd, budget.nano_usd, budget.tokens, budget.is_monthly) == (10**6, 7, 3, False)
    assert not budget.HasField("max_tokens")
    assert not (await key(service.ListTokenUsageRequest(agent_id="users/42"))).HasField("budget")


async def test_a_deleted_space_leaves_its_sums_and_not_its_name(server: Server) -> None:
    for agent_id in ("users/42", "users/43"):
        await remember(server.admin, "tea 🍵", agent_id=agent_id)
        await spend(server, Used(3, 1, 10), agent_id)
        await spend(server, Used(3, 1, 10), agent_id, operation="embedding")
    deletion = service.ForgetSpaceRequest(agent_id="users/42", confirm_agent_id="users/42")
    await server.admin(deletion)
    found = await usages(server.admin, SPACE, all_scopes=True)
    assert [(each.agent_id, each.requests, each.nano_usd) for each in found] == [("*", 2, 20), ("users/43", 2, 20)]
    assert await usages(server.admin, agent_id="users/42") == []


async def test_of_a_day_that_is_over_the_costliest_spaces_stay_apart(server: Server) -> None:
    kernel = server.app.kernel
    sweep = UsageSweep(kernel.database, server.clock, kept_days=30, kept_spaces=2)
    for number in range(5):
        await spend(server, Used(1, 1, number), f"users/{number}")
        await spend(server, Used(1, 1, number), f"users/{number}", operation="embedding")
    await sweep.run()
    assert len(await usages(server.admin, SPACE, all_scopes=True)) == 5, "the day is not over"
    server.clock.move(86_400)
    for _ in range(2):
        await sweep.run()
        found = await usages(server.admin, SPACE, all_scopes=True)
        sums = [(each.agent_id, each.requests, each.input_tokens, each.nano_usd) for each in found]
        assert sums == [("*", 6, 6, 6), ("users/3", 2, 2, 6), ("users/4", 2, 2, 8)]
    server.clock.move(30 * 86_400)
    await spend(server, Used(1, 0, 1))
    await sweep.run()
    (left,) = await usages(server.admin, all_scopes=True)
    assert left.nano_usd == 1


async def test_tokens_of_context_are_counted_where_they_are_handed_out(server: Server) -> None:
    await remember(server.alice, "Ana drinks 抹茶 in the morning.")
    handed_out = [(await bundle(server.alice, "what does Ana drink?")).tokens for _ in range(2)]
    snapshot = (await server.alice(snapshots.BuildSnapshotRequest(trigger_event="tea?"))).bundle
    working = (await server.alice(snapshots.BuildWorkingMemoryRequest())).bundle
    digest = (await server.alice(snapshots.BuildDigestRequest())).bundle
    assert await usages(server.alice) == [], "before the next flush"
    await server.app.kernel.context_tokens.flush()
    found = await usages(server.alice, OPERATION, DOOR)
    assert [(each.operation, each.door, each.requests, each.input_tokens) for each in found] == [
        ("bundle", "grpc", 2, sum(handed_out)),
        ("digest", "grpc", 1, digest.tokens),
        ("snapshot", "grpc", 1, snapshot.tokens),
        ("working_memory", "grpc", 1, working.tokens),
    ]
    assert min(handed_out) > 0
    assert await usages(server.rival, all_scopes=True) == []
    await bundle(server.alice, "what does Ana drink?")
    for _ in range(2):
        await server.app.kernel.context_tokens.flush()
    again = await usages(server.alice, operation="bundle")
    assert (again[0].requests, again[0].input_tokens) == (3, sum(handed_out) + handed_out[0])


async def test_a_tenant_that_is_gone_keeps_no_counts_waiting(server: Server) -> None:
    counted = server.app.kernel.context_tokens
    scope = Scope(ACME, AgentId("alice"))
    counted.note((Scope(TenantId("gone"), AgentId("alice")), "bundle", "mcp"), 5)
    counted.note((scope, "bundle", "mcp"), 7)
    counted.note((scope, "bundle", "mcp"), 3)
    await counted.flush()
    assert counted.counts == {}
    (found,) = await usages(server.alice, DOOR)
    assert (found.door, found.requests, found.input_tokens) == ("mcp", 2, 10)


async def test_counts_that_cannot_be_stored_wait_for_the_next_flush(server: Server) -> None:
    away = Database("postgresql://nobody@127.0.0.1:1/none", DatabaseSettings(pool_min=1, connect_timeout_seconds=0.1))
    counted = ContextTokens(away, server.clock)
    key = Scope(ACME, AgentId("alice")), "bundle", "grpc"
    counted.note(key, 7)
    await away.open()
    try:
        await counted.flush()
    finally:
        await away.close()
    counted.note(key, 3)
    assert counted.counts == {key: [2, 10]}


async def test_what_a_model_is_asked_over_the_wire_has_its_space_and_price(start_server: StartServer) -> None:
    with chat_server() as provider:
        server = await start_server(
            memory={"embedding_model": "lexical", "embedding_budget_usd": 1},
            compaction={
                "litellm_model": "openai/test",
                "litellm_api_base": provider.url,
                "litellm_api_key": "sk-test",
                "usd_per_million_tokens": 2,
                "usd_per_million_output_tokens": 10,
            },
        )
        for text in ALIKE:
            await remember(server.admin, text, agent_id="users/ana")
        provider.always = says("In the editor the user prefers dark mode.")
        await compact(server.admin, agent_id="users/ana")
        (found,) = await usages(server.admin, SPACE, OPERATION, MODEL, all_scopes=True)
    assert (found.agent_id, found.operation, found.model_id) == ("users/ana", "compaction", "litellm-openai/test")
    assert (found.requests, found.input_tokens, found.output_tokens) == (1, TOKENS - 1, 1)
    assert found.nano_usd == 2_000 * (TOKENS - 1) + 10_000
