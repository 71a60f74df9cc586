"""Short ways to say what most tests of the memory service do."""

from typing import Any

from camillo.v1.memory_pb2 import Memory, MemoryFilter, NewMemory
from camillo.v1.memory_service_pb2 import (
    GetMemoryRequest,
    ListMemoriesRequest,
    RecallRequest,
    RecallResponse,
    RememberRequest,
)

from tests.server_fixtures import Caller

UNKNOWN_ID = "01890a5d-ac96-774b-bcce-b302099a8057"


async def remember(caller: Caller, content: str, *, agent_id: str = "", **fields: Any) -> Memory:
    """The stored memory."""
    request = RememberRequest(agent_id=agent_id, memory=NewMemory(content=content, **fields))
    memory: Memory = (await caller(request)).memory
    return memory


async def get(caller: Caller, memory_id: str, **fields: Any) -> Memory:
    memory: Memory = (await caller(GetMemoryRequest(memory_id=memory_id, **fields))).memory
    return memory


async def recall(caller: Caller, text: str, **fields: Any) -> RecallResponse:
    """The answer to a query by text, with every hit there is and its breakdown unless told otherwise."""
    request = RecallRequest(text=text, **{"limit": 200, "explain": True, **fields})
    answer: RecallResponse = await caller(request)
    return answer


async def found_by_words(caller: Caller, text: str, **fields: Any) -> set[str]:
    """The contents that the lexical arm finds."""
    answer = await recall(caller, text, **fields)
    return {hit.memory.content for hit in answer.hits if hit.breakdown.HasField("lexical")}


async def listed(caller: Caller, wanted: MemoryFilter | None = None, **fields: Any) -> list[str]:
    """The contents of the first page of a list."""
    answer = await caller(ListMemoriesRequest(filter=wanted, **fields))
    return [memory.content for memory in answer.memories]
