"""Watches and exports of slots in messages: where they begin, their tokens, and what they send."""

import re
from functools import partial
from uuid import UUID

from camillo.v1 import slot_pb2 as pb
from camillo.v1 import slot_service_pb2 as service
from camillo.v1.consistency_pb2 import Revision

from camillo_server.doors.rpc import tokens
from camillo_server.doors.rpc.field_limits import rule
from camillo_server.doors.rpc.page_tokens import fitting
from camillo_server.doors.rpc.tokens import RevisionTokens, check_start, foreign_token
from camillo_server.features.slots.messages import check_prefix, slot_message
from camillo_server.features.slots.slot import SlotId
from camillo_server.features.slots.store.reader import SLOTS_AT_ONCE
from camillo_server.features.slots.watch import BEGINNING, ExportedSlots, SlotCursor, Watched
from camillo_server.kernel.scope import Scope

# A slot, and a version of it.
INDEX = re.compile(r"([0-9a-f]{32})([0-9]{1,19})")
_REVISION = re.compile(r"[0-9]{1,18}")

rule(service.WatchSlotsRequest)(check_prefix)
rule(service.WatchSlotsRequest)(check_start)
rule(service.ExportSlotsRequest)(check_prefix)


def watch_start(request: service.WatchSlotsRequest, revisions: RevisionTokens, scope: Scope) -> SlotCursor | None:
    """The position that `RevisionTokens.watch_start` finds."""
    return revisions.watch_start(request, scope, partial(read_resume_token, revisions, scope), SlotCursor.behind)


def resume_token(revisions: RevisionTokens, scope: Scope, cursor: SlotCursor) -> str:
    """A position in a watch as clients keep it."""
    return revisions.indexed_token(scope, cursor.revision, _index_text(cursor))


def read_resume_token(revisions: RevisionTokens, scope: Scope, token: str) -> SlotCursor:
    """The position in a client's token. Raises InvalidPageToken, RevisionUnknown."""
    return _cursor(*revisions.read_indexed_token(scope, token), "resume token")


def export_token(binding: bytes, cursor: SlotCursor) -> str:
    """The page token of an export of every version: it goes on behind a position."""
    return tokens.text_page_token(binding, f"{cursor.revision}.{_index_text(cursor)}")


def read_export_token(binding: bytes, token: str) -> SlotCursor | None:
    """The position in a client's token, None for an empty one. Raises InvalidPageToken."""
    text = tokens.read_text_page_token(binding, token)
    if text is None:
        return None
    revision, _, index = text.partition(".")
    if not (revision.isascii() and _REVISION.fullmatch(revision)):
        raise foreign_token()
    return _cursor(int(revision), index, "page token")


def watch_response(watched: Watched, revisions: RevisionTokens, scope: Scope) -> service.WatchSlotsResponse:
    position, change = watched.position, watched.change
    message = pb.SlotChange(
        resume_token=resume_token(revisions, scope, position),
        revision=revisions.revision(scope, position.revision),
    )
    if watched.triggered is not None:
        message.triggered.CopyFrom(slot_message(watched.triggered))
    elif change is None:
        message.checkpoint.SetInParent()
    elif change.slot is not None:
        message.written.CopyFrom(slot_message(change.slot))
    elif change.is_forgotten:
        message.forgotten_slot_id = str(change.cursor.slot_id)
    else:
        message.hidden_slot_id = str(change.cursor.slot_id)
    return service.WatchSlotsResponse(change=message)


def export_responses(page: ExportedSlots, revision: Revision, binding: bytes) -> list[service.ExportSlotsResponse]:
    """A page in as many messages as it needs."""
    responses: list[service.ExportSlotsResponse] = []
    sent = 0
    while sent < len(page.versions):
        messages = fitting(page.versions[sent : sent + SLOTS_AT_ONCE], slot_message)
        sent += len(messages)
        responses.append(
            service.ExportSlotsResponse(
                versions=messages,
                revision=revision,
                next_page_token=export_token(binding, page.positions[sent - 1])
                if page.positions
                else tokens.text_page_token(binding, messages[-1].key),
            )
        )
    return responses


def _index_text(cursor: SlotCursor) -> str:
    return f"{cursor.slot_id.hex}{cursor.version}"


def _cursor(revision: int, index: str, what: str) -> SlotCursor:
    parts = INDEX.fullmatch(index) if index.isascii() else None
    if parts is None or int(parts[2]) > BEGINNING.version:
        raise foreign_token(what)
    return SlotCursor(revision, SlotId(UUID(hex=parts[1])), int(parts[2]))
