"""Slots, wired."""

from functools import partial

from camillo.v1.slot_service_pb2_grpc import add_SlotServiceServicer_to_server

from camillo_server.rpc.call import CallReader
from camillo_server.rpc.server import Registration
from camillo_server.slots.servicer import SlotServicer
from camillo_server.slots.slots import Slots
from camillo_server.slots.store import SlotStore
from camillo_server.wiring import Kernel


def wire(kernel: Kernel, calls: CallReader) -> Registration:
    """SlotService."""
    store = SlotStore(kernel.writes, kernel.keyring)
    slots = Slots(store, kernel.redactor, kernel.channels, kernel.clock)
    return partial(add_SlotServiceServicer_to_server, SlotServicer(slots, calls))
