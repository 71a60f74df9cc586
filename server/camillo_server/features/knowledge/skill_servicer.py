"""The methods of KnowledgeService for skills: converts, calls the use case, converts back."""

from collections.abc import Sequence
from typing import Any

from camillo.v1 import knowledge_pb2 as pb
from camillo.v1 import knowledge_service_pb2 as service
from camillo.v1.consistency_pb2 import Revision

from camillo_server.doors.rpc import fields, tokens
from camillo_server.doors.rpc.call import Call, CallReader
from camillo_server.doors.rpc.field_limits import stated_or_default
from camillo_server.doors.rpc.json_values import fill_json
from camillo_server.doors.rpc.page_tokens import fitting, list_binding
from camillo_server.features.knowledge import skill_servicer as messages
from camillo_server.features.knowledge.skill import Skill, SkillLevel, level_scope
from camillo_server.features.knowledge.skills import Skills, SkillText
from camillo_server.kernel.errors import invalid_field
from camillo_server.kernel.scope import Principal, Role, Scope

# The role that a caller needs to write skills of each level.
ROLES = {
    SkillLevel.AGENT: Role.WRITER,
    SkillLevel.TENANT: Role.TENANT_ADMIN,
    SkillLevel.GLOBAL: Role.ROOT,
}


def skill_message(skill: Skill) -> pb.Skill:
    """A skill as the contract has it."""
    message = pb.Skill(
        name=skill.name,
        level=int(skill.level),  # type: ignore[arg-type]
        description=skill.description,
        text=skill.text,
        allowed_tools=skill.allowed_tools,
        version=skill.version,
        tokens=skill.tokens,
        sha256=skill.sha256,
        is_data=skill.is_data,
        agent_id=skill.agent_id,
    )
    if skill.front_matter:
        fill_json(message.front_matter, skill.front_matter)
    fields.fill_timestamp(message.updated_at, skill.updated_at)
    return message


def list_response(skills: Sequence[Skill], binding: bytes, *, has_more: bool) -> service.ListSkillsResponse:
    """The page, or as much of its beginning as fits in a message: the rest is on the next page."""
    messages = fitting(skills, skill_message)
    is_last = len(messages) == len(skills) and not has_more
    token = "" if is_last else tokens.text_page_token(binding, messages[-1].name)
    return service.ListSkillsResponse(skills=messages, next_page_token=token)


def skill_text(request: service.PutSkillRequest, principal: Principal) -> SkillText:
    """The text and the fields of the skill that a request writes."""
    return SkillText(
        text=request.text,
        name=request.name,
        description=request.description,
        is_data=principal.role < Role.TENANT_ADMIN,
        credential=principal.credential,
    )


def asked_level(request: Any) -> SkillLevel | None:
    """The level that a read names, if any."""
    return SkillLevel(request.level) if request.level else None


def written_level(request: Any, call: Call) -> SkillLevel:
    """The level that a write names, or that of its scope. Raises InvalidField, and ScopeForbidden where the caller may
    not write there."""
    own = SkillLevel.AGENT if call.scope.agent_id else SkillLevel.TENANT
    level = SkillLevel(request.level) if request.level else own
    if level is SkillLevel.AGENT and own is SkillLevel.TENANT:
        raise invalid_field("level", "of an agent needs the agent in agent_id")
    call.principal.require(ROLES[level])
    if level is not SkillLevel.AGENT:
        call.principal.require_agent(None)
    return level


def written_scope(scope: Scope, level: SkillLevel) -> Scope | None:
    """The scope whose revision a write advances; a global one advances none."""
    return None if level is SkillLevel.GLOBAL else level_scope(scope, level)


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
