"""The methods of KnowledgeService for skills: converts, calls the use case, converts back."""

from typing import Any

from camillo.v1 import knowledge_service_pb2 as service
from camillo.v1.consistency_pb2 import Revision

from camillo_server.doors.rpc import tokens
from camillo_server.doors.rpc.call import Call, CallReader
from camillo_server.doors.rpc.field_limits import stated_or_default
from camillo_server.doors.rpc.page_tokens import list_binding
from camillo_server.features.knowledge import skill_messages as messages
from camillo_server.features.knowledge.skill import SkillLevel
from camillo_server.features.knowledge.skills import Skills


class SkillServicer:
    """The methods of KnowledgeService that put, read and delete skills."""

    def __init__(self, skills: Skills, calls: CallReader) -> None:
        self._skills = skills
        self._calls = calls

    async def PutSkill(self, request: service.PutSkillRequest, context: Any) -> service.PutSkillResponse:
        # Its text is neither cut nor redacted: the check looks through all of it for secrets.
        call = await self._calls.read(request, len(request.text))
        level = messages.written_level(request, call)
        given = messages.skill_text(request, call.principal)
        expected = request.expected_version if request.HasField("expected_version") else None
        skill, revision, is_unchanged = await self._skills.put(call.scope, level, given, expected, call.request_key)
        return service.PutSkillResponse(
            skill=messages.skill_message(skill),
            unchanged=is_unchanged,
            revision=_revision(call, level, revision),
        )

    async def GetSkill(self, request: service.GetSkillRequest, context: Any) -> service.GetSkillResponse:
        call = await self._calls.read(request)
        version = request.version if request.HasField("version") else None
        level = messages.asked_level(request)
        skill = await self._skills.get(call.scope, request.name, level, version)
        return service.GetSkillResponse(skill=messages.skill_message(skill))

    async def ListSkills(self, request: service.ListSkillsRequest, context: Any) -> service.ListSkillsResponse:
        call = await self._calls.read(request)
        binding = list_binding(request, call.scope)
        skills, has_more = await self._skills.page(
            call.scope,
            messages.asked_level(request),
            tokens.read_text_page_token(binding, request.page_token) or "",
            stated_or_default(request, "page_size"),
        )
        return messages.list_response(skills, binding, has_more=has_more)

    async def DeleteSkill(self, request: service.DeleteSkillRequest, context: Any) -> service.DeleteSkillResponse:
        call = await self._calls.read(request)
        level = messages.written_level(request, call)
        revision = await self._skills.delete(call.scope, level, request.name, call.request_key)
        return service.DeleteSkillResponse(revision=_revision(call, level, revision))


def _revision(call: Call, level: SkillLevel, revision: int) -> Revision | None:
    scope = messages.written_scope(call.scope, level)
    return None if scope is None else call.revisions.revision(scope, revision)
