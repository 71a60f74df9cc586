"""Tells an agent's memory something, and asks in another session, with a scripted model: `python example.py`, beside a
server."""

import asyncio
from typing import Any
from uuid import uuid4

from llama_index.core.base.llms.types import ChatMessage, CompletionResponse, LLMMetadata
from llama_index.core.chat_engine import SimpleChatEngine
from llama_index.core.llms import CustomLLM
from llama_index.core.memory import Memory

from camillo_client import Camillo
from camillo_llama_index import CamilloMemoryBlock


class ScriptedModel(CustomLLM):
    """Answers what memory shows it."""

    @property
    def metadata(self) -> LLMMetadata:
        """All by default."""
        return LLMMetadata()

    def complete(self, prompt: str, formatted: bool = False, **named: Any) -> CompletionResponse:
        """One answer."""
        return CompletionResponse(text="You drink tea." if "I drink tea" in prompt and "What" in prompt else "Noted.")

    def stream_complete(self, prompt: str, formatted: bool = False, **named: Any) -> Any:
        """In one part."""
        yield self.complete(prompt)


async def main() -> None:
    """Holds two sessions with one person."""
    with Camillo.connect() as camillo:
        block = CamilloMemoryBlock(camillo=camillo.for_user(uuid4().hex), speaker="ada")
        for session, question in (("chat-7", "I drink tea."), ("chat-8", "What do I drink?")):
            memory = Memory.from_defaults(session_id=session, memory_blocks=[block])
            engine = SimpleChatEngine.from_defaults(llm=ScriptedModel(), memory=memory)
            print(await engine.achat(question))
            # The end of a session: what is still in short-term memory is kept, too.
            await block.aput(await memory.aget_all(), session_id=session)
        print(await block.aget([ChatMessage("What about tea?")]))


if __name__ == "__main__":
    asyncio.run(main())
