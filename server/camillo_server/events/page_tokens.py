"""Page tokens of lists of events, decisions and tasks: see `tokens`."""

import re

from camillo_server.kernel.errors import InvalidField, InvalidPageToken
from camillo_server.kernel.paging import LAST_PLACE, EventCursor
from camillo_server.kernel.scope import Scope
from camillo_server.rpc import tokens
from camillo_server.rpc.tokens import RevisionTokens

# A revision, and the place within it.
PLACE = re.compile(r"([0-9]{1,18}) ([0-9]{1,10})")


def event_token(binding: bytes, cursor: EventCursor | None) -> str:
    """The place behind an event; empty at the end."""
    if cursor is None:
        return ""
    return tokens.text_page_token(binding, f"{cursor.revision} {cursor.place}")


def read_event_token(binding: bytes, token: str) -> EventCursor | None:
    """The place in a client's token, None for an empty one. Raises InvalidPageToken."""
    text = tokens.read_text_page_token(binding, token)
    return None if text is None else _cursor(text, "page token")


def resume_token(revisions: RevisionTokens, scope: Scope, cursor: EventCursor) -> str:
    """A place in a watch as clients keep it: the revision's own token, and the place within it."""
    return f"{revisions.revision(scope, cursor.revision).token}.{cursor.place}"


def read_resume_token(revisions: RevisionTokens, scope: Scope, token: str) -> EventCursor:
    """The place in a client's token. Raises InvalidPageToken, RevisionUnknown."""
    revision, _, place = token.rpartition(".")
    try:
        number = revisions.read_revision(scope, revision, "resume_token")
    except InvalidField:
        raise _not_ours("resume token") from None
    return _cursor(f"{number} {place}", "resume token")


def after_revision(number: int) -> EventCursor:
    """The place behind all of a revision."""
    return EventCursor(number, LAST_PLACE)


def _cursor(text: str, what: str) -> EventCursor:
    parts = PLACE.fullmatch(text) if text.isascii() else None
    if parts is None or int(parts[2]) > LAST_PLACE:
        raise _not_ours(what)
    return EventCursor(int(parts[1]), int(parts[2]))


def _not_ours(what: str) -> InvalidPageToken:
    return InvalidPageToken(f"is not a {what} of this service")
