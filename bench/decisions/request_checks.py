"""What reading a request costs: its limits, its caller, and its values.

    python -m bench.decisions.request_checks

Processor time, the least of many rounds: what other work on the machine does to it is left out.
"""

import time
import timeit
from collections.abc import Callable
from uuid import UUID

# Imports every feature, each of which adds its rules.
import camillo_server.app  # noqa: F401
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.revision import History
from camillo_server.kernel.scope import Principal, Role
from camillo_server.memories.messages import memory_draft
from camillo_server.rpc.call import CallReader, set_caller
from camillo_server.rpc.field_limits import check_message
from camillo_server.rpc.tokens import RevisionTokens
from camillo_server.rpc.validate import Checks, OwnModel
from camillo_server.search.messages import recall_query

CALLS = 500
ROUNDS = 60
OWN_MODEL = OwnModel("own", 384)
READER = CallReader(RevisionTokens(History(UUID(int=1))), OWN_MODEL)


def recall(**fields: object) -> service.RecallRequest:
    return service.RecallRequest(**{"limit": 10, **fields})  # type: ignore[arg-type]


def remember(**fields: object) -> service.RememberRequest:
    stated = {"content": "Ada prefers tea to coffee in the morning", "kind": 2, "session_id": "s1"}
    memory = pb.NewMemory(**{**stated, "tags": ["drinks"], "importance": 0.7, **fields})  # type: ignore[arg-type]
    return service.RememberRequest(memory=memory)


REQUESTS: dict[str, service.RecallRequest | service.RememberRequest] = {
    "Recall by a text": recall(text="what does Ada drink in the morning"),
    "Recall with a filter": recall(
        text="what does Ada drink in the morning",
        filter=pb.MemoryFilter(
            tags_any=["drinks", "food"],
            min_importance=0.2,
            kinds=["MEMORY_KIND_FACT", "MEMORY_KIND_PREFERENCE"],
        ),
        profile=pb.ScoringProfile(name="blended"),
        channel=2,
    ),
    "Recall by a vector of 384": recall(vector=pb.Vector(values=[0.05] * 384)),
    "Remember": remember(),
    "Remember with metadata": remember(metadata={"a": "b", "c": 1, "d": True}),
}


def microseconds(work: Callable[[], object]) -> float:
    rounds = timeit.repeat(work, number=CALLS, repeat=ROUNDS, timer=time.process_time)
    return min(rounds) / CALLS * 1e6


def check(request: service.RecallRequest | service.RememberRequest) -> None:
    check_message(request, Checks(OWN_MODEL))


def read(request: service.RecallRequest | service.RememberRequest) -> None:
    call = READER.read_at_once(request)
    if isinstance(request, service.RecallRequest):
        recall_query(request, call)
    else:
        memory_draft(request.memory, call.principal)


def main() -> None:
    set_caller(Principal(TenantId("acme"), AgentId("ada"), Role.WRITER))
    print(f"{'request':28}{'limits alone':>14}{'read whole':>14}")
    for name, request in REQUESTS.items():
        alone = microseconds(lambda request=request: check(request))  # type: ignore[misc]
        whole = microseconds(lambda request=request: read(request))  # type: ignore[misc]
        print(f"{name:28}{alone:11.1f} us{whole:11.1f} us")


if __name__ == "__main__":
    main()
