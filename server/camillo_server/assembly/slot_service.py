"""SlotService: door -> `features/slots/servicer.py` -> `features/slots/slots.py` -> `features/slots/store/writer.py` ->
one commit (`storage/scope_writes.py`)."""

from functools import partial

from camillo.v1.slot_service_pb2_grpc import add_SlotServiceServicer_to_server

from camillo_server.assembly.kernel import Kernel
from camillo_server.doors.rpc.call import CallReader
from camillo_server.doors.rpc.server import Registration
from camillo_server.features.slots.servicer import SlotServicer
from camillo_server.features.slots.slots import KnownIds, Slots
from camillo_server.features.slots.store.reader import SlotReader
from camillo_server.features.slots.store.writer import SlotWriter
from camillo_server.features.slots.watch import ExportSlots, SlotChanges, WatchSlots


def wire(kernel: Kernel, calls: CallReader) -> Registration:
    """SlotService."""
    store = SlotReader(kernel.database, kernel.keyring)
    writer = SlotWriter(kernel.writes, kernel.keyring)
    ids = KnownIds()
    kernel.notifier.on_removal(ids.on_removal)
    changes = SlotChanges(kernel.database, kernel.keyring)
    servicer = SlotServicer(
        Slots(store, writer, kernel.redactor, kernel.channels, kernel.clock, ids),
        WatchSlots(changes, kernel.notifier, kernel.channels, kernel.clock),
        ExportSlots(changes, store, kernel.channels),
        calls,
        kernel.spooling,
    )
    return partial(add_SlotServiceServicer_to_server, servicer)
