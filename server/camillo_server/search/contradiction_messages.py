"""Messages of ListContradictions."""

from camillo.v1 import supersession_pb2

from camillo_server.memories.messages import fill_memory
from camillo_server.search.contradictions import Contradiction


def contradiction_message(found: Contradiction) -> supersession_pb2.Contradiction:
    message = supersession_pb2.Contradiction(
        differences=[int(each) for each in found.comparison.differences],  # type: ignore[misc]
        similarity=found.comparison.similarity,
    )
    fill_memory(message.newer, found.newer)
    fill_memory(message.older, found.older)
    return message
