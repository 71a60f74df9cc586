"""KnowledgeService, for documents and for skills: converts, calls the use case, converts back."""

from collections.abc import AsyncIterator, Sequence
from typing import Any

from camillo.v1 import knowledge_pb2 as pb
from camillo.v1 import knowledge_service_pb2 as service
from camillo.v1.consistency_pb2 import Revision

from camillo_server.doors.rpc import fields, tokens
from camillo_server.doors.rpc.call import Call, CallReader, principal, scope_of
from camillo_server.doors.rpc.field_limits import stated_or_default
from camillo_server.doors.rpc.fields import omitted_messages, redaction_messages_off_loop
from camillo_server.doors.rpc.json_values import fill_json
from camillo_server.doors.rpc.page_tokens import RESPONSE_BYTES, list_binding, page_of
from camillo_server.features.knowledge import messages as requests
from camillo_server.features.knowledge.documents import DocumentChange, TenantDocuments
from camillo_server.features.knowledge.messages import Uploads, document_message
from camillo_server.features.knowledge.publish_document import PublishDocument
from camillo_server.features.knowledge.skill import Skill, SkillLevel, level_scope
from camillo_server.features.knowledge.skills import Skills, SkillText
from camillo_server.kernel.channel import ChannelPolicy
from camillo_server.kernel.errors import invalid_field
from camillo_server.kernel.scope import Principal, Role, Scope, shared_scope

MAX_NAMED_REDACTIONS = 1_000


class DocumentServicer:
    """All but reads are for credentials that reach every agent."""

    def __init__(
        self,
        documents: TenantDocuments,
        publish: PublishDocument,
        uploads: Uploads,
        calls: CallReader,
        policy: ChannelPolicy,
    ) -> None:
        self._documents = documents
        self._publish = publish
        self._uploads = uploads
        self._calls = calls
        self._policy = policy

    async def PublishDocument(
        self, request_iterator: AsyncIterator[service.PublishDocumentRequest], context: Any
    ) -> service.PublishDocumentResponse:
        caller = principal()
        caller.require_agent(None)
        shared = shared_scope(scope_of(""))
        async with self._uploads.received(aiter(request_iterator)) as publication:
            published = await self._publish(shared, publication, caller.credential)
        return service.PublishDocumentResponse(
            document=document_message(published.document),
            shared_revision=self._calls.revisions.revision(shared, published.revision),
            unchanged=published.is_unchanged,
            passages_kept=published.kept,
            redactions=await redaction_messages_off_loop(published.redactions[:MAX_NAMED_REDACTIONS]),
            omitted=omitted_messages(published.omitted),
        )

    async def GetDocument(self, request: service.GetDocumentRequest, context: Any) -> service.GetDocumentResponse:
        call = await self._calls.read(request)
        document = await self._documents.get(
            call.scope,
            requests.document_key(request),
            request.version if request.HasField("version") else None,
            requests.reach_of(request, call, self._policy),
        )
        answer = service.GetDocumentResponse(document=document_message(document))
        if not request.omit_text:
            part = await self._documents.text(
                call.scope, document, request.byte_from, request.byte_until, RESPONSE_BYTES
            )
            answer.text = part.text
            answer.byte_from, answer.byte_until = part.byte_from, part.byte_until
        return answer

    async def ListDocuments(self, request: service.ListDocumentsRequest, context: Any) -> service.ListDocumentsResponse:
        call = await self._calls.read(request)
        size, binding = stated_or_default(request, "page_size"), list_binding(request, call.scope)
        documents = await self._documents.list(
            call.scope,
            requests.document_filter(request.filter),
            requests.reach_of(request, call, self._policy),
            tokens.read_text_page_token(binding, request.page_token) or "",
            size,
        )
        return requests.list_response(documents, size, binding)

    async def ListDocumentVersions(
        self, request: service.ListDocumentVersionsRequest, context: Any
    ) -> service.ListDocumentVersionsResponse:
        call = await self._calls.read(request)
        size, binding = stated_or_default(request, "page_size"), list_binding(request, call.scope)
        versions = await self._documents.versions(
            call.scope,
            requests.document_id(request.document_id),
            requests.reach_of(request, call, self._policy),
            tokens.read_number_page_token(binding, request.page_token),
            size,
        )
        return requests.versions_response(versions, size, binding)

    async def UpdateDocument(
        self, request: service.UpdateDocumentRequest, context: Any
    ) -> service.UpdateDocumentResponse:
        call = await self._operator_call(request)
        change = DocumentChange(
            document_id=requests.document_id(request.document_id),
            expected_version=request.expected_version,
            values=requests.document_changes(request),
            request=call.request_key,
            credential=call.principal.credential,
        )
        document, revision, redactions = await self._documents.update(call.scope, change)
        return service.UpdateDocumentResponse(
            document=document_message(document),
            shared_revision=call.revisions.revision(shared_scope(call.scope), revision),
            redactions=await redaction_messages_off_loop(redactions),
        )

    async def ArchiveDocument(
        self, request: service.ArchiveDocumentRequest, context: Any
    ) -> service.ArchiveDocumentResponse:
        call = await self._operator_call(request)
        document, revision = await self._documents.archive(
            call.scope,
            requests.document_id(request.document_id),
            call.request_key,
            archived=not request.restore,
        )
        return service.ArchiveDocumentResponse(
            document=document_message(document),
            shared_revision=call.revisions.revision(shared_scope(call.scope), revision),
        )

    async def DeleteDocument(
        self, request: service.DeleteDocumentRequest, context: Any
    ) -> service.DeleteDocumentResponse:
        call = await self._operator_call(request)
        document_id = requests.document_id(request.document_id)
        written = await self._documents.delete(call.scope, document_id, call.request_key)
        return service.DeleteDocumentResponse(
            shared_revision=call.revisions.revision(shared_scope(call.scope), written.revision),
            versions=written.record.versions,
            passages=written.record.passages,
        )

    async def _operator_call(self, request: Any) -> Call:
        """Raises ScopeForbidden where the credential is one of an agent."""
        call = await self._calls.read(request)
        call.principal.require_agent(None)
        return call


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


def skills_response(skills: Sequence[Skill], size: int, binding: bytes) -> service.ListSkillsResponse:
    """A page as `page_of` makes it."""
    messages, token = page_of(skills, size, skill_message, lambda last: tokens.text_page_token(binding, last.name))
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
        level = written_level(request, call)
        given = skill_text(request, call.principal)
        expected = request.expected_version if request.HasField("expected_version") else None
        skill, revision, is_unchanged = await self._skills.put(call.scope, level, given, expected, call.request_key)
        return service.PutSkillResponse(
            skill=skill_message(skill),
            unchanged=is_unchanged,
            revision=_revision(call, level, revision),
        )

    async def GetSkill(self, request: service.GetSkillRequest, context: Any) -> service.GetSkillResponse:
        call = await self._calls.read(request)
        version = request.version if request.HasField("version") else None
        level = asked_level(request)
        skill = await self._skills.get(call.scope, request.name, level, version)
        return service.GetSkillResponse(skill=skill_message(skill))

    async def ListSkills(self, request: service.ListSkillsRequest, context: Any) -> service.ListSkillsResponse:
        call = await self._calls.read(request)
        size, binding = stated_or_default(request, "page_size"), list_binding(request, call.scope)
        skills = await self._skills.page(
            call.scope,
            asked_level(request),
            tokens.read_text_page_token(binding, request.page_token) or "",
            size,
        )
        return skills_response(skills, size, binding)

    async def DeleteSkill(self, request: service.DeleteSkillRequest, context: Any) -> service.DeleteSkillResponse:
        call = await self._calls.read(request)
        level = written_level(request, call)
        revision = await self._skills.delete(call.scope, level, request.name, call.request_key)
        return service.DeleteSkillResponse(revision=_revision(call, level, revision))


def _revision(call: Call, level: SkillLevel, revision: int) -> Revision | None:
    scope = written_scope(call.scope, level)
    return None if scope is None else call.revisions.revision(scope, revision)
