"""Ways to ask: more fields of a recall's request, and the table of what each of them changes."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from camillo.v1 import memory_pb2 as pb
from camillo.v1 import recall_pb2


@dataclass(frozen=True, slots=True)
class Variant:
    """One way to ask: more fields of RecallRequest, beside the text, and how many hits at most."""

    name: str
    limit: int = 10
    fields: Mapping[str, Any] = field(default_factory=dict)


PLAIN = Variant("plain")
ABLATIONS = (
    PLAIN,
    Variant("rerank", fields={"rerank": recall_pb2.Rerank(enabled=True)}),
    Variant("links_ignored", fields={"link_mode": recall_pb2.LINK_MODE_IGNORE}),
    Variant("speech_ignored", fields={"speech_mode": recall_pb2.SPEECH_MODE_IGNORE}),
    Variant("time_ignored", fields={"time_mode": recall_pb2.TIME_MODE_IGNORE}),
    Variant("time_only", fields={"time_mode": recall_pb2.TIME_MODE_ONLY}),
    Variant("any_validity", fields={"filter": pb.MemoryFilter(validity=recall_pb2.VALIDITY_FILTER_ANY)}),
    Variant("precise", fields={"mode": recall_pb2.RECALL_MODE_PRECISE}),
)
