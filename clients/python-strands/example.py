"""Tells an agent something, and asks another one, with a scripted model: `python example.py`, beside a server."""

from collections.abc import AsyncGenerator
from typing import Any
from uuid import uuid4

from strands import Agent
from strands.memory import ExtractionConfig, InvocationTrigger, MemoryManager
from strands.models import Model

from camillo_client import Camillo
from camillo_strands import CamilloMemoryStore


class ScriptedModel(Model):
    """Answers what memory shows it."""

    async def stream(self, messages: Any, *arguments: Any, **named: Any) -> AsyncGenerator[Any, None]:
        """Yields one answer."""
        text = "You drink tea." if "I drink tea" in str(messages[-1]) and "What" in str(messages[-1]) else "Noted."
        yield {"messageStart": {"role": "assistant"}}
        yield {"contentBlockStart": {"start": {}}}
        yield {"contentBlockDelta": {"delta": {"text": text}}}
        yield {"contentBlockStop": {}}
        yield {"messageStop": {"stopReason": "end_turn"}}

    async def structured_output(self, *arguments: Any, **named: Any) -> AsyncGenerator[Any, None]:
        """Is not asked for."""
        raise NotImplementedError
        yield

    def update_config(self, **config: Any) -> None:
        """Has none."""

    def get_config(self) -> dict[str, Any]:
        """None."""
        return {}


def main() -> None:
    """Holds two conversations with one person."""
    with Camillo.connect() as camillo:
        person = camillo.for_user(uuid4().hex)
        for session, question in (("chat-7", "I drink tea."), ("chat-8", "What do I drink?")):
            every_call = ExtractionConfig(trigger=InvocationTrigger())
            store = CamilloMemoryStore(person, session_id=session, speaker="ada", extraction=every_call)
            agent = Agent(model=ScriptedModel(), memory_manager=MemoryManager(stores=[store]), callback_handler=None)
            print(str(agent(question)).strip())
        print([hit.text for hit in person.recall("tea", sources=["event"], limit=1).hits])


if __name__ == "__main__":
    main()
