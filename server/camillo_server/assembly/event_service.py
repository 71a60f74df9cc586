"""EventService. A RecordEvent passes these files, in this order:

1. `doors/rpc/pipeline.py`; `doors/spool/spooling.py` takes the write while Postgres is away.
2. `features/events/servicer.py`: the message as a draft (`features/events/messages.py`), and the answer.
3. `features/events/record_events.py`: without secrets, refs resolved (`rows/store/refs.py`), a long output as
   an artifact (`store_output` below), cut into chunks (`features/events/chunks.py`) with vectors.
4. `features/events/store/writer.py`: the event and its chunks, one commit (`storage/scope_writes.py`).

RebuildChunks makes the chunks of every feature anew, together with those of events.
"""

from functools import partial
from typing import Any

from camillo.v1.event_service_pb2_grpc import (
    EventServiceServicer,
    add_EventServiceServicer_to_server,
)

from camillo_server.across.forgetting.servicer import ForgettingServicer
from camillo_server.assembly.kernel import Kernel
from camillo_server.doors.rpc.call import CallReader
from camillo_server.doors.rpc.server import Registration, joined
from camillo_server.features.artifacts.artifact import ArtifactDraft
from camillo_server.features.artifacts.offload_output import OffloadOutput, OutputToOffload
from camillo_server.features.artifacts.store.chunks import artifact_chunks
from camillo_server.features.audit.actions import action_chunks
from camillo_server.features.decisions.store import DecisionStore
from camillo_server.features.events.event import (
    EventContent,
    EventDraft,
    ToolResultContent,
    WorkflowStepContent,
)
from camillo_server.features.events.events import ChunksOfScope, Events, RebuildChunks
from camillo_server.features.events.record_events import RecordEvents
from camillo_server.features.events.servicer import EventServicer
from camillo_server.features.events.store.reader import EventReader
from camillo_server.features.events.store.writer import EventWriter
from camillo_server.features.knowledge.passage_rows import document_chunks
from camillo_server.features.knowledge.store.reader import DocumentReader
from camillo_server.features.slots.store.reader import SlotReader
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import RequestKey
from camillo_server.rows.store.refs import RefResolver

# The longest name and tool that an artifact may have.
_NAME_CHARACTERS, _TOOL_CHARACTERS = 256, 64


def wire(kernel: Kernel, calls: CallReader, offload: OffloadOutput, forgetting: ForgettingServicer) -> Registration:
    """EventService; its method that forgets is that of `across/forgetting/servicer.py`."""
    reader = EventReader(kernel.database, kernel.keyring)
    writer = EventWriter(kernel.writes, kernel.keyring)
    database, keyring = kernel.database, kernel.keyring
    chunk_rows: list[ChunksOfScope] = [
        DecisionStore(kernel.writes, keyring).chunk_rows,
        SlotReader(database, keyring).chunk_rows,
        partial(document_chunks, DocumentReader(database, keyring)),
        partial(action_chunks, database, keyring),
        partial(artifact_chunks, database, keyring),
    ]
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
            RebuildChunks(writer, reader, chunk_rows, kernel.clock),
            calls,
            kernel.spooling,
        ),
        forgetting,
    )
    return partial(add_EventServiceServicer_to_server, servicer)


async def store_output(
    offload: OffloadOutput, scope: Scope, draft: EventDraft, text: str, request: RequestKey | None
) -> str:
    """The id of an artifact that holds the text, as sensitive as the event, with its tags and its session; the same for
    the same request. Raises what OffloadOutput does."""
    # Nothing may stay inline: the event has only the beginning.
    output = OutputToOffload(scope, _artifact_draft(draft), text.encode("utf-8", "replace"), 0, request)
    offloaded = await offload(output)
    if offloaded.artifact is None:
        raise LookupError("an output of more than 64 KiB was not stored")
    return offloaded.artifact.artifact_id


def _artifact_draft(draft: EventDraft) -> ArtifactDraft:
    return ArtifactDraft(
        **_origin(draft.content),
        session_id=draft.session_id,
        tags=draft.tags,
        sensitivity=draft.sensitivity,
        source_refs=draft.refs,
    )


def _origin(content: EventContent) -> dict[str, Any]:
    """The fields of an artifact that say where its output comes from."""
    match content:
        case ToolResultContent(tool=tool, path=path, exit_code=exit_code):
            name = path.rpartition("/")[2][-_NAME_CHARACTERS:]
            return {"name": name, "tool": tool[:_TOOL_CHARACTERS], "exit_code": exit_code}
        case WorkflowStepContent(workflow=workflow, step=step):
            return {"name": f"{workflow} / {step}"[:_NAME_CHARACTERS]}
    raise TypeError("only tool results and steps of workflows have outputs")
