"""The store of conversations."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from pydantic_ai.conversation_store import ConversationEntry, ConversationRecord, ConversationStore

from camillo_client import Camillo
from camillo_client.uninterrupted import finished
from camillo_pydantic_ai.log import ConversationLog


class CamilloConversationStore(ConversationStore):
    """Keeps conversations in the space of a client: `CamilloConversationStore(camillo.for_user("42"))`.

    A save is one transaction with its check of the revision; one of more than 40 messages writes the others before.
    Messages come back as `ModelMessagesTypeAdapter` reads them. They are in no recall: see `CamilloMemory`. `delete`
    removes the messages of a conversation for good, and a fork has its own copies. Methods raise CamilloError. A change
    that has begun is finished, also when the caller is cancelled. One object serves several threads and event loops."""

    def __init__(self, camillo: Camillo) -> None:
        # Apart, so that no method has the name of one of the framework's own.
        self._log = ConversationLog(camillo)

    async def read_record(self, conversation_id: str) -> ConversationRecord | None:
        return await asyncio.to_thread(self._log.record, conversation_id)

    async def read_records(self, *, scope: str | None = None, limit: int | None = None) -> Sequence[ConversationRecord]:
        return await asyncio.to_thread(self._log.records, scope, limit)

    async def write_record(
        self,
        record: ConversationRecord,
        *,
        new_entries: Sequence[ConversationEntry] = (),
        expected_revision: str | None,
    ) -> None:
        await finished(self._log.write, record, list(new_entries), expected_revision)

    async def delete_record(self, conversation_id: str, *, expected_revision: str) -> None:
        await finished(self._log.delete, conversation_id, expected_revision)

    async def delete(self, conversation_id: str, *, scope: str | None = None) -> None:
        """Removes a conversation with its messages for good. Repeat one that was interrupted: it goes on."""
        await super().delete(conversation_id, scope=scope)
        await finished(self._log.sweep, conversation_id)

    async def read_entry(self, entry_id: str) -> ConversationEntry:
        return (await self.read_history(entry_id, limit=1))[0]

    async def read_history(self, head_id: str | None, *, limit: int | None = None) -> list[ConversationEntry]:
        """The last entries up to `head_id`, in order. LookupError if it is not there, or one before it."""
        return await asyncio.to_thread(self._log.history, head_id, limit)
