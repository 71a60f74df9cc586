"""A memory block over the memories and events of a space."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from typing import Any

from llama_index.core.base.llms.types import ChatMessage, MessageRole
from llama_index.core.memory import BaseMemoryBlock
from pydantic import Field

from camillo_client import Camillo
from camillo_client.conversations import found, listed, messages, record
from camillo_client.errors import CamilloError
from camillo_client.uninterrupted import finished

CHARACTERS_OF_TOKEN = 4

logger = logging.getLogger(__name__)


class CamilloMemoryBlock(BaseMemoryBlock[str]):
    """Memory of a person: `CamilloMemoryBlock(camillo=camillo.for_user("42"))`.

    Shows up to `limit` memories and events that fit the newest message of the user and that the messages do not have;
    nothing, with a warning in the log, where memory fails. Messages that a `Memory` hands over are kept as events of
    its session, the user's as said by the person `speaker`; CamilloError if they cannot be. A change that has begun is
    finished, also when the caller is cancelled."""

    name: str = "camillo"
    # A name that no field of the framework has; it is left out where the block is written as JSON.
    camillo: Any = Field(exclude=True)
    limit: int = Field(default=5, ge=1, le=100)
    speaker: str = "user"

    async def _aget(self, messages: list[ChatMessage] | None = None, **block_kwargs: Any) -> str:
        asked = [message for message in messages or () if message.role == MessageRole.USER]
        query = _text(asked[-1]) if asked else ""
        if not query.strip():
            return ""
        client: Camillo = self.camillo
        sent = "\n".join(map(_text, messages or ()))
        try:
            texts = await asyncio.to_thread(lambda: found(client, query, self.limit, is_sent=sent.__contains__))
        except CamilloError as error:
            logger.warning("nothing was recalled: %s", error.reason or error.code)
            return ""
        return listed(texts)

    async def _aput(self, messages: list[ChatMessage]) -> None:
        await finished(self._keep, list(messages))

    async def atruncate(self, content: str, tokens_to_truncate: int) -> str | None:
        """The lines that fit, the best first."""
        lines = content.split("\n")
        gone = 0
        while lines and gone < tokens_to_truncate * CHARACTERS_OF_TOKEN:
            gone += len(lines.pop()) + 1
        return "\n".join(lines) or None

    def _keep(self, handed_over: Sequence[ChatMessage]) -> None:
        actors = {MessageRole.USER: ("human", self.speaker), MessageRole.SYSTEM: ("system", "system")}
        events = []
        for message in handed_over:
            said = [(_text(message), actors.get(message.role))]
            events += messages(said, str(message.additional_kwargs.get("session_id") or ""))
        record(self.camillo, events)


def _text(message: ChatMessage) -> str:
    return message.content or ""
