"""Memory of earlier sessions, as context of a run."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from typing import Any

from agent_framework import ContextProvider, Message, tool

from camillo_client import Camillo
from camillo_client.conversations import fenced, found, listed, messages, record
from camillo_client.errors import CamilloError
from camillo_client.uninterrupted import finished

logger = logging.getLogger(__name__)


class CamilloContextProvider(ContextProvider):
    """Memory of a person: `CamilloContextProvider(camillo.for_user("42"))`.

    Shows the model up to `limit` records that fit what it is asked and are not in the session's messages; records
    questions, as said by the person `speaker`, and answers as events of the session. `tools` are `remember` and
    `recall`. Where memory fails, the run goes on without it, and a warning is logged."""

    def __init__(
        self,
        camillo: Camillo,
        source_id: str = "camillo_memory",
        *,
        limit: int = 5,
        record: bool = True,
        tools: bool = True,
        speaker: str = "user",
    ) -> None:
        super().__init__(source_id)
        self._camillo, self._limit, self._record, self._speaker = camillo, limit, record, speaker
        self._tools = [tool(self.remember), tool(self.recall)] if tools else []

    async def remember(self, text: str) -> str:
        """Keep a fact, preference or decision for later conversations: one statement that stands alone."""
        try:
            await finished(self._camillo.remember, text)
        except CamilloError as error:
            return _failure("remembered", error)
        return "Remembered."

    async def recall(self, query: str) -> str:
        """Search what was remembered and said in earlier conversations."""
        try:
            texts = await asyncio.to_thread(found, self._camillo, query, 10)
        except CamilloError as error:
            return _failure("recalled", error)
        return listed(texts) or "Nothing is known about it."

    async def before_run(self, *, agent: Any, session: Any, context: Any, state: dict[str, Any]) -> None:
        """Adds instructions with the records that fit, and the tools."""
        context.extend_tools(self.source_id, self._tools)
        question = _text(context.input_messages)
        if not self._limit or not question.strip():
            return
        sent = _text(context.get_messages(include_input=True))
        try:
            texts = await asyncio.to_thread(
                lambda: found(self._camillo, question, self._limit, is_sent=sent.__contains__)
            )
        except CamilloError as error:
            _failure("recalled", error)
            return
        if texts:
            context.extend_instructions(self.source_id, fenced(texts))

    async def after_run(self, *, agent: Any, session: Any, context: Any, state: dict[str, Any]) -> None:
        """Records the question and the answer."""
        answer = context.response.messages if context.response else []
        said = ((_text(context.input_messages), ("human", self._speaker)), (_text(answer), None))
        if self._record:
            try:
                await finished(lambda: record(self._camillo, messages(said, context.session_id)))
            except CamilloError as error:
                _failure("recorded", error)


def _text(messages: Sequence[Message]) -> str:
    return "\n".join(message.text for message in messages if message.text)


def _failure(done: str, error: CamilloError) -> str:
    logger.warning("nothing was %s: %s", done, error.reason or error.code)
    return f"Memory failed: nothing was {done}. {error.message}"
