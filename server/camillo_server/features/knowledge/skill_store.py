"""Skills in Postgres: those of agents and tenants are rows of their scopes, global ones of no tenant."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from camillo_server.features.knowledge.skill import (
    MAX_SKILLS,
    MAX_VERSIONS,
    OF_EVERY_TENANT,
    Skill,
    SkillDraft,
    SkillLevel,
    SkillReplay,
    SkillsQuery,
    level_scope,
)
from camillo_server.kernel.errors import NotFound, QuotaExceeded, VersionConflict
from camillo_server.kernel.ids import AgentId
from camillo_server.kernel.scope import Scope, shared_scope
from camillo_server.kernel.writes import EmptyReplay, RequestKey, Written
from camillo_server.storage.change_notifier import ChangeNotifier
from camillo_server.storage.database import Database, Session
from camillo_server.storage.scope_writes import Change, R, ScopeWrites
from camillo_server.storage.statements import json_text, scope_parameters, statements
from camillo_server.storage.written_requests import first_answer, keep_answer, write_once

SQL = statements("features/knowledge/skills")


def skill_from(row: Any, level: SkillLevel, text: str = "") -> Skill:
    """The skill in a row with the columns of the fragment `version_columns`."""
    return Skill(
        name=row.name,
        level=level,
        agent_id=AgentId(row.agent_id),
        version=row.version,
        updated_at=row.updated_at,
        description=row.description,
        allowed_tools=tuple(row.allowed_tools),
        front_matter=row.front_matter,
        sha256=bytes(row.sha256),
        tokens=row.tokens,
        is_data=row.is_data,
        text=text,
    )


def nearest_skill(row: Any) -> Skill:
    """The skill in a row of the statements `nearest` and `bundle`."""
    return skill_from(row, SkillLevel(row.level), row.text)


def bundle_parameters(query: SkillsQuery) -> dict[str, Any]:
    """The parameters of the statement `bundle`, beside those of the scope."""
    names = list(query.names)
    return {
        "with_text": names,
        "names": None if query.listed else names,
        "after": "",
        "level": None,
        "listed": query.listed,
    }


class SkillReader:
    """Reads skills that a scope reaches. Every method raises StorageUnavailable."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def page(self, scope: Scope, level: SkillLevel | None, after: str, size: int) -> Sequence[Skill]:
        """At most `size` skills by name after `after`, without their texts: each name once; with a level, all of that
        level."""
        parameters = _nearest_parameters(scope, level, after, size)
        rows = await self._database.records(scope, SQL["nearest"], parameters)
        return [nearest_skill(row) for row in rows]

    async def get(self, scope: Scope, name: str, level: SkillLevel | None, version: int | None) -> Skill:
        """The nearest of that name, or that of a level, with its text. Raises NotFound."""
        parameters = {
            **_nearest_parameters(scope, level, "", 1),
            "names": [name],
            "with_text": [name] if version is None else [],
        }

        async def work(session: Session) -> Skill | None:
            row = await session.record(SQL["nearest"], parameters)
            if row is None or version is None:
                return None if row is None else nearest_skill(row)
            newest = SkillLevel(row.level)
            statement = "global_version" if newest is SkillLevel.GLOBAL else "version"
            key = {**parameters, "agent_id": row.agent_id, "name": name, "version": version}
            earlier = await session.record(SQL[statement], key)
            return earlier and skill_from(earlier, newest, earlier.text)

        skill = await self._database.read(scope, work)
        if skill is None:
            raise NotFound("skill", name)
        return skill


def _nearest_parameters(scope: Scope, level: SkillLevel | None, after: str, size: int) -> dict[str, Any]:
    return {
        **scope_parameters(scope),
        "level": level,
        "after": after,
        "size": size,
        "names": None,
        "with_text": [],
    }


class SkillWriter:
    """Writes skills, each in one transaction: one of a scope at its next revision, a global one at none. Every method
    raises StorageUnavailable and RequestIdReused."""

    def __init__(self, writes: ScopeWrites, notifier: ChangeNotifier) -> None:
        self._writes = writes
        self._database = writes.database
        self._notifier = notifier

    async def put(
        self,
        scope: Scope,
        level: SkillLevel,
        draft: SkillDraft,
        expected_version: int | None,
        request: RequestKey | None,
        *,
        now: datetime,
    ) -> Written[SkillReplay]:
        """The next version, or the newest where that says the same already. Raises VersionConflict, QuotaExceeded, and
        ValueRejected for what was forgotten in the scope; global skills are compared with nothing."""
        own, is_global = level_scope(scope, level), level is SkillLevel.GLOBAL
        suffix = "_global" if is_global else ""
        key = {**scope_parameters(own), "name": draft.name}
        newest = SQL[f"newest{suffix}"]

        async def change(session: Session, revision: int) -> SkillReplay:
            row = await session.record(newest, key)
            version = row.version if row else 0
            if expected_version not in (None, version):
                raise VersionConflict("skill", expected_version or 0, version, name=draft.name)
            if row and (stored := skill_from(row, level)).says(draft):
                return _unchanged(stored)
            if row is None:
                (count,) = await session.only_row(SQL[f"count{suffix}"], key)
                if count >= MAX_SKILLS:
                    raise QuotaExceeded("skills", MAX_SKILLS)
            values = {**key, **_draft_parameters(draft), "version": version + 1, "updated_at": now}
            await session.execute(SQL[f"put{suffix}"], {**values, "revision": revision})
            return SkillReplay(version + 1, now, is_data=draft.is_data)

        answers = shared_scope(scope) if is_global else own
        row = await self._database.read(answers, lambda session: session.record(newest, key))
        stored = skill_from(row, level) if row else None
        if stored and expected_version in (None, stored.version) and stored.says(draft):
            unchanged = Written(row.revision, _unchanged(stored))
            return await self._keep(answers, request, unchanged, now)
        if is_global:
            return await self._write_global(answers, request, SkillReplay, change, now)
        texts = {"text": draft.text, "description": draft.description, "name": draft.name}
        return await self._writes.write(own, request, SkillReplay, change, now, texts=texts, only_added=True)

    async def delete(
        self, scope: Scope, level: SkillLevel, name: str, request: RequestKey | None, now: datetime
    ) -> int:
        """The revision from which it is gone, of a global one 0. Raises NotFound."""
        own = level_scope(scope, level)
        is_global = level is SkillLevel.GLOBAL
        statement = SQL["delete_global" if is_global else "delete"]

        async def change(session: Session, revision: int) -> EmptyReplay:
            if await session.row(statement, {**scope_parameters(own), "name": name}) is None:
                raise NotFound("skill", name)
            return EmptyReplay()

        if is_global:
            caller = shared_scope(scope)
            written = await self._write_global(caller, request, EmptyReplay, change, now)
        else:
            written = await self._writes.write(own, request, EmptyReplay, change, now, only_added=True)
        self._notifier.notify_removal(own)
        return written.revision

    async def _keep(
        self,
        scope: Scope,
        request: RequestKey | None,
        unchanged: Written[SkillReplay],
        now: datetime,
    ) -> Written[SkillReplay]:
        """Stores only the answer, if the request has an id: a repeat of it changes nothing later, either."""

        async def work(session: Session) -> Written[SkillReplay]:
            first = await first_answer(session, scope, request, SkillReplay, now)
            return first or await keep_answer(session, scope, request, unchanged, now)

        if request is None:
            return unchanged
        return await write_once(lambda: self._database.transaction(scope, work))

    async def _write_global(
        self,
        caller: Scope,
        request: RequestKey | None,
        record_type: type[R],
        change: Change[R],
        now: datetime,
    ) -> Written[R]:
        """The caller's tenant has the answer, and an entry in its audit trail; the rows are bound to no tenant."""

        async def work(session: Session) -> Written[R]:
            await session.execute(SQL["lock_global"])
            first = await first_answer(session, caller, request, record_type, now)
            if first is not None:
                return first
            await session.execute(SQL["enter_tenant"], {"tenant_id": OF_EVERY_TENANT.tenant_id})
            record = await change(session, 0)
            await session.execute(SQL["enter_tenant"], {"tenant_id": caller.tenant_id})
            return await keep_answer(session, caller, request, Written(0, record), now)

        written = await write_once(lambda: self._database.transaction(caller, work))
        self._notifier.notify(OF_EVERY_TENANT)
        return written


def _unchanged(stored: Skill) -> SkillReplay:
    return SkillReplay(stored.version, stored.updated_at, is_data=stored.is_data, is_unchanged=True)


def _draft_parameters(draft: SkillDraft) -> dict[str, Any]:
    return {
        "description": draft.description,
        "allowed_tools": list(draft.allowed_tools),
        "front_matter": json_text(draft.front_matter),
        "sha256": draft.sha256,
        "tokens": draft.tokens,
        "is_data": draft.is_data,
        "credential": draft.credential,
        "content_bytes": len(draft.text.encode()),
        "text": draft.text,
        "versions": MAX_VERSIONS,
    }
