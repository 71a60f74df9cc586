"""Messages of a watch as changes of a mirror."""

import json
from dataclasses import dataclass

from google.protobuf.json_format import MessageToDict

from camillo.v1.slot_pb2 import ProvenanceKind, Slot, SlotChange, SlotSource
from camillo_client.errors import CamilloError
from camillo_client.mirror.directory import Change, Forgotten, Hidden
from camillo_client.mirror.envelope import Envelope

# Between two checkpoints: what a kill leaves to be sent again, and what is held in memory.
MAX_CHANGES_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class MirrorStep:
    """One step of a mirror: the changes now in its files, whether it has all there was, and why the server is away."""

    changes: tuple[Change, ...] = ()
    is_current: bool = False
    away: CamilloError | None = None


def change_of(message: SlotChange) -> Change | None:
    """The change of a file; None for a message that changes no file."""
    match message.WhichOneof("change"):
        case "written":
            return envelope_of(message.written)
        case "forgotten_slot_id":
            return Forgotten(message.forgotten_slot_id)
        case "hidden_slot_id":
            return Hidden(message.hidden_slot_id)
    return None


def envelope_of(slot: Slot) -> Envelope:
    """A version as a line of a log."""
    return Envelope(
        key=slot.key,
        ts=slot.updated_at.ToJsonString(),
        version=slot.version,
        slot_id=slot.slot_id,
        valid=slot.valid,
        source=json.dumps(source_of(slot.source), ensure_ascii=False),
        content=slot.json_content,
        unindexed=slot.unindexed,
    )


def source_of(source: SlotSource) -> str | dict[str, object]:
    """The source as `set_memory` takes it: a text, or kind, name, retrieved_at and locator, if they are there."""
    if source.WhichOneof("stated") != "provenance":
        return source.text
    stated = source.provenance
    kind = ProvenanceKind.Name(stated.kind).removeprefix("PROVENANCE_KIND_").lower()
    found: dict[str, object] = {"kind": kind}
    if stated.name:
        found["name"] = stated.name
    if stated.HasField("retrieved_at"):
        found["retrieved_at"] = stated.retrieved_at.ToJsonString()
    if stated.HasField("locator"):
        found["locator"] = MessageToDict(stated.locator)
    return found
