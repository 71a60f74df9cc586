"""KnowledgeService. A PublishDocument passes the door, `features/knowledge/servicer.py`,
`features/knowledge/publish_document.py` (reads, cuts and embeds), `features/knowledge/store/writer.py`; a skill, behind
the same servicer, `features/knowledge/skills.py` and `features/knowledge/skill_store.py`."""

from functools import partial

from camillo.v1.knowledge_service_pb2_grpc import add_KnowledgeServiceServicer_to_server

from camillo_server.assembly.kernel import Kernel
from camillo_server.doors.rpc.call import CallReader
from camillo_server.doors.rpc.server import Registration, joined
from camillo_server.features.knowledge.documents import TenantDocuments
from camillo_server.features.knowledge.messages import Uploads
from camillo_server.features.knowledge.publish_document import PublishDocument
from camillo_server.features.knowledge.servicer import DocumentServicer, SkillServicer
from camillo_server.features.knowledge.skill_store import SkillReader, SkillWriter
from camillo_server.features.knowledge.skills import Skills
from camillo_server.features.knowledge.store.reader import DocumentReader
from camillo_server.features.knowledge.store.writer import DocumentWriter
from camillo_server.lib.text.tokens import TokenCounter


def wire(kernel: Kernel, calls: CallReader, counter: TokenCounter) -> Registration:
    """KnowledgeService."""
    servicer = joined(_documents(kernel, calls), _skills(kernel, calls, counter))
    return partial(add_KnowledgeServiceServicer_to_server, servicer)


def _documents(kernel: Kernel, calls: CallReader) -> DocumentServicer:
    reader = DocumentReader(kernel.database, kernel.keyring)
    writer = DocumentWriter(kernel.writes, kernel.keyring)
    settings, clock = kernel.settings.knowledge, kernel.clock
    return DocumentServicer(
        TenantDocuments(reader, writer, kernel.redactor, clock),
        PublishDocument(reader, writer, kernel.redactor, settings, clock, kernel.providers.at_once),
        Uploads(settings.max_upload_bytes),
        calls,
        kernel.channels,
    )


def _skills(kernel: Kernel, calls: CallReader, counter: TokenCounter) -> SkillServicer:
    reader, writer = SkillReader(kernel.database), SkillWriter(kernel.writes, kernel.notifier)
    return SkillServicer(Skills(reader, writer, counter, kernel.clock), calls)
