"""Runs an agent whose session and memory are here, with a scripted model: `python example.py`, beside a server."""

import asyncio
from collections.abc import AsyncGenerator
from uuid import uuid4

from google.adk.agents import LlmAgent
from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_request import LlmRequest
from google.adk.models.llm_response import LlmResponse
from google.adk.runners import Runner
from google.genai import types

from camillo_adk import CamilloMemoryService, CamilloSessionService
from camillo_client import Camillo


class Model(BaseLlm):
    """Notes whatever it is told."""

    async def generate_content_async(
        self, llm_request: LlmRequest, stream: bool = False
    ) -> AsyncGenerator[LlmResponse, None]:
        """Yields one answer."""
        yield LlmResponse(content=types.Content(role="model", parts=[types.Part(text="Noted.")]))


async def main() -> None:
    """Holds a conversation, keeps it as memory, finds it, and deletes it."""
    with Camillo.connect() as camillo:
        sessions, memory = CamilloSessionService(camillo), CamilloMemoryService(camillo)
        agent = LlmAgent(name="cook", model=Model(model="scripted"))
        runner = Runner(app_name="kitchen", agent=agent, session_service=sessions, memory_service=memory)
        ada, named = uuid4().hex, {"app_name": "kitchen"}
        session = await sessions.create_session(**named, user_id=ada, state={"user:drink": "tea"})
        message = types.Content(role="user", parts=[types.Part(text="I drink tea.")])
        async for event in runner.run_async(user_id=ada, session_id=session.id, new_message=message):
            print(f"{event.author}: {event.content.parts[0].text}")
        stored = await sessions.get_session(**named, user_id=ada, session_id=session.id)
        print(f"session: {len(stored.events)} events, {stored.state}")
        await memory.add_session_to_memory(stored)
        found = (await memory.search_memory(**named, user_id=ada, query="What does Ada drink?")).memories
        tea = next(entry for entry in found if "tea" in entry.content.parts[0].text)
        print("found:", tea.content.parts[0].text)
        await memory.delete_memory(**named, user_id=ada, memory_id=tea.id)
        left = (await memory.search_memory(**named, user_id=ada, query="What does Ada drink?")).memories
        print("deleted:", [entry for entry in left if entry.id == tea.id])


if __name__ == "__main__":
    asyncio.run(main())
