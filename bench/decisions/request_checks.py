"""Measures the cost of reading a request: its limits, its caller, and its values.

    python -m bench.decisions.request_checks

Processor time, the least of many rounds: what other work on the machine does to it is left out. Beside what reading
long requests takes stands the estimate by which they are read on the event loop or in a thread."""

import time
import timeit
from collections.abc import Callable
from functools import partial
from typing import Any
from uuid import UUID

# Imports every feature, each of which adds its rules.
import camillo_server.assembly.app  # noqa: F401
from camillo.v1 import event_service_pb2 as events
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo_server.doors.rpc.call import CallReader, reading_cost, set_caller
from camillo_server.doors.rpc.field_limits import check_message
from camillo_server.doors.rpc.tokens import RevisionTokens
from camillo_server.doors.rpc.validate import Checks, OwnModel
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.scope import Caller, Principal, Role
from camillo_server.kernel.writes import History
from camillo_server.rows.messages import memory_draft
from camillo_server.search.messages import recall_query
from google.protobuf.struct_pb2 import Struct

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
HAN = "漢字"


def event(**content: object) -> events.RecordEventRequest:
    actor = {"type": 1, "id": "a"}
    return events.RecordEventRequest(event={"session_id": "s1", "actor": actor, "kind": 1, **content})


def json_of(value: Any) -> Struct:
    struct = Struct()
    struct.update({"values": value})
    return struct


LONG: dict[str, Callable[[], object]] = {
    "Recall, 80 kB of English": lambda: recall(text="what does Ada drink " * 4_000),
    "Recall, 120 kB of Chinese": lambda: recall(text=HAN * 20_000),
    "Event, 120 kB of Chinese": lambda: event(text=HAN * 20_000),
    "Event, a JSON text of 50 kB": lambda: event(json=json_of("x" * 50_000)),
    "Event, JSON of 5,000 words": lambda: event(json=json_of(["kettle"] * 5_000)),
    "Event, JSON of 10,000 truths": lambda: event(json=json_of([True] * 10_000)),
    "BatchRemember, 500 short": lambda: service.BatchRememberRequest(memories=[remember().memory] * 500),
}


def microseconds(work: Callable[[], object], calls: int = CALLS, repeat: int = ROUNDS) -> float:
    rounds = timeit.repeat(work, number=calls, repeat=repeat, timer=time.process_time)
    return min(rounds) / calls * 1e6


def check(request: service.RecallRequest | service.RememberRequest) -> None:
    check_message(request, Checks(OWN_MODEL))


def read(request: service.RecallRequest | service.RememberRequest) -> None:
    call = READER.read_at_once(request)
    if isinstance(request, service.RecallRequest):
        recall_query(request, call)
    else:
        memory_draft(request.memory, call.principal)


def main() -> None:
    set_caller(Caller(Principal(TenantId("acme"), AgentId("ada"), Role.WRITER)))
    print(f"{'request':28}{'limits alone':>14}{'read whole':>14}")
    for name, request in REQUESTS.items():
        alone = microseconds(lambda request=request: check(request))  # type: ignore[misc]
        whole = microseconds(lambda request=request: read(request))  # type: ignore[misc]
        print(f"{name:28}{alone:11.1f} us{whole:11.1f} us")
    print(f"{'long request':32}{'read':>11}{'estimate':>14}")
    for name, make in LONG.items():
        long = make()
        took = microseconds(partial(READER.read_at_once, long), calls=5, repeat=15)
        print(f"{name:32}{took:8.0f} us{reading_cost(long) / 4:11.0f} us")


if __name__ == "__main__":
    main()
