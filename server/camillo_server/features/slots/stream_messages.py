"""Watches and exports of slots in messages: where they begin, their tokens, and what they send."""

import re
from uuid import UUID

from camillo.v1 import slot_pb2 as pb
from camillo.v1 import slot_service_pb2 as service
from camillo.v1.consistency_pb2 import Revision

from camillo_server.doors.rpc import tokens
from camillo_server.doors.rpc.field_limits import rule
from camillo_server.doors.rpc.page_tokens import fitting
from camillo_server.doors.rpc.tokens import RevisionTokens
from camillo_server.doors.rpc.validate import Checks
from camillo_server.features.slots.messages import check_prefix, slot_message
from camillo_server.features.slots.slot import SlotId
from camillo_server.features.slots.store.reader import SLOTS_AT_ONCE
from camillo_server.features.slots.watch import BEGINNING, ExportedSlots, SlotCursor, Watched
from camillo_server.kernel.errors import InvalidField, InvalidPageToken
from camillo_server.kernel.scope import Scope

# A slot, and a version of it.
PLACE = re.compile(r"([0-9a-f]{32})([0-9]{1,19})")
_REVISION = re.compile(r"[0-9]{1,18}")

rule(service.WatchSlotsRequest)(check_prefix)
rule(service.ExportSlotsRequest)(check_prefix)


@rule(service.WatchSlotsRequest)
def check_start(request: service.WatchSlotsRequest, path: str, checks: Checks) -> None:
    """Requires a start, as other watches do: nobody receives everything because of a forgotten field."""
    start = request.WhichOneof("start")
    if start is None or (start == "from_beginning" and not request.from_beginning):
        checks.fail("start", "must say where to begin")


def watch_start(request: service.WatchSlotsRequest, revisions: RevisionTokens, scope: Scope) -> SlotCursor | None:
    """The position after which a watch begins; None for the beginning. Raises InvalidField, InvalidPageToken,
    RevisionUnknown."""
    match request.WhichOneof("start"):
        case "resume_token":
            return read_resume_token(revisions, scope, request.resume_token)
        case "after_revision":
            token = request.after_revision.token
            return SlotCursor.behind(revisions.read_revision(scope, token, "after_revision.token"))
    return None


def resume_token(revisions: RevisionTokens, scope: Scope, cursor: SlotCursor) -> str:
    """A position in a watch as clients keep it: the revision's own token, and the place within it."""
    return f"{revisions.revision(scope, cursor.revision).token}.{_place_text(cursor)}"


def read_resume_token(revisions: RevisionTokens, scope: Scope, token: str) -> SlotCursor:
    """The position in a client's token. Raises InvalidPageToken, RevisionUnknown."""
    revision, _, place = token.rpartition(".")
    try:
        number = revisions.read_revision(scope, revision, "resume_token")
    except InvalidField:
        raise _not_ours("resume token") from None
    return _cursor(number, place, "resume token")


def export_token(binding: bytes, cursor: SlotCursor) -> str:
    """The page token of an export of every version: it goes on behind a position."""
    return tokens.text_page_token(binding, f"{cursor.revision}.{_place_text(cursor)}")


def read_export_token(binding: bytes, token: str) -> SlotCursor | None:
    """The position in a client's token, None for an empty one. Raises InvalidPageToken."""
    text = tokens.read_text_page_token(binding, token)
    if text is None:
        return None
    revision, _, place = text.partition(".")
    if not (revision.isascii() and _REVISION.fullmatch(revision)):
        raise _not_ours("page token")
    return _cursor(int(revision), place, "page token")


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


def _place_text(cursor: SlotCursor) -> str:
    return f"{cursor.slot_id.hex}{cursor.version}"


def _cursor(revision: int, place: str, what: str) -> SlotCursor:
    parts = PLACE.fullmatch(place) if place.isascii() else None
    if parts is None or int(parts[2]) > BEGINNING.version:
        raise _not_ours(what)
    return SlotCursor(revision, SlotId(UUID(hex=parts[1])), int(parts[2]))


def _not_ours(what: str) -> InvalidPageToken:
    return InvalidPageToken(f"is not a {what} of this service")
