"""Finding decisions: by a text in the index, else the latest first; superseded ones and those made elsewhere too."""

import pytest
from camillo.v1 import decision_pb2 as pb
from camillo.v1 import decision_service_pb2 as service
from camillo.v1.channel_pb2 import CHANNEL_PRIVATE, CHANNEL_PUBLIC, CHANNEL_TEAM, Channel
from camillo.v1.memory_pb2 import (
    DEGRADED_REASON_EMBEDDING_UNAVAILABLE,
    DEGRADED_REASON_VECTORS_PENDING,
    SENSITIVITY_PUBLIC,
    SENSITIVITY_RESTRICTED,
)

from tests.rpc.embedding.test_embedding_outage import Outage
from tests.rpc.records import decide, decisions, recalled, record
from tests.server_fixtures import Server, StartServer

SUPERSEDED = service.DecisionFilter(statuses=[pb.DECISION_STATUS_SUPERSEDED])
ANY_STATUS = service.DecisionFilter(statuses=[pb.DECISION_STATUS_ACTIVE, pb.DECISION_STATUS_SUPERSEDED])


@pytest.fixture
def answered_from() -> str:
    """Memory alone: Postgres does not search encrypted texts."""
    return "memory"


@pytest.fixture
async def server(start_server: StartServer, monkeypatch: pytest.MonkeyPatch) -> Server:
    """A server without vectors: words alone decide which comes first."""
    server = await start_server(memory={"embed_timeout_seconds": 0.1})
    Outage(server, monkeypatch)
    return server


@pytest.fixture
async def ref(server: Server) -> str:
    """An event on which decisions rest."""
    return (await record(server.alice, "let us decide")).event_id


async def test_the_decision_that_answers_best_comes_first(server: Server, ref: str) -> None:
    await decide(server.alice, "The pot stands on the shelf", ref)
    await decide(server.alice, "We drink green tea from the pot 茶", ref)
    query = service.QueryDecisionsRequest(text="green tea pot", page_size=1)
    answer = await server.alice(query)
    (found,) = answer.decisions
    assert found.decision.stated.decision == "We drink green tea from the pot 茶"
    assert found.score > 0
    assert set(answer.degraded) == {DEGRADED_REASON_EMBEDDING_UNAVAILABLE, DEGRADED_REASON_VECTORS_PENDING}
    assert answer.next_page_token == ""


async def test_superseded_decisions_are_found_by_who_asks_for_them(server: Server, ref: str) -> None:
    old = await decide(server.alice, "green tea", ref)
    await server.alice(
        service.SupersedeDecisionRequest(
            decision_id=old.decision_id, expected_version=1, decision=pb.NewDecision(decision="black tea", refs=[ref])
        )
    )
    for text in ("tea", ""):
        assert await decisions(server.alice, text) == ["black tea"]
        assert await decisions(server.alice, text, filter=SUPERSEDED) == ["green tea"]
        both = await decisions(server.alice, text, filter=ANY_STATUS)
        assert set(both) == {"green tea", "black tea"}


async def test_reach_and_refs_are_looked_at_in_the_record(server: Server, ref: str) -> None:
    for number in range(6):
        await decide(server.alice, f"green tea {number}", ref)
    other = (await record(server.alice, "tea for all?")).event_id
    await decide(server.alice, "tea for all", ref, other, reach=pb.DECISION_REACH_GLOBAL)
    citing = service.DecisionFilter(ref=other.upper())
    reaching = service.DecisionFilter(reaches=[pb.DECISION_REACH_GLOBAL, pb.DECISION_REACH_USER])
    for wanted in (citing, reaching):
        found = await decisions(server.alice, "green tea", filter=wanted, page_size=2)
        assert found == ["tea for all"]
    assert len(await decisions(server.alice, "green tea", page_size=2)) == 2


@pytest.mark.parametrize(
    ("channel", "expected"),
    [
        (CHANNEL_PRIVATE, {"made in public", "made in private", "secret", "told in public"}),
        (CHANNEL_TEAM, {"made in public", "made in private", "told in public"}),
        (CHANNEL_PUBLIC, {"made in public"}),
    ],
)
@pytest.mark.caches
async def test_what_a_channel_may_not_load_is_not_found(
    server: Server, ref: str, channel: Channel, expected: set[str]
) -> None:
    public, restricted = SENSITIVITY_PUBLIC, SENSITIVITY_RESTRICTED
    await decide(server.alice, "made in public", ref, channel=CHANNEL_PUBLIC, sensitivity=public)
    await decide(server.alice, "made in private", ref, sensitivity=public)
    await decide(server.alice, "secret", ref, sensitivity=restricted)
    await decide(server.alice, "told in public", ref, channel=CHANNEL_PUBLIC)
    # Waits until the scope is in memory.
    await recalled(server.alice, "secret")
    found = await decisions(server.alice, "made secret told public", channel=channel)
    assert set(found) == expected
