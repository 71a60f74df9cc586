"""Documents, skills and the audit trail in memory: what was published and put, and a revision for each."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator

from clients.python.tests.fake_records import not_found
from clients.python.tests.fake_service import Context, Desk, FakeMemories, abort, status
from grpc import StatusCode

from camillo.v1 import audit_service_pb2 as audit
from camillo.v1 import knowledge_service_pb2 as pb
from camillo.v1.audit_service_pb2_grpc import AuditServiceServicer
from camillo.v1.knowledge_pb2 import Document, Skill
from camillo.v1.knowledge_service_pb2_grpc import KnowledgeServiceServicer
from camillo_client import SHARED

MISMATCH = status(StatusCode.INVALID_ARGUMENT, "CONTENT_MISMATCH")


class FakeKnowledge(KnowledgeServiceServicer):
    """Documents by name, skills by theirs."""

    def __init__(self, desk: Desk, memories: FakeMemories) -> None:
        self.desk = desk
        self.memories = memories
        self.texts: dict[str, str] = {}
        self.skills: dict[str, Skill] = {}
        # Bytes of each part that came.
        self.sizes: list[int] = []

    async def PublishDocument(
        self, request_iterator: AsyncIterator[pb.PublishDocumentRequest], context: Context
    ) -> pb.PublishDocumentResponse:
        header, content, sha256 = (await anext(request_iterator)).header, b"", b""
        async for request in request_iterator:
            content += request.data
            self.sizes += [len(request.data)] if request.data else []
            sha256 = request.finish.sha256
        await self.desk.enter("PublishDocument", header, context)
        if hashlib.sha256(content).digest() != sha256:
            await abort(context, MISMATCH)
        self.memories.counters[SHARED] += 1
        self.texts[header.document.name] = content.decode()
        return pb.PublishDocumentResponse(
            document=Document(document_id="d1", stated=header.document, version=1),
            shared_revision=self.memories.revision(SHARED),
        )

    async def GetDocument(self, request: pb.GetDocumentRequest, context: Context) -> pb.GetDocumentResponse:
        await self.desk.enter("GetDocument", request, context)
        if request.name not in self.texts:
            await abort(context, not_found("document", request.name))
        return pb.GetDocumentResponse(text=self.texts[request.name])

    async def PutSkill(self, request: pb.PutSkillRequest, context: Context) -> pb.PutSkillResponse:
        await self.desk.enter("PutSkill", request, context)
        self.memories.counters[request.agent_id] += 1
        name = request.text.partition("name: ")[2].partition("\n")[0]
        self.skills[name] = Skill(name=name, text=request.text, version=1)
        return pb.PutSkillResponse(skill=self.skills[name], revision=self.memories.revision(request.agent_id))

    async def GetSkill(self, request: pb.GetSkillRequest, context: Context) -> pb.GetSkillResponse:
        await self.desk.enter("GetSkill", request, context)
        if request.name not in self.skills:
            await abort(context, not_found("skill", request.name))
        return pb.GetSkillResponse(skill=self.skills[request.name])


class FakeAudit(AuditServiceServicer):
    """A trail that nobody reads."""

    def __init__(self, desk: Desk, memories: FakeMemories) -> None:
        self.desk = desk
        self.memories = memories

    async def RecordAuditEntry(
        self, request: audit.RecordAuditEntryRequest, context: Context
    ) -> audit.RecordAuditEntryResponse:
        await self.desk.enter("RecordAuditEntry", request, context)
        self.memories.counters[SHARED] += 1
        return audit.RecordAuditEntryResponse(
            action_id="a1", action=request.action, shared_revision=self.memories.revision(SHARED)
        )
