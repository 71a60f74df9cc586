"""Saves and forks a conversation, with a scripted model: `python example.py`, beside a server."""

import asyncio
from uuid import uuid4

from pydantic_ai import Agent
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from camillo_client import Camillo
from camillo_pydantic_ai import CamilloConversationStore, CamilloMemory


def model(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    """Remembers what it is told, and answers from what memory shows."""
    if messages[-1].parts[-1].part_kind == "tool-return":
        return ModelResponse(parts=[TextPart("I will keep that in mind.")])
    if "drink?" in str(messages[-1].parts[-1]):
        return ModelResponse(parts=[TextPart("Tea." if "Ada drinks tea" in (info.instructions or "") else "No idea.")])
    return ModelResponse(parts=[ToolCallPart("remember", {"text": "Ada drinks tea in the morning."})])


async def main() -> None:
    """Holds two conversations with one person."""
    with Camillo.connect() as camillo:
        person = camillo.for_user(uuid4().hex)
        store = CamilloConversationStore(person)
        agent = Agent(FunctionModel(model), capabilities=[CamilloMemory(person, speaker="ada")])
        told = await agent.run("I drink tea in the morning.", conversation_id="chat-7")
        print(told.output)
        await store.save(told)
        fork = await store.fork("chat-7", at=1)
        print("saved:", len(told.all_messages()), "messages; forked:", len(fork.messages))
        print((await agent.run("What do I drink?", conversation_id="chat-8")).output)
        print("recalled:", [hit.text for hit in person.recall("tea", sources=["event"], limit=2).hits])


if __name__ == "__main__":
    asyncio.run(main())
