"""Puts sessions of Camillo in the place of those that the SDK's own tests use, and passes over tests that are about a
file of SQLite. A plugin of pytest: the tests themselves are run as they stand."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any
from uuid import uuid4

import agents
import agents.memory
import pytest
from agents.memory.session_settings import coerce_session_settings
from tests.utils import simple_session

from camillo_client import Camillo
from camillo_openai_agents import CamilloSession

CAMILLO = Camillo.connect(timeout_seconds=60)


class ListSession(CamilloSession):
    """In the place of the session that keeps a list, which begins with a history."""

    def __init__(self, session_id: str = "test", history: list[Any] | None = None) -> None:
        super().__init__(session_id, CAMILLO.for_user(uuid4().hex))
        self.session_settings = None
        if history:
            self._add(history)

    @property
    def saved_items(self) -> list[Any]:
        """All items."""
        return self._get(None)

    _items = saved_items


class FileSession(CamilloSession):
    """In the place of the session in a file: one space for each file, and for each session that has none."""

    def __init__(
        self,
        session_id: str,
        db_path: str | Path = ":memory:",
        sessions_table: str = "",
        messages_table: str = "",
        session_settings: Any = None,
    ) -> None:
        path = str(db_path)
        user = uuid4().hex if path == ":memory:" else hashlib.sha256(path.encode()).hexdigest()
        settings = None if session_settings is None else coerce_session_settings(session_settings)
        super().__init__(session_id, CAMILLO.for_user(user), session_settings=settings)

    def close(self) -> None:
        """There is no file."""


agents.SQLiteSession = agents.memory.SQLiteSession = FileSession  # type: ignore[assignment, misc]
simple_session.SimpleListSession = ListSession

FILE = "is about connections, locks and rows of a file of SQLite"
COMPACTION = "asks for a private operation of the session in a file, by which it replaces a suffix"
CLOCK = "sets the clock of the whole process back, by which gRPC counts how long a call may take"
SKIPPED = {
    "test_sqlite_session_close_closes_worker_thread_connections": FILE,
    "test_sqlite_session_reaps_connections_from_exited_worker_threads": FILE,
    "test_sqlite_session_closes_retired_connections_before_the_next_allocation": FILE,
    "test_sqlite_session_keeps_connections_of_live_worker_threads": FILE,
    "test_sqlite_session_closed_rejects_empty_add_items": FILE,
    "test_sqlite_session_pop_item_skips_corrupt_most_recent": FILE,
    "test_sqlite_session_pop_item_returns_none_after_dropping_only_corrupt_rows": FILE,
    "test_sqlite_session_get_items_limit_skips_corrupt_newest_rows": FILE,
    "test_sqlite_session_get_items_session_settings_limit_skips_corrupt_rows": FILE,
    "test_sqlite_session_file_lock_is_shared_across_instances": FILE,
    "test_sqlite_session_failed_add_items_releases_write_lock": FILE,
    "test_sqlite_session_failed_clear_session_rolls_back": FILE,
    "test_sqlite_session_failed_pop_item_releases_write_lock": FILE,
    "test_sqlite_session_rollback_failure_evicts_connection": FILE,
    "test_sqlite_session_close_retries_quarantined_connection": FILE,
    "test_sqlite_session_post_commit_cancellation_propagates_after_known_outcome": FILE,
    "test_settled_pop_failure_invalidates_response_chain": FILE,
    "test_settled_clear_failure_invalidates_response_chain": FILE,
    "test_backend_read_limit_cannot_hide_retained_history_from_compaction": COMPACTION,
    "test_automatic_compaction_does_not_reload_unbounded_hidden_history[none-False]": COMPACTION,
    "test_automatic_compaction_does_not_reload_unbounded_hidden_history[none-True]": COMPACTION,
    "test_automatic_compaction_rollback_budget[True]": COMPACTION,
    "test_automatic_compaction_does_not_reload_unbounded_hidden_history": CLOCK,
    "test_manual_compaction_refreshes_expired_encrypted_history": CLOCK,
    "test_automatic_compaction_recovers_after_encrypted_history_expires": CLOCK,
    "test_expired_read_overhead_does_not_authorize_hidden_history": CLOCK,
    "test_rollback_does_not_revive_items_expired_during_compaction": CLOCK,
}


def pytest_configure(config: pytest.Config) -> None:
    for marker in ("serial", "requires_native_macos_sandbox", "allow_call_model_methods", "timing"):
        config.addinivalue_line("markers", f"{marker}: of the SDK's tests")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        reason = SKIPPED.get(item.name) or SKIPPED.get(getattr(item, "originalname", ""))
        if reason and "sdists" in item.path.parts:
            item.add_marker(pytest.mark.skip(reason=reason))
