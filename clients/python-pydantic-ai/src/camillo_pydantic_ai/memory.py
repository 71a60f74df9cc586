"""A capability that recalls before a run, records after it, and gives the model tools to remember and recall."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any, Self

from pydantic_ai import RunContext
from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.run import AgentRunResult
from pydantic_ai.toolsets import FunctionToolset
from pydantic_core import to_json

from camillo_client import Camillo
from camillo_client.conversations import fenced, found, listed, messages, record
from camillo_client.errors import CamilloError
from camillo_client.uninterrupted import finished

logger = logging.getLogger(__name__)


class CamilloMemory(AbstractCapability[Any]):
    """Memory of a person: `CamilloMemory(camillo.for_user("42"))`, or a function that makes the client from the run's
    context: `CamilloMemory(lambda ctx: camillo.for_user(ctx.deps.user))`.

    Shows the model up to `limit` records that fit the prompt, and are not in its messages already; records the prompt,
    as said by the person `speaker`, and the answer as events of the conversation. `tools` are `remember` and `recall`.
    Where memory fails, the run goes on without it, and a warning is logged."""

    def __init__(
        self,
        camillo: Camillo | Callable[[RunContext[Any]], Camillo],
        *,
        limit: int = 5,
        record: bool = True,
        tools: bool = True,
        speaker: str = "user",
    ) -> None:
        self._camillo, self._limit, self._record, self._tools = camillo, limit, record, tools
        self._speaker = speaker
        self._shown: str | None = None

    @classmethod
    def get_serialization_name(cls) -> None:
        """It holds a connection."""

    async def for_run(self, ctx: RunContext[Any]) -> Self:
        """A copy, which recalls once."""
        return type(self)(
            self._camillo, limit=self._limit, record=self._record, tools=self._tools, speaker=self._speaker
        )

    def get_instructions(self) -> Callable[[RunContext[Any]], Any] | None:
        """Instructions: records that fit the prompt."""
        return self._instructions if self._limit else None

    def get_toolset(self) -> FunctionToolset[Any] | None:
        """The tools of the model."""
        return FunctionToolset([self.remember, self.recall]) if self._tools else None

    async def remember(self, ctx: RunContext[Any], text: str) -> str:
        """Keep a fact, preference or decision for later conversations.

        Args:
            text: One statement that stands alone, with names in place of pronouns.
        """
        try:
            await finished(lambda: self._client(ctx).remember(text))
        except CamilloError as error:
            return _failure("remembered", error)
        return "Remembered."

    async def recall(self, ctx: RunContext[Any], query: str) -> str:
        """Search what was remembered and said in earlier conversations.

        Args:
            query: What to look for, in words.
        """
        try:
            texts = await asyncio.to_thread(found, self._client(ctx), query, 2 * max(self._limit, 5))
        except CamilloError as error:
            return _failure("recalled", error)
        return listed(texts) or "Nothing is known about it."

    async def after_run(self, ctx: RunContext[Any], *, result: AgentRunResult[Any]) -> AgentRunResult[Any]:
        """Records what was said."""
        if self._record:
            said = ((_text(ctx.prompt), ("human", self._speaker)), (_output(result.output), None))
            try:
                await finished(lambda: record(self._client(ctx), messages(said, ctx.conversation_id)))
            except CamilloError as error:
                logger.warning("what was said was not recorded: %s", error.reason or error.code)
        return result

    async def _instructions(self, ctx: RunContext[Any]) -> str:
        if self._shown is None:
            self._shown, prompt = "", _text(ctx.prompt)
            if prompt.strip():
                # Their instructions are not sent again.
                sent = to_json([message.parts for message in ctx.messages], fallback=str, bytes_mode="base64").decode()
                try:
                    texts = await asyncio.to_thread(
                        lambda: found(
                            self._client(ctx),
                            prompt,
                            self._limit,
                            is_sent=lambda text: to_json(text).decode()[1:-1] in sent,
                        )
                    )
                    self._shown = fenced(texts)
                except CamilloError as error:
                    logger.warning("nothing was recalled: %s", error.reason or error.code)
        return self._shown

    def _client(self, ctx: RunContext[Any]) -> Camillo:
        return self._camillo if isinstance(self._camillo, Camillo) else self._camillo(ctx)


def _text(prompt: Any) -> str:
    parts = [prompt] if isinstance(prompt, str) else prompt or ()
    texts = [part if isinstance(part, str) else getattr(part, "content", None) for part in parts]
    return "\n".join(text for text in texts if isinstance(text, str))


def _output(output: Any) -> str:
    return output if isinstance(output, str) else to_json(output, fallback=str, bytes_mode="base64").decode()


def _failure(done: str, error: CamilloError) -> str:
    logger.warning("nothing was %s: %s", done, error.reason or error.code)
    return f"Memory failed: nothing was {done}. {error.message}"
