"""Opaque tokens: a version byte, what the token is bound to, and its content, in URL-safe base64.

Nothing in them is secret, and nothing that a forged one says is believed beyond the caller's own scope: a
token moves a cursor, or names a revision that is then checked.
"""

import base64
import hashlib
import struct
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Any, TypeVar
from uuid import UUID

from camillo.v1.consistency_pb2 import Revision

from camillo_server.doors.rpc.validate import Checks
from camillo_server.kernel.clock import microseconds, moment
from camillo_server.kernel.errors import (
    InvalidField,
    InvalidPageToken,
    RevisionUnknown,
    invalid_field,
)
from camillo_server.kernel.ids import MemoryId, PageCursor, WatchPosition
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.strict_base64 import from_base64url
from camillo_server.kernel.writes import LOST_POSITION, History

Position = TypeVar("Position")
VERSION = 1
# version, history, scope, revision
REVISION = struct.Struct(">B6s8sQ")
# version, binding, microseconds since 1970, id
PAGE = struct.Struct(">B8sq16s")
# version, history; and of each scope: scope, revision, whether an id follows, id
RESUME = struct.Struct(">B6s")
POSITION = struct.Struct(">8sQ?16s")


class RevisionTokens:
    """Revisions and watch positions of one history of a database."""

    def __init__(self, history: History) -> None:
        self.enter(history)

    def enter(self, history: History) -> None:
        """Makes tokens of this history from now on, and refuses those of others."""
        named = f"{history.database_id} {history.system_identifier} {history.timeline}"
        if history.epoch:
            named += f" {history.epoch}"
        self._history = _digest_of_history(named.encode())
        # Tokens of releases that named the database alone are from before any epoch.
        of_database = _digest_of_history(history.database_id.bytes)
        self._known = (self._history,) if history.epoch else (self._history, of_database)

    def binding(self, *parts: bytes) -> bytes:
        """The binding of a page token that names a revision."""
        return query_binding(self._history, *parts)

    def revision(self, scope: Scope, revision: int) -> Revision:
        """The revision as clients keep it."""
        return Revision(token=_revision_text(self._history, scope, revision))

    def read_revision(self, scope: Scope, token: str, field: str) -> int:
        """The number in a client's token. Raises InvalidField, RevisionUnknown."""
        packed = _bytes(token)
        if packed is None or len(packed) != REVISION.size or packed[0] != VERSION:
            raise invalid_field(field, "is not a revision of this service")
        _, history, of_scope, revision = REVISION.unpack(packed)
        if history not in self._known:
            raise RevisionUnknown("the revision is of another database, or of a state that it has lost")
        if of_scope != _scope_digest(scope):
            raise RevisionUnknown("the revision is of another space")
        return int(revision)

    def resume_token(self, positions: Mapping[Scope, WatchPosition]) -> str:
        """The position of a watch in each of its scopes, as clients keep them."""
        packed = [RESUME.pack(VERSION, self._history)]
        for scope, position in positions.items():
            id_bytes = position.memory_id.bytes if position.memory_id else bytes(16)
            packed.append(POSITION.pack(_scope_digest(scope), position.revision, bool(position.memory_id), id_bytes))
        return _text(b"".join(packed))

    def read_resume_token(self, scopes: Sequence[Scope], token: str) -> dict[Scope, WatchPosition]:
        """The positions in a client's token, which has to be of a watch of the same scopes. Raises InvalidPageToken,
        RevisionUnknown."""
        packed = _bytes(token) or b""
        places, rest = divmod(len(packed) - RESUME.size, POSITION.size)
        if places < 1 or rest or packed[0] != VERSION:
            raise foreign_token("resume token")
        if RESUME.unpack_from(packed)[1] not in self._known:
            raise RevisionUnknown(LOST_POSITION)
        found: dict[bytes, WatchPosition] = {}
        for of_scope, revision, has_id, memory_id in POSITION.iter_unpack(packed[RESUME.size :]):
            found[of_scope] = WatchPosition(revision, MemoryId(UUID(bytes=memory_id)) if has_id else None)
        digests = {scope: _scope_digest(scope) for scope in scopes}
        if len(found) < places or found.keys() != set(digests.values()):
            raise InvalidPageToken("the resume token is of another space" + "s" * (len(scopes) > 1))
        return {scope: found[digest] for scope, digest in digests.items()}

    def indexed_token(self, scope: Scope, revision: int, index: str) -> str:
        """A position within a revision as clients keep it: the revision's own token, and the index."""
        return f"{self.revision(scope, revision).token}.{index}"

    def read_indexed_token(self, scope: Scope, token: str) -> tuple[int, str]:
        """The revision and the index in a client's resume token. Raises InvalidPageToken, RevisionUnknown."""
        revision, _, index = token.rpartition(".")
        try:
            return self.read_revision(scope, revision, "resume_token"), index
        except InvalidField:
            raise foreign_token("resume token") from None

    def watch_start(
        self, request: Any, scope: Scope, read_token: Callable[[str], Position], behind: Callable[[int], Position]
    ) -> Position | None:
        """The position behind which a watch begins: that of its resume token, or behind its revision; None for the
        beginning. Raises InvalidField, InvalidPageToken, RevisionUnknown."""
        match request.WhichOneof("start"):
            case "resume_token":
                return read_token(request.resume_token)
            case "after_revision":
                return behind(self.read_revision(scope, request.after_revision.token, "after_revision.token"))
        return None


def check_start(request: Any, path: str, checks: Checks) -> None:
    """Requires a start: nobody is sent everything because of a forgotten field."""
    start = request.WhichOneof("start")
    if start is None or (start == "from_beginning" and not request.from_beginning):
        checks.fail("start", "must say where to begin")


def foreign_token(what: str = "page token") -> InvalidPageToken:
    """The error for a text that this service did not make."""
    return InvalidPageToken(f"is not a {what} of this service")


def query_binding(*parts: bytes | str) -> bytes:
    """The binding of a page token: 8 bytes that another method, scope or filter would not give."""
    binding = hashlib.blake2b(digest_size=8)
    for part in parts:
        encoded = part.encode() if isinstance(part, str) else part
        binding.update(len(encoded).to_bytes(8, "big") + encoded)
    return binding.digest()


def page_token(binding: bytes, cursor: PageCursor | None) -> str:
    """The token of a page of a list ordered by time and id; empty if there is none."""
    if cursor is None:
        return ""
    return _text(PAGE.pack(VERSION, binding, microseconds(cursor.at), cursor.row_id.bytes))


def stage_token(binding: bytes, stage: int, cursor: PageCursor | None) -> str:
    """A `page_token` of a list that comes in stages: whoever has the token reads on in this stage."""
    return page_token(query_binding("stage", binding.hex(), str(stage)), cursor)


def read_stage_token(binding: bytes, token: str, stages: Sequence[int]) -> tuple[int, PageCursor | None]:
    """The stage and the position in a client's token; the first stage for an empty token. Raises InvalidPageToken."""
    for stage in stages[:-1]:
        with suppress(InvalidPageToken):
            bound = query_binding("stage", binding.hex(), str(stage))
            return stage, read_page_token(bound, token)
    bound = query_binding("stage", binding.hex(), str(stages[-1]))
    return stages[-1], read_page_token(bound, token)


def read_page_token(binding: bytes, token: str) -> PageCursor | None:
    """The position in a client's token, None for an empty one. Raises InvalidPageToken."""
    if not token:
        return None
    packed = _bytes(token)
    if packed is None or len(packed) != PAGE.size:
        raise foreign_token()
    version, bound_to, at, row_id = PAGE.unpack(packed)
    if version != VERSION or bound_to != binding:
        raise InvalidPageToken("the page token belongs to another query")
    try:
        return PageCursor(moment(at), UUID(bytes=row_id))
    except OverflowError:
        raise foreign_token() from None


def text_page_token(binding: bytes, after: str) -> str:
    """The position behind a row of a list ordered by a text."""
    return _text(bytes([VERSION]) + binding + after.encode())


def read_text_page_token(binding: bytes, token: str) -> str | None:
    """The position in a client's token, None for an empty one. Raises InvalidPageToken."""
    if not token:
        return None
    packed = _bytes(token)
    if packed is None or packed[: 1 + len(binding)] != bytes([VERSION]) + binding:
        raise InvalidPageToken("the page token belongs to another query")
    try:
        after = packed[1 + len(binding) :].decode()
    except UnicodeDecodeError:
        raise foreign_token() from None
    if "\0" in after:
        raise foreign_token()
    return after


def read_number_page_token(binding: bytes, token: str) -> int | None:
    """The position in a list ordered by a number, None for an empty token. Raises InvalidPageToken."""
    text = read_text_page_token(binding, token)
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 19):
        raise foreign_token()
    return int(text)


def _digest_of_history(named: bytes) -> bytes:
    return hashlib.blake2b(named, digest_size=6).digest()


@lru_cache(maxsize=100_000)
def _scope_digest(scope: Scope) -> bytes:
    named = f"{scope.tenant_id}\0{scope.agent_id}".encode()
    return hashlib.blake2b(named, digest_size=8).digest()


@lru_cache(maxsize=1_000)
def _revision_text(history: bytes, scope: Scope, revision: int) -> str:
    return _text(REVISION.pack(VERSION, history, _scope_digest(scope), revision))


def _text(packed: bytes) -> str:
    return base64.urlsafe_b64encode(packed).rstrip(b"=").decode()


def _bytes(token: str) -> bytes | None:
    """The bytes of a token; None unless it is as this module writes it: a changed last character counts, too."""
    return from_base64url(token)
