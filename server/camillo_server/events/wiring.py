"""Events, wired. The chunks of decisions are rebuilt together with theirs."""

from functools import partial

from camillo.v1.event_service_pb2_grpc import add_EventServiceServicer_to_server

from camillo_server.artifacts.offload_output import OffloadOutput
from camillo_server.decisions.store import DecisionStore
from camillo_server.events.forget_events import ForgetEvents
from camillo_server.events.read_events import GetEvent, ListEvents, WatchEvents
from camillo_server.events.rebuild_chunks import RebuildChunks
from camillo_server.events.record_events import EventMaking, RecordEvent, RecordEvents
from camillo_server.events.servicer import EventServicer, EventUseCases
from camillo_server.events.store.reader import PostgresEventReader
from camillo_server.events.store.refs import PostgresRefResolver
from camillo_server.events.store.writer import PostgresEventWriter
from camillo_server.events.tool_results import NormalizeToolResult, OffloadedOutputs
from camillo_server.rpc.call import CallReader
from camillo_server.rpc.server import Registration
from camillo_server.wiring import Kernel


def wire(kernel: Kernel, calls: CallReader, offload: OffloadOutput) -> Registration:
    """EventService."""
    clock, policy = kernel.clock, kernel.channels
    reader = PostgresEventReader(kernel.database, kernel.keyring)
    writer = PostgresEventWriter(kernel.writes, kernel.keyring)
    decisions = DecisionStore(kernel.writes, kernel.keyring)
    making = EventMaking(
        PostgresRefResolver(kernel.database),
        NormalizeToolResult(OffloadedOutputs(offload)),
        kernel.redactor,
    )
    record = RecordEvents(writer, making, clock)
    use_cases = EventUseCases(
        record=RecordEvent(record),
        record_many=record,
        get=GetEvent(reader, policy),
        list=ListEvents(reader, policy),
        watch=WatchEvents(reader, kernel.notifier, policy),
        forget=ForgetEvents(writer, clock),
        rebuild_chunks=RebuildChunks(writer, reader, decisions.chunk_rows, clock),
    )
    return partial(add_EventServiceServicer_to_server, EventServicer(use_cases, calls))
