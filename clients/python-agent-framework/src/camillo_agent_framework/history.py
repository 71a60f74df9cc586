"""The history of sessions as slots, one for each message."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from typing import Any

from agent_framework import HistoryProvider, Message

from camillo_client import Camillo
from camillo_client.errors import VersionConflict
from camillo_client.slot_records import MAX_BATCH, Records, name
from camillo_client.uninterrupted import finished

try:
    from agent_framework._sessions import filter_new_messages
except ImportError:
    # Older versions keep whatever they are given.
    def filter_new_messages(existing: Sequence[Message], incoming: Sequence[Message]) -> list[Message]:
        return list(incoming)


MAX_COUNT = 2**32 - 1


class CamilloHistoryProvider(HistoryProvider):
    """Keeps the messages of sessions in the space of a client: `CamilloHistoryProvider(camillo.for_user("42"))`.

    Messages come back as `Message.to_dict` and `from_dict` have them, in the order of saving; up to 40 at once are
    saved all or none. They are in no recall: see `CamilloContextProvider`. Methods raise CamilloError. A change that
    has begun is finished, also when the caller is cancelled. Flags are those of `HistoryProvider`."""

    def __init__(self, camillo: Camillo, source_id: str = "camillo_history", **flags: Any) -> None:
        super().__init__(source_id, **flags)
        self._camillo_records = Records(camillo, "agent-framework")

    async def get_messages(
        self, session_id: str | None, *, state: dict[str, Any] | None = None, **kwargs: Any
    ) -> list[Message]:
        """All messages of a session; none without one."""
        return await asyncio.to_thread(self._camillo_read, session_id, None) if session_id else []

    async def save_messages(
        self,
        session_id: str | None,
        messages: Sequence[Message],
        *,
        state: dict[str, Any] | None = None,
        **kwargs: Any,
    ) -> None:
        """Adds messages behind those that are there, without those that repeat the end, as the framework's own
        providers do. ValueError without a session."""
        if not session_id:
            raise ValueError("messages are saved for a session")
        await finished(self._camillo_save, session_id, list(messages))

    async def delete_messages(self, session_id: str) -> None:
        """Removes the messages of a session for good."""
        records = self._camillo_records
        await finished(lambda: records.forget(list(records.below(_session_key(session_id)))))

    def _camillo_read(self, session_id: str, most: int | None) -> list[Message]:
        """The newest messages: keys sort the newest first."""
        found = list[Message]()
        for slot in self._camillo_records.below(_session_key(session_id), page_size=min(most or 100, 100)):
            found.append(Message.from_dict(json.loads(self._camillo_records.data(slot))))
            if len(found) == most:
                break
        return found[::-1]

    def _camillo_save(self, session_id: str, messages: list[Message]) -> None:
        # So many say whether messages repeat the end, or all that is there.
        news = filter_new_messages(self._camillo_read(session_id, len(messages) + 1), messages)
        for start in range(0, len(news), MAX_BATCH):
            while not self._camillo_added(session_id, news[start : start + MAX_BATCH]):
                continue

    def _camillo_added(self, session_id: str, batch: list[Message]) -> bool:
        """Whether nobody else was faster: each message has a number that no other has."""
        records, place = self._camillo_records, _session_key(session_id)
        newest = next(iter(records.below(place, page_size=1)), None)
        first = 0 if newest is None else MAX_COUNT - int(newest.key.rpartition("/")[2], 16) + 1
        slots = [
            records.slot(f"{place}/{MAX_COUNT - first - index:08x}", json.dumps(each.to_dict()).encode(), (), 0)
            for index, each in enumerate(batch)
        ]
        try:
            records.write(slots)
        except VersionConflict:
            records.forget(slots)
            return False
        return True


def _session_key(session_id: str) -> str:
    return f"/agent-framework/sessions/{name(session_id)}"
