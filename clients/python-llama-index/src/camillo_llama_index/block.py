"""A memory block over the memories and events of a space."""

from __future__ import annotations

import asyncio
import html
import logging
from collections.abc import Sequence
from typing import Any

from llama_index.core.base.llms.types import ChatMessage, MessageRole
from llama_index.core.memory import BaseMemoryBlock
from pydantic import Field

from camillo_client import Camillo, new_event
from camillo_client.errors import CamilloError
from camillo_client.uninterrupted import finished

MAX_QUERY, MAX_TEXT_BYTES, CHARACTERS_OF_TOKEN = 2_000, 1_000_000, 4
SOURCES = ("memory", "event")

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
        query = _text(asked[-1])[:MAX_QUERY] if asked else ""
        if not query.strip():
            return ""
        client: Camillo = self.camillo
        try:
            answer = await asyncio.to_thread(lambda: client.recall(query, limit=2 * self.limit, sources=SOURCES))
        except CamilloError as error:
            logger.warning("nothing was recalled: %s", error.reason or error.code)
            return ""
        sent = "\n".join(map(_text, messages or ()))
        news = [hit.text for hit in answer.hits if _said(hit.text) not in sent][: self.limit]
        return "\n".join(f"- {html.escape(text, quote=False)}" for text in news)

    async def _aput(self, messages: list[ChatMessage]) -> None:
        await finished(self._keep, list(messages))

    async def atruncate(self, content: str, tokens_to_truncate: int) -> str | None:
        """The lines that fit, the best first."""
        lines = content.split("\n")
        gone = 0
        while lines and gone < tokens_to_truncate * CHARACTERS_OF_TOKEN:
            gone += len(lines.pop()) + 1
        return "\n".join(lines) or None

    def _keep(self, messages: Sequence[ChatMessage]) -> None:
        events = []
        for message in messages:
            data = _text(message).replace("\x00", "").encode(errors="replace")
            if len(data) > MAX_TEXT_BYTES:
                logger.warning("of a text of %d bytes, the first %d are kept", len(data), MAX_TEXT_BYTES)
            text = data[:MAX_TEXT_BYTES].decode(errors="ignore")
            actors = {MessageRole.USER: ("human", self.speaker), MessageRole.SYSTEM: ("system", "system")}
            actor: Any = actors.get(message.role)
            session = str(message.additional_kwargs.get("session_id") or "")[:128]
            if text.strip():
                events.append(new_event(text, session_id=session, actor=actor))
        client: Camillo = self.camillo
        outcomes = client.events.record_many(events, omit_forgotten=True) if events else []
        refused = [outcome for outcome in outcomes if isinstance(outcome, CamilloError)]
        if refused:
            logger.warning("%d messages were not kept: %s", len(refused), refused[0].reason or refused[0].code)


def _text(message: ChatMessage) -> str:
    return message.content or ""


def _said(hit: str) -> str:
    """The text of a hit, which may begin with who said it."""
    speaker, _, said = hit.partition(": ")
    return (said if said and " " not in speaker else hit).strip()
