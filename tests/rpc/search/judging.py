"""Parts that tests of judged contradictions share: pairs of memories, a server with a model, and a list."""

from typing import Any

from camillo.v1 import memory_pb2
from camillo.v1 import supersession_pb2 as pb

from tests.chat_server import ChatServer
from tests.rpc.memories.calls import remember
from tests.server_fixtures import Caller, Server

# By rules, each pair differs in a number or a name.
FEES = ("The fee of the harbour is 40 francs", "The fee of the harbour is 70 francs")
CITIES = ("安娜现在住在柏林", "安娜现在住在巴黎")
COFFEE = ("سارة تحب القهوة في الصباح", "سارة لا تحب القهوة في الصباح")
# In which rules see no difference.
DRINKS = ("Ana likes green tea very much 🍵", "Ana has given up green tea for coffee 🍵")
LEXICAL = {"embedding_model": "lexical", "embedding_dimensions": 384}
NEAR = {"min_similarity": 0.3}


def with_model(provider: ChatServer, budget_usd: float = 10, **fields: Any) -> dict[str, Any]:
    return {
        "memory": {**LEXICAL, "embedding_budget_usd": budget_usd},
        "contradictions": {
            "litellm_model": "openai/test",
            "litellm_api_base": provider.url,
            "litellm_api_key": "sk-test",
            "litellm_timeout_seconds": 20,
            # Nothing but what rules find, unless a test is about the rest.
            "min_similarity": 1.0,
            **fields,
        },
    }


async def judged(caller: Caller, **fields: Any) -> pb.ListContradictionsResponse:
    answer: pb.ListContradictionsResponse = await caller(pb.ListContradictionsRequest(judge=True, **fields))
    return answer


async def stored(server: Server, *pairs: tuple[str, str], **fields: Any) -> list[memory_pb2.Memory]:
    """The memories of the pairs, the second of each a minute later."""
    older = [await remember(server.alice, one, **fields) for one, _ in pairs]
    server.clock.move(60)
    newer = [await remember(server.alice, other, **fields) for _, other in pairs]
    return [each for pair in zip(older, newer, strict=True) for each in pair]
