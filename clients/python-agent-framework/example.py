"""Holds two sessions with one person, with a scripted model: `python example.py`, beside a server."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import uuid4

from agent_framework import Agent, BaseChatClient, ChatResponse, Message

from camillo_agent_framework import CamilloContextProvider, CamilloHistoryProvider
from camillo_client import Camillo


class ScriptedClient(BaseChatClient):
    """Answers by what memory shows it."""

    async def _inner_get_response(
        self, *, messages: Sequence[Message], stream: bool, options: Mapping[str, Any], **kwargs: Any
    ) -> ChatResponse:
        shown = f"{options.get('instructions')} {[message.text for message in messages[:-1]]}"
        question = messages[-1].text
        answer = "You drink tea." if question.startswith("What") and "I drink tea" in shown else "Noted."
        return ChatResponse(messages=Message("assistant", [answer]))


async def main() -> None:
    """Tells in one session, and asks in it and in another one."""
    with Camillo.connect() as camillo:
        person = camillo.for_user(uuid4().hex)
        history, memory = CamilloHistoryProvider(person), CamilloContextProvider(person, speaker="ada")
        agent = Agent(ScriptedClient(), context_providers=[history, memory])
        monday, tuesday = (agent.create_session(session_id=name) for name in ("monday", "tuesday"))
        print((await agent.run("I drink tea.", session=monday)).text)
        print((await agent.run("What do I drink?", session=monday)).text)
        print((await agent.run("What do I drink?", session=tuesday)).text)
        print("monday:", len(await history.get_messages("monday")), "messages")
        await history.delete_messages("monday")
        print("monday:", len(await history.get_messages("monday")), "messages")


if __name__ == "__main__":
    asyncio.run(main())
