"""An answer is taken back and asked for again, with a scripted model: `python example.py`, with a server running."""

import asyncio
from uuid import uuid4

from agents import Agent, Runner
from agents.testing import ScriptedModel, assistant_message

from camillo_client import Camillo
from camillo_openai_agents import CamilloSession


async def main() -> None:
    """Holds a conversation in which an answer is corrected."""
    with Camillo.connect() as camillo:
        person = camillo.for_user(uuid4().hex)
        session = CamilloSession("chat-7", person, speaker="ada")
        model = ScriptedModel([[assistant_message("You drink coffee.")], [assistant_message("You drink tea.")]])
        agent = Agent(name="Assistant", model=model)
        print((await Runner.run(agent, "I like my tea. What do I drink?", session=session)).final_output)
        await session.pop_item()
        question = await session.pop_item()
        print((await Runner.run(agent, [question], session=session)).final_output)
        print("session:", len(await session.get_items()), "items")
        print("recalled:", [hit.text for hit in person.recall("coffee", sources=["event"], limit=1).hits])


if __name__ == "__main__":
    asyncio.run(main())
