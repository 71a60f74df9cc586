"""Compact with a model, over the wire: what reaches it, and what comes of a bad answer."""

from collections.abc import Iterator
from typing import Any

import grpc
import pytest
from camillo.v1 import lifecycle_pb2 as pb
from camillo.v1 import memory_pb2

from tests.chat_server import ChatServer, chat_server, fails, says
from tests.rpc.compaction.compacting import ALIKE, compact
from tests.rpc.memories.calls import listed, remember
from tests.server_fixtures import StartServer, refused

# One worker imports the library, which takes three seconds.
pytestmark = pytest.mark.xdist_group("litellm")


@pytest.fixture
def provider() -> Iterator[ChatServer]:
    with chat_server() as running:
        yield running


def with_model(provider: ChatServer, **memory: Any) -> dict[str, Any]:
    return {
        "memory": {"embedding_model": "lexical", "embedding_budget_usd": 1, **memory},
        "compaction": {
            "litellm_model": "openai/test",
            "litellm_api_base": provider.url,
            "litellm_api_key": "sk-test",
            "litellm_timeout_seconds": 20,
        },
    }


async def test_a_model_writes_what_may_leave_and_nothing_else_reaches_it(
    start_server: StartServer, provider: ChatServer
) -> None:
    server = await start_server(**with_model(provider))
    secret = [f"Wing 7 {text}" for text in ALIKE]
    for text in ALIKE:
        await remember(server.alice, text)
    for text in secret:
        await remember(server.alice, text, sensitivity=memory_pb2.SENSITIVITY_CONFIDENTIAL)
    provider.always = says("In the editor the user prefers dark mode.")
    done = {each.summary_model_id: each for each in (await compact(server.alice)).compactions}
    assert done["litellm-openai/test"].content == "In the editor the user prefers dark mode."
    assert "Wing 7" in done[""].content
    assert sorted(provider.notes[0]) == sorted(ALIKE)
    assert "Wing 7" not in str(provider.bodies)
    assert all(each.state == pb.COMPACTION_STATE_COMMITTED for each in done.values())


@pytest.mark.parametrize(
    ("answer", "refusal", "lost"),
    [
        (fails(500), pb.COMPACTION_REFUSAL_BAD_SUMMARY, []),
        (says(""), pb.COMPACTION_REFUSAL_BAD_SUMMARY, []),
        (says("y" * 2_001), pb.COMPACTION_REFUSAL_BAD_SUMMARY, []),
        (says("Room for Anna: 41 EUR"), pb.COMPACTION_REFUSAL_LOSES_FACTS, ["40 EUR"]),
    ],
)
async def test_a_bad_answer_changes_nothing_and_is_told(
    start_server: StartServer, provider: ChatServer, answer: Any, refusal: int, lost: list[str]
) -> None:
    server = await start_server(**with_model(provider))
    told = ["Room for Anna: 40 EUR", "Room for Anna: 40 EUR."]
    for text in told:
        await remember(server.alice, text)
    provider.always = answer
    (compaction,) = (await compact(server.alice)).compactions
    assert (compaction.state, compaction.refusal) == (pb.COMPACTION_STATE_REFUSED, refusal)
    assert list(compaction.lost) == lost
    assert sorted(await listed(server.alice)) == sorted(told)
    provider.always = None
    (compaction,) = (await compact(server.alice)).compactions
    assert compaction.state == pb.COMPACTION_STATE_COMMITTED


async def test_a_tenant_without_budget_is_told_and_nothing_is_asked(
    start_server: StartServer, provider: ChatServer
) -> None:
    server = await start_server(**with_model(provider, embedding_budget_usd=0.001))
    for text in ALIKE:
        await remember(server.alice, text)
    refusal = await refused(compact(server.alice))
    assert refusal.code is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert refusal.reason == "QUOTA_EXCEEDED"
    assert provider.notes == []
    assert sorted(await listed(server.alice)) == sorted(ALIKE)
    rich = await start_server(**with_model(provider, embedding_budget_usd=1))
    assert (await compact(rich.alice)).compactions[0].state == pb.COMPACTION_STATE_COMMITTED
    assert len(provider.notes) == 1
