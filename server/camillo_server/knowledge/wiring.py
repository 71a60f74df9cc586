"""What a tenant knows, wired."""

from functools import partial

from camillo.v1.knowledge_service_pb2_grpc import add_KnowledgeServiceServicer_to_server

from camillo_server.knowledge.servicer import KnowledgeServicer
from camillo_server.knowledge.skill_store import SkillReader, SkillWriter
from camillo_server.knowledge.skills import Skills
from camillo_server.rpc.call import CallReader
from camillo_server.rpc.server import Registration
from camillo_server.text.tokens import TokenCounter
from camillo_server.wiring import Kernel


def wire(kernel: Kernel, calls: CallReader, counter: TokenCounter) -> Registration:
    """KnowledgeService."""
    servicer = KnowledgeServicer(wired_skills(kernel, counter), calls)
    return partial(add_KnowledgeServiceServicer_to_server, servicer)


def wired_skills(kernel: Kernel, counter: TokenCounter) -> Skills:
    """The use cases of skills."""
    reader, writer = SkillReader(kernel.database), SkillWriter(kernel.writes, kernel.notifier)
    return Skills(reader, writer, counter, kernel.clock)
