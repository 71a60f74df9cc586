"""Events, wired. The chunks of everything else are made again together with theirs."""

from functools import partial

from camillo.v1.event_service_pb2_grpc import (
    EventServiceServicer,
    add_EventServiceServicer_to_server,
)

from camillo_server.across.forgetting.servicer import ForgettingServicer
from camillo_server.assembly.kernel import Kernel
from camillo_server.doors.rpc.call import CallReader
from camillo_server.doors.rpc.server import Registration, joined
from camillo_server.features.artifacts.offload_output import OffloadOutput
from camillo_server.features.artifacts.store.chunks import ArtifactChunks
from camillo_server.features.audit.actions import ActionChunks
from camillo_server.features.decisions.store import DecisionStore
from camillo_server.features.events.content import store_output
from camillo_server.features.events.events import Events, RebuildChunks
from camillo_server.features.events.record_events import RecordEvents
from camillo_server.features.events.servicer import EventServicer
from camillo_server.features.events.store.reader import EventReader, RefResolver
from camillo_server.features.events.store.writer import EventWriter
from camillo_server.features.knowledge.document_chunks import DocumentChunks
from camillo_server.features.knowledge.store.reader import DocumentReader
from camillo_server.features.slots.store.reader import SlotReader


def wire(kernel: Kernel, calls: CallReader, offload: OffloadOutput, forgetting: ForgettingServicer) -> Registration:
    """EventService, whose method that forgets is that of another feature."""
    reader = EventReader(kernel.database, kernel.keyring)
    writer = EventWriter(kernel.writes, kernel.keyring)
    decisions = DecisionStore(kernel.writes, kernel.keyring)
    slots = SlotReader(kernel.database, kernel.keyring)
    documents = DocumentChunks(DocumentReader(kernel.database, kernel.keyring))
    actions = ActionChunks(kernel.database, kernel.keyring)
    artifacts = ArtifactChunks(kernel.database, kernel.keyring)
    record = RecordEvents(
        writer,
        RefResolver(kernel.database),
        partial(store_output, offload),
        kernel.redactor,
        kernel.clock,
        kernel.providers.at_once,
    )
    servicer = joined(
        EventServiceServicer(),  # type: ignore[abstract]
        EventServicer(
            Events(reader, kernel.notifier, kernel.channels, kernel.clock),
            record,
            RebuildChunks(
                writer,
                reader,
                [
                    decisions.chunk_rows,
                    slots.chunk_rows,
                    documents.chunk_rows,
                    actions.chunk_rows,
                    artifacts.chunk_rows,
                ],
                kernel.clock,
            ),
            calls,
            kernel.spooling,
        ),
        forgetting,
    )
    return partial(add_EventServiceServicer_to_server, servicer)
