"""Skills: instructions that an agent loads by name, of its own, of its tenant or of the operator."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import Literal, TypeAlias

from grpc.aio import Channel

from camillo.v1.knowledge_pb2 import Skill, SkillLevel
from camillo.v1.knowledge_service_pb2 import (
    DeleteSkillRequest,
    GetSkillRequest,
    ListSkillsRequest,
    PutSkillRequest,
    PutSkillResponse,
)
from camillo.v1.knowledge_service_pb2_grpc import KnowledgeServiceStub
from camillo_client._async.caller import Caller, new_request_id
from camillo_client._async.calls import Calls
from camillo_client.call_metadata import SHARED
from camillo_client.convert import to_enum
from camillo_client.revisions import WrittenRevisions

SkillLevelName: TypeAlias = Literal["global", "tenant", "agent"]


class AsyncSkills(Caller):
    """Skills. `agent_id` and `timeout` of a method apply to that call in place of the client's own. Failed calls raise
    CamilloError."""

    def __init__(self, channel: Channel, calls: Calls, written: WrittenRevisions, agent_id: str) -> None:
        super().__init__(calls, written, agent_id)
        self._knowledge = KnowledgeServiceStub(channel)

    async def put(
        self,
        text: str,
        *,
        level: SkillLevelName | SkillLevel | None = None,
        name: str = "",
        description: str = "",
        expected_version: int | None = None,
        agent_id: str | None = None,
        request_id: str | None = None,
        timeout: float | None = None,
    ) -> PutSkillResponse:
        """Stores a SKILL.md, or its next version; the same text stores nothing. `name` and `description` are for a text
        without a front matter, such as AGENTS.md. VersionConflict if it is not at `expected_version`; 0: there is none
        yet."""
        request = PutSkillRequest(
            agent_id=self._agent(agent_id),
            level=_level(level),
            text=text,
            name=name,
            description=description,
            expected_version=expected_version,
        )
        request.request_id = request_id or new_request_id()
        ticket = self._written.begin(self._scope(request.agent_id, request.level))
        answer = await self._calls.unary(self._knowledge.PutSkill, request, timeout)
        if answer.HasField("revision"):
            self._written.wrote(ticket, answer.revision, repeatable=bool(request_id))
        return answer

    async def get(
        self,
        name: str,
        *,
        level: SkillLevelName | SkillLevel | None = None,
        version: int | None = None,
        agent_id: str | None = None,
        timeout: float | None = None,
    ) -> Skill:
        """A skill with its text: the agent's own, else the tenant's, else the global one. SkillNotFound if there is
        none."""
        request = GetSkillRequest(agent_id=self._agent(agent_id), name=name, level=_level(level), version=version)
        answer = await self._calls.unary(self._knowledge.GetSkill, request, timeout)
        return answer.skill

    async def list(
        self,
        *,
        level: SkillLevelName | SkillLevel | None = None,
        page_size: int = 0,
        agent_id: str | None = None,
        timeout: float | None = None,
    ) -> AsyncGenerator[Skill]:
        """Skills that the agent can load, by name and without their texts; the timeout applies to each page."""
        request = ListSkillsRequest(agent_id=self._agent(agent_id), level=_level(level), page_size=page_size)
        pages = self._calls.pages(lambda page: self._calls.unary(self._knowledge.ListSkills, page, timeout), request)
        async for page in pages:
            for skill in page.skills:
                yield skill

    async def delete(
        self,
        name: str,
        *,
        level: SkillLevelName | SkillLevel | None = None,
        agent_id: str | None = None,
        request_id: str | None = None,
        timeout: float | None = None,
    ) -> None:
        """Removes a skill of one level, with its versions."""
        request = DeleteSkillRequest(agent_id=self._agent(agent_id), name=name, level=_level(level))
        request.request_id = request_id or new_request_id()
        ticket = self._written.begin(self._scope(request.agent_id, request.level))
        answer = await self._calls.unary(self._knowledge.DeleteSkill, request, timeout)
        if answer.HasField("revision"):
            self._written.wrote(ticket, answer.revision, repeatable=bool(request_id))

    def _scope(self, agent_id: str, level: SkillLevel) -> str:
        """The agent id of the scope whose revision a write advances."""
        return SHARED if level == SkillLevel.SKILL_LEVEL_TENANT else agent_id


def _level(level: SkillLevelName | SkillLevel | None) -> SkillLevel:
    return SkillLevel.SKILL_LEVEL_UNSPECIFIED if level is None else to_enum(SkillLevel, level)
