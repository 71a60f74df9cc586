"""A session over the events of a space."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Generator, Sequence
from contextlib import closing
from typing import Any
from uuid import uuid4

from agents.memory import SessionSettings

from camillo.v1.event_pb2 import Event, NewEvent
from camillo_client import Camillo, CamilloError, new_event, workflow_step
from camillo_client.uninterrupted import finished
from camillo_openai_agents.items import TAG, Item, event_of, item_of, without_texts

MAX_PAGE = 1_000
MIN_PAGE = 20

logger = logging.getLogger(__name__)


class CamilloSession:
    """`agents.memory.Session` for the space of a client: `CamilloSession("chat-7", camillo.for_user("42"))`.

    Items are events of the conversation `session_id` (1 to 128 characters), in the order of recording. Items
    that are popped or cleared leave the session, and recalls still find them. Up to 1,000 items and 3 MiB are added all
    or none, in one transaction; more go in several. Methods raise CamilloError, and ItemTooLarge before anything is
    stored. A change that has begun is finished, also when the caller is cancelled. Messages of the role `user` are the
    statements of the person `speaker`. One object serves several threads and event loops."""

    def __init__(
        self,
        session_id: str,
        camillo: Camillo,
        *,
        speaker: str = "user",
        session_settings: SessionSettings | None = None,
    ) -> None:
        self.session_id = session_id
        self.session_settings: SessionSettings | None = session_settings or SessionSettings()
        self._camillo, self._speaker = camillo, speaker

    async def get_items(self, limit: int | None = None) -> list[Any]:
        """The newest items, the oldest of them first; without a limit as many as the settings say, else all."""
        if limit is None and self.session_settings is not None:
            limit = self.session_settings.limit
        return await asyncio.to_thread(self._get, limit)

    async def add_items(self, items: list[Any]) -> None:
        """Adds items behind those that are there. An item that repeats what was forgotten is added without its texts,
        and a warning is logged."""
        await finished(self._add, list(items))

    async def pop_item(self) -> Any | None:
        """Takes the newest item out of the session, for one caller alone; None if there is none."""
        return await finished(self._pop)

    async def clear_session(self) -> None:
        """Takes all items out of the session."""
        await finished(self._mark, "clear")

    def _get(self, limit: int | None) -> list[Item]:
        found = list[Event]()
        if limit is not None and limit <= 0:
            return []
        with closing(self._walk(limit or MAX_PAGE)) as events:
            for event, marker in events:
                if not marker:
                    found.append(event)
                if len(found) == limit:
                    break
        return [item_of(event, self._camillo) for event in reversed(found)]

    def _add(self, items: Sequence[Item]) -> None:
        batch, errors = self._record(items, [])
        if any(errors):
            # Items of this batch that were stored count no longer; those that were refused come without their texts.
            void = self._marker("void", batch)
            changed = [without_texts(item) if error else item for item, error in zip(items, errors, strict=True)]
            refused = [error for error in errors if error]
            logger.warning(
                "%d items of %s are stored without texts: %s", len(refused), self.session_id, refused[0].reason
            )
            batch, errors = self._record(changed, [void])
        for error in errors:
            if error:
                self._mark("void", batch)
                raise error

    def _record(self, items: Sequence[Item], before: list[NewEvent]) -> tuple[str, list[CamilloError | None]]:
        """Records items behind other events; the id of their batch, and for each item why it was refused."""
        batch = uuid4().hex
        events = [event_of(item, self.session_id, batch, self._speaker) for item in items]
        outcomes = self._camillo.events.record_many([*before, *events], omit_forgotten=True)[len(before) :]
        return batch, [outcome if isinstance(outcome, CamilloError) else None for outcome in outcomes]

    def _pop(self) -> Item | None:
        while True:
            newest = self._newest()
            if newest is None:
                return None
            mine = self._mark("pop", newest.event_id)
            with closing(self._walk(MIN_PAGE)) as events:
                popper = next((marker for event, marker in events if event.event_id == newest.event_id), "")
            if popper == mine:
                return item_of(newest, self._camillo)
            # Another caller was faster: this marker is about nothing, and must not be about something later.
            self._camillo.events.forget([mine])

    def _newest(self) -> Event | None:
        with closing(self._walk(MIN_PAGE)) as events:
            return next((event for event, marker in events if not marker), None)

    def _walk(self, items: int) -> Generator[tuple[Event, str], None, None]:
        """The items since the session was cleared, the newest first, each with the id of the marker that popped it, or
        nothing. A marker pops the item that it names if that was the newest one when the marker was recorded: so of
        several markers the first counts, and a forgotten item takes no other with it."""
        pending, void = list[tuple[str, str]](), set[str]()
        size = max(MIN_PAGE, min(items, MAX_PAGE))
        recorded = self._camillo.events.list(
            session_id=self.session_id, tags_all=[TAG], newest_first=True, page_size=size
        )
        with closing(recorded) as events:
            for event in events:
                step = event.stated.workflow_step
                match step.step:
                    case "clear":
                        return
                    case "pop":
                        pending.append((step.run, event.event_id))
                    case "void":
                        void.add(f"add:{step.run}")
                    case _ if void.isdisjoint(event.stated.tags):
                        while pending and pending[-1][0] != event.event_id:
                            pending.pop()
                        yield event, pending.pop()[1] if pending else ""

    def _mark(self, step: str, about: str = "") -> str:
        [outcome] = self._camillo.events.record_many([self._marker(step, about)])
        if isinstance(outcome, CamilloError):
            raise outcome
        return outcome.event_id

    def _marker(self, step: str, about: str) -> NewEvent:
        content = workflow_step(TAG, step, run=about)
        return new_event(workflow_step=content, session_id=self.session_id, tags=[TAG], importance=0.0)
