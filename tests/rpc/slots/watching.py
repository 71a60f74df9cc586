"""Following a watch of slots in a test."""

from collections.abc import AsyncIterator, Sequence
from typing import Any

from camillo.v1 import slot_pb2 as pb
from camillo.v1 import slot_service_pb2 as service

from tests.patience import PATIENCE_SECONDS
from tests.server_fixtures import Caller


async def changes_of(caller: Caller, **start: Any) -> list[pb.SlotChange]:
    """Everything up to the first checkpoint."""
    call = caller.begin(service.WatchSlotsRequest(**start), timeout=PATIENCE_SECONDS)
    found = []
    async for answer in call:
        found.append(answer.change)
        if answer.change.WhichOneof("change") == "checkpoint":
            break
    call.cancel()
    return found


async def next_change(answers: AsyncIterator[service.WatchSlotsResponse]) -> pb.SlotChange:
    """The next one that is no checkpoint: those come from time to time."""
    while True:
        change = (await anext(answers)).change
        if change.WhichOneof("change") != "checkpoint":
            return change


def told(changes: Sequence[pb.SlotChange]) -> list[str]:
    """Contents that were written, and ids of slots that were forgotten or hidden."""
    return [
        getattr(change, kind).json_content if kind == "written" else getattr(change, kind)
        for change in changes
        if (kind := change.WhichOneof("change") or "") != "checkpoint"
    ]


async def exported(caller: Caller, **fields: Any) -> list[service.ExportSlotsResponse]:
    call = caller.begin(service.ExportSlotsRequest(**fields), timeout=PATIENCE_SECONDS)
    return [answer async for answer in call]


def versions_of(answers: Sequence[service.ExportSlotsResponse]) -> list[pb.Slot]:
    return [slot for answer in answers for slot in answer.versions]
