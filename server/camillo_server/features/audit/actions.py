"""Actions of agent runtimes in Postgres, and the use case that enters them in the audit trail."""

import os
from collections.abc import AsyncGenerator, Sequence
from datetime import datetime
from typing import Any

from camillo_server.features.audit.entry import (
    ACTION_TEXTS,
    SALT_BYTES,
    ActionDraft,
    ActionId,
    RecordedAction,
    action_row,
)
from camillo_server.kernel.clock import Clock, time_of, time_ordered_uuid
from camillo_server.kernel.ids import BEFORE_EVERY_ID, AgentId
from camillo_server.kernel.kinds import Sensitivity
from camillo_server.kernel.off_loop import map_off_loop
from camillo_server.kernel.scope import Scope, shared_scope
from camillo_server.kernel.writes import RequestKey, Written
from camillo_server.lib.crypto.keyring import Keyring
from camillo_server.lib.redaction.redaction import Redaction, Redactor, redacted_draft_off_loop
from camillo_server.lib.text.json_lines import texts_of
from camillo_server.rows.forgettable import Forgettable
from camillo_server.rows.row import NewRow
from camillo_server.rows.store.inserts import rows_with_terms, store_chunks
from camillo_server.storage.blocklist import refuse_blocked
from camillo_server.storage.database import Database, Session
from camillo_server.storage.encrypted_json import DraftRows
from camillo_server.storage.scope_writes import ScopeWrites
from camillo_server.storage.statements import scope_parameters, statements
from camillo_server.storage.written_requests import ActionReplay

SQL = statements("features/audit/audit")
# Objects and the session are looked at in any draft.
REDACTED = ("action", "message")
# The columns of what callers state, and how each is read.
COLUMNS = {"sensitivity": Sensitivity, "session_id": str}
ACTIONS_AT_ONCE = 200


class ActionRows:
    """Converts actions to rows and back; sensitive texts are encrypted in the row."""

    def __init__(self, keyring: Keyring) -> None:
        self._drafts = DraftRows(keyring, ActionDraft, purpose="action", columns=COLUMNS, texts=ACTION_TEXTS)

    def parameters(self, scope: Scope, action: RecordedAction) -> dict[str, Any]:
        """The parameters that store a new action, without the revision. Raises KeyMissing."""
        return {
            **self._drafts.parameters(scope, action.action_id, action.stated),
            "action_id": action.action_id,
            "occurred_at": action.stated.occurred_at or action.created_at,
            "salt": action.salt,
            "acting_agent_id": action.agent_id,
        }

    def action(self, tenant_id: str, row: Any) -> RecordedAction:
        """The action in a row of the statement `page_of_actions`. Raises KeyMissing, BytesLost."""
        return RecordedAction(
            action_id=ActionId(row.action_id),
            agent_id=AgentId(row.acting_agent_id),
            stated=self.draft(tenant_id, row),
            salt=bytes(row.salt),
            created_at=time_of(row.action_id),
        )

    def draft(self, tenant_id: str, row: Any) -> ActionDraft:
        """The action in a row with the columns of the fragment `action_columns`. Raises KeyMissing, BytesLost."""
        return self._drafts.draft(tenant_id, row.action_id, row, occurred_at=row.occurred_at)


async def action_chunks(database: Database, keyring: Keyring, scope: Scope) -> AsyncGenerator[Sequence[NewRow]]:
    """The chunks of every action of a tenant, made again, some at a time, where this is its shared scope: no other has
    actions. Raises StorageUnavailable, KeyMissing, BytesLost."""
    reader = ActionRows(keyring)
    page = {**scope_parameters(scope), "after_id": BEFORE_EVERY_ID, "size": ACTIONS_AT_ONCE}
    while rows := await database.records(scope, SQL["page_of_actions"], page):
        yield await map_off_loop(lambda row: action_row(reader.action(scope.tenant_id, row)), rows)
        page["after_id"] = rows[-1].action_id


class Actions:
    """Enters actions, each in one transaction that advances the revision of the tenant's shared scope by one. A
    repeated request enters nothing and gets the first answer."""

    def __init__(self, writes: ScopeWrites, keyring: Keyring, redactor: Redactor, clock: Clock) -> None:
        self._writes = writes
        self._keyring = keyring
        self._rows = ActionRows(keyring)
        self._redactor = redactor
        self._clock = clock

    async def record(
        self, scope: Scope, draft: ActionDraft, request: RequestKey | None
    ) -> tuple[RecordedAction, int, Sequence[Redaction]]:
        """The action of this scope's agent without its secrets, the revision of the shared scope that holds it, and
        what was redacted. Raises ValueRejected for what this agent or the tenant has forgotten, RequestIdReused,
        KeyMissing, StorageUnavailable."""
        now = self._clock.now()
        draft, redactions = await redacted_draft_off_loop(draft, self._redactor, REDACTED)
        action = _new(scope, draft, ActionId(time_ordered_uuid(now)), now)
        written = await self._store(scope, action, request, now)
        if written.is_repeat:
            first = written.record
            action = _new(scope, draft, ActionId(first.action_id), first.at)
        return action, written.revision, redactions

    async def _store(
        self, scope: Scope, action: RecordedAction, request: RequestKey | None, now: datetime
    ) -> Written[ActionReplay]:
        shared, texts = shared_scope(scope), texts_of(action.stated)
        rows = await rows_with_terms([action_row(action)])
        parameters = self._rows.parameters(shared, action)
        if request is not None:
            # With the agent's id: another agent may have chosen the same request id.
            named = f"{scope.agent_id} {request.request_id}"
            request = RequestKey(named, request.content_digest)

        async def change(session: Session, revision: int) -> ActionReplay:
            if scope.agent_id:
                await session.execute(SQL["enter_every_agent"])
                await refuse_blocked(session, scope, texts)
            await session.execute(SQL["insert_action"], {**parameters, "revision": revision})
            await store_chunks(session, shared, rows, self._keyring)
            return ActionReplay(action.action_id, action.digest, now)

        return await self._writes.write(shared, request, ActionReplay, change, now, rows, texts=texts, only_added=True)


def _new(scope: Scope, draft: ActionDraft, action_id: ActionId, now: datetime) -> RecordedAction:
    return RecordedAction(action_id, scope.agent_id, draft, os.urandom(SALT_BYTES), now)


ACTIONS = Forgettable(
    "actions", statements("features/audit/forgetting"), "action", own_texts=("message",), has_chunks=True, is_cited=True
)
