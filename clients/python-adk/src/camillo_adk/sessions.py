"""The session service."""

from __future__ import annotations

import asyncio
import time
from typing import Any
from uuid import uuid4

from google.adk.errors.session_not_found_error import SessionNotFoundError
from google.adk.events.event import Event
from google.adk.sessions.base_session_service import BaseSessionService, GetSessionConfig, ListSessionsResponse
from google.adk.sessions.session import Session

from camillo_adk.log import SessionLog
from camillo_client import Camillo
from camillo_client.uninterrupted import finished


class CamilloSessionService(BaseSessionService):
    """Keeps sessions and user state in the space of their user, and app state in the project of the app's name.

    Events come back as they were, in the order of appending, whoever appends. The event and its state are one
    transaction, but for app state, which is written before. Deleting a session removes it for good. Methods raise
    CamilloError; ValueError for a user id with a slash. A change that has begun is finished, also when the caller is
    cancelled. One object serves several threads and event loops."""

    def __init__(self, camillo: Camillo) -> None:
        # Apart, so that no method has the name of one of the framework's own.
        self._camillo_log = SessionLog(camillo)

    async def create_session(
        self, *, app_name: str, user_id: str, state: dict[str, Any] | None = None, session_id: str | None = None
    ) -> Session:
        session_id = (session_id or "").strip() or str(uuid4())
        log = self._camillo_log
        return await finished(log.create, app_name, user_id, session_id, dict(state or {}), time.time())

    async def get_session(
        self, *, app_name: str, user_id: str, session_id: str, config: GetSessionConfig | None = None
    ) -> Session | None:
        most = None if config is None else config.num_recent_events
        after = None if config is None else config.after_timestamp
        return await asyncio.to_thread(self._camillo_log.get, app_name, user_id, session_id.strip(), most, after)

    async def list_sessions(self, *, app_name: str, user_id: str | None = None) -> ListSessionsResponse:
        sessions = await asyncio.to_thread(self._camillo_log.list, app_name, user_id)
        return ListSessionsResponse(sessions=sessions)

    async def delete_session(self, *, app_name: str, user_id: str, session_id: str) -> None:
        """Removes a session for good. Repeat one that was interrupted: it goes on."""
        await finished(self._camillo_log.delete, app_name, user_id, session_id.strip())

    async def get_user_state(self, *, app_name: str, user_id: str) -> dict[str, Any]:
        return await asyncio.to_thread(self._camillo_log.user_state, app_name, user_id)

    async def append_event(self, session: Session, event: Event) -> Event:
        """Appends an event to the session that is stored, and to this copy; nothing if it is there already."""
        if event.partial:
            return event
        # State of `temp:` is the copy's alone. Without it the event is stored, and then counts for the copy.
        self._apply_temp_state(session, event)
        event = self._trim_temp_delta_state(event)
        stored = await finished(self._camillo_log.append, session.app_name, session.user_id, session.id, event)
        if stored is None:
            raise SessionNotFoundError(f"Session {session.id} not found.")
        if stored:
            self._update_session_state(session, event)
            session.events.append(event)
            session.last_update_time = event.timestamp
        return event
