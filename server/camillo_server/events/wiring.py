"""Events, wired. The chunks of decisions are rebuilt together with theirs."""

from functools import partial

from camillo.v1.event_service_pb2_grpc import add_EventServiceServicer_to_server

from camillo_server.artifacts.offload_output import OffloadOutput
from camillo_server.decisions.store import DecisionStore
from camillo_server.events.events import Events
from camillo_server.events.rebuild_chunks import RebuildChunks
from camillo_server.events.record_events import EventMaking, RecordEvents
from camillo_server.events.servicer import EventServicer
from camillo_server.events.store.reader import EventReader
from camillo_server.events.store.refs import RefResolver
from camillo_server.events.store.writer import EventWriter
from camillo_server.events.tool_results import NormalizeToolResult, OffloadedOutputs
from camillo_server.rpc.call import CallReader
from camillo_server.rpc.server import Registration
from camillo_server.wiring import Kernel


def wire(kernel: Kernel, calls: CallReader, offload: OffloadOutput) -> Registration:
    """EventService."""
    reader = EventReader(kernel.database, kernel.keyring)
    writer = EventWriter(kernel.writes, kernel.keyring)
    decisions = DecisionStore(kernel.writes, kernel.keyring)
    making = EventMaking(
        RefResolver(kernel.database),
        NormalizeToolResult(OffloadedOutputs(offload)),
        kernel.redactor,
    )
    servicer = EventServicer(
        Events(reader, writer, kernel.notifier, kernel.channels, kernel.clock),
        RecordEvents(writer, making, kernel.clock),
        RebuildChunks(writer, reader, decisions.chunk_rows, kernel.clock),
        calls,
    )
    return partial(add_EventServiceServicer_to_server, servicer)
