"""Short ways to say what most tests of slots do."""

from typing import Any

from camillo.v1 import slot_pb2 as pb
from camillo.v1 import slot_service_pb2 as service
from google.protobuf.timestamp_pb2 import Timestamp

from tests.server_fixtures import Caller

CHAT = pb.SlotSource(text="chat")


def setting(key: str, content: str, **fields: Any) -> service.SetMemoryRequest:
    return service.SetMemoryRequest(key=key, json_content=content, **{"source": CHAT, **fields})


async def set_memory(caller: Caller, key: str, content: str, **fields: Any) -> pb.Slot:
    slot: pb.Slot = (await caller(setting(key, content, **fields))).slot
    return slot


async def get_slot(caller: Caller, key: str, **fields: Any) -> pb.Slot:
    slot: pb.Slot = (await caller(service.GetSlotRequest(key=key, **fields))).slot
    return slot


async def listed(caller: Caller, prefix: str = "", **fields: Any) -> list[str]:
    """The keys of the first page; of a directory with a slash behind."""
    answer = await caller(service.ListSlotsRequest(prefix=prefix, **fields))
    return [entry.key + ("/" if entry.is_directory else "") for entry in answer.entries]


async def history(caller: Caller, key: str, **fields: Any) -> list[pb.Slot]:
    answer = await caller(service.ListSlotHistoryRequest(key=key, **fields))
    return list(answer.versions)


def provenance(kind: pb.ProvenanceKind, **fields: Any) -> pb.SlotSource:
    """Provenance with everything that has to be told."""
    at = Timestamp(seconds=1_800_000_000)
    told = {"name": "example", "retrieved_at": at, "locator": {"url": "https://example.com"}}
    return pb.SlotSource(provenance=pb.SlotProvenance(kind=kind, **{**told, **fields}))
