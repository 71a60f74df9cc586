"""KnowledgeService: its methods by what they are about."""

from camillo.v1 import knowledge_service_pb2_grpc as stubs

from camillo_server.knowledge.skill_servicer import SkillServicer


class KnowledgeServicer(SkillServicer, stubs.KnowledgeServiceServicer):
    """The service of proto/camillo/v1/knowledge_service.proto."""
