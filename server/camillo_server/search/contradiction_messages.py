"""Messages of ListContradictions."""

from camillo.v1 import memory_service_pb2 as service

from camillo_server.memories.messages import fill_memory
from camillo_server.search.contradictions import Contradiction


def contradiction_message(found: Contradiction) -> service.Contradiction:
    message = service.Contradiction(
        differences=[int(each) for each in found.comparison.differences],  # type: ignore[misc]
        similarity=found.comparison.similarity,
    )
    fill_memory(message.newer, found.newer)
    fill_memory(message.older, found.older)
    return message
