"""Values that were forgotten and may not be stored again, known by their fingerprints; and long texts without the
sentences that hold one."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from camillo_server.kernel.errors import ValueRejected
from camillo_server.kernel.ids import TenantId
from camillo_server.kernel.off_loop import ROW, off_loop
from camillo_server.kernel.scope import Scope, whole_tenant
from camillo_server.kernel.writes import RequestKey
from camillo_server.lib.crypto.keyring import Keyring
from camillo_server.lib.text.value_fingerprints import (
    LONGEST_RUN,
    value_fingerprints,
    whole_fingerprints,
)
from camillo_server.storage.database import Database, Session
from camillo_server.storage.receipts import note_refusals
from camillo_server.storage.scopes import all_tenant_ids
from camillo_server.storage.statements import scope_parameters, statements

SQL = statements("storage/blocklist")
# Violated by `refuse_blocked_values`, in statements that lock the scope themselves: a fingerprint is blocked; or there
# are blocks, and it was called without fingerprints.
CONSTRAINT = "value_blocks_hold"
UNREAD = "value_blocks_unread"
# Beyond so many scopes with blocked values they are not kept in mind.
MAX_KNOWN_SCOPES = 10_000
# The texts of a write, by the field that they are in.
TextFields = Mapping[str, str]
# The span of a sentence, or of several in a row, with its fingerprints.
_Run = tuple[tuple[int, int], Sequence[bytes]]


@dataclass(frozen=True, slots=True)
class ValueFingerprints:
    """The fingerprints of the texts of a write, by field."""

    fields: Mapping[str, Sequence[bytes]]

    def all(self) -> list[bytes]:
        """All of them, each once."""
        return list({each for fingerprints in self.fields.values() for each in fingerprints})

    def fields_with(self, blocked: Collection[bytes]) -> list[str]:
        """The fields that have one of these, in their order."""
        return [field for field, fingerprints in self.fields.items() if any(each in blocked for each in fingerprints)]

    def receipts(self, blocked: Mapping[bytes, UUID], path: str = "") -> list[tuple[str, UUID]]:
        """The fields that have one of these, `path` before each, and the receipt of the first that each has."""
        found = (
            (path + field, next((blocked[each] for each in fingerprints if each in blocked), None))
            for field, fingerprints in self.fields.items()
        )
        return [(field, receipt_id) for field, receipt_id in found if receipt_id is not None]


def fingerprint_texts(scope: Scope, texts: TextFields) -> ValueFingerprints:
    """Call it before the scope is locked, and `fingerprint_texts_off_loop` for what may be long."""
    return ValueFingerprints({field: value_fingerprints(scope.tenant_id, text) for field, text in texts.items()})


async def fingerprint_texts_off_loop(scope: Scope, texts: TextFields) -> ValueFingerprints:
    """Calls `fingerprint_texts`, in a thread if there is much to read."""
    cost = sum(map(len, texts.values()))
    return await off_loop(cost, lambda: fingerprint_texts(scope, texts))


class KnownBlocks:
    """The scopes with blocked values that this process has met. In most scopes nothing was forgotten, and no
    fingerprints are computed; where something was, before the scope is locked but for the first time."""

    def __init__(self) -> None:
        self._scopes: set[Scope] = set()

    def __contains__(self, scope: Scope) -> bool:
        return scope in self._scopes

    def add(self, scope: Scope) -> None:
        """Beyond `MAX_KNOWN_SCOPES`, fingerprints are computed late, or a write takes two attempts."""
        if len(self._scopes) < MAX_KNOWN_SCOPES:
            self._scopes.add(scope)

    async def fingerprints(self, scope: Scope, texts: TextFields) -> ValueFingerprints | None:
        """The fingerprints of the texts; None where no blocks are known. Call it before the scope is locked."""
        if scope not in self._scopes or not texts:
            return None
        return await fingerprint_texts_off_loop(scope, texts)

    async def refuse(
        self,
        session: Session,
        scope: Scope,
        texts: TextFields,
        fingerprints: ValueFingerprints | None,
    ) -> None:
        """Does what `refuse_blocked` does, with the fingerprints that `fingerprints` returned."""
        if fingerprints is None:
            if not await has_blocks(session, scope):
                return
            self.add(scope)
            fingerprints = await fingerprint_texts_off_loop(scope, texts)
        await _refuse(session, scope, fingerprints)


async def refuse_blocked(session: Session, scope: Scope, texts: TextFields) -> None:
    """Raises ValueRejected for the first field with a value that was forgotten in this scope or in the shared one.

    Call it in the writing transaction, after the scope is locked: no forgetting is under way then.
    """
    await KnownBlocks().refuse(session, scope, texts, None)


async def _refuse(session: Session, scope: Scope, written: ValueFingerprints) -> None:
    blocked = await blocked_fingerprints(session, scope, written.all())
    for field in written.fields_with(blocked):
        note_refusals(scope, written.receipts(blocked))
        raise ValueRejected(field)


def with_request_id(texts: TextFields, request: RequestKey | None) -> TextFields:
    """With the id of the request, which is stored as well."""
    return texts if request is None else {**texts, "request_id": request.request_id}


async def blocked_fields(session: Session, scope: Scope, written: ValueFingerprints) -> set[str]:
    """The fields with a forgotten value; call it as `refuse_blocked`."""
    return set(written.fields_with(await blocked_fingerprints(session, scope, written.all())))


def kept_fingerprint(keyring: Keyring, tenant_id: TenantId, fingerprint: bytes) -> bytes:
    """The fingerprint as it is kept: who reads the database cannot test a guess without the key. An installation
    without keys keeps it as it is."""
    if keyring.is_empty:
        return fingerprint
    return keyring.lasting_fingerprint(tenant_id, "forgotten value", fingerprint)


async def kept_fingerprints(keyring: Keyring, scope: Scope, fingerprints: Collection[bytes]) -> dict[bytes, bytes]:
    """The fingerprints by what may be kept of them: with a key, and without as releases kept them that had none."""

    def by_kept() -> dict[bytes, bytes]:
        tenant_id = scope.tenant_id
        plain = {each: each for each in fingerprints}
        return plain | {kept_fingerprint(keyring, tenant_id, each): each for each in fingerprints}

    return await off_loop(len(fingerprints) * ROW / 16, by_kept)


async def blocked_fingerprints(session: Session, scope: Scope, fingerprints: Collection[bytes]) -> dict[bytes, UUID]:
    """The fingerprints that belong to forgotten values, each with the receipt of its removal."""
    if not fingerprints:
        return {}
    by_kept = await kept_fingerprints(session.keyring, scope, fingerprints)
    # A long text has a hundred thousand: as an array they would take a fifth of a second to write down.
    parameters = {**scope_parameters(scope), "marks": b"".join(by_kept)}
    rows = await session.rows(SQL["blocked_marks"], parameters)
    return {by_kept[bytes(kept)]: receipt_id for kept, receipt_id in rows}


async def key_blocks(database: Database) -> None:
    """Applies the key to the fingerprints that releases kept without one, in every tenant. Does nothing where there is
    no key."""
    if database.keyring.is_empty:
        return
    for tenant_id in await all_tenant_ids(database):

        async def work(session: Session, tenant_id: TenantId = tenant_id) -> None:
            key = {"tenant_id": tenant_id}
            rows = await session.rows(SQL["plain_marks"], key)
            plain = [bytes(each) for (each,) in rows]
            keyed = [kept_fingerprint(database.keyring, tenant_id, each) for each in plain]
            await session.execute(SQL["key_marks"], {**key, "plain": plain, "keyed": keyed})

        await database.transaction(whole_tenant(tenant_id), work)


async def has_blocks(session: Session, scope: Scope) -> bool:
    """Whether any value was forgotten in this scope or in the shared one."""
    exists: bool
    (exists,) = await session.only_row(SQL["has_blocks"], scope_parameters(scope))
    return exists


@dataclass(frozen=True, slots=True)
class Blocking:
    """Fingerprints of whole values, and the receipt by which the block is lifted."""

    fingerprints: Sequence[bytes]
    receipt_id: UUID
    at: datetime


async def block(session: Session, scope: Scope, blocking: Blocking) -> None:
    """A value that is blocked already belongs to this receipt from now on."""
    keyring, plain = session.keyring, list(blocking.fingerprints)
    parameters = {
        **scope_parameters(scope),
        "marks": [kept_fingerprint(keyring, scope.tenant_id, each) for each in plain],
        "plain": plain,
        "is_keyed": not keyring.is_empty,
        "receipt_id": blocking.receipt_id,
        "now": blocking.at,
    }
    await session.execute(SQL["block"], parameters)


async def lift(session: Session, scope: Scope, what: str | UUID) -> int:
    """Allows a text again, or all values that a receipt of this scope blocked; returns how many."""
    if isinstance(what, str):
        by_kept = await kept_fingerprints(session.keyring, scope, whole_fingerprints(scope.tenant_id, what))
        parameters = {**scope_parameters(scope), "marks": list(by_kept)}
        lifted = await session.execute(SQL["lift_value"], parameters)
    else:
        parameters = {**scope_parameters(scope), "receipt_id": what}
        lifted = await session.execute(SQL["lift_receipt"], parameters)
    return lifted.rowcount


# Marks that end a sentence if white space is behind them, what may stand between, and marks that always end one.
_MARKS, _CLOSING, _WIDE = r".!?;\u2026\u061f\u0964", r"\"')\]\u2019\u201d\u00bb", r"\u3002\uff01\uff1f\uff1b"
# A sentence with what follows it, or a line. Nothing is tried again, so that a long run of marks is read once.
_SENTENCE = re.compile(
    rf"[^\n](?:[^\n{_MARKS}{_WIDE}]++|[{_MARKS}]++(?![{_CLOSING}]*+\s))*+(?:[{_MARKS}]++[{_CLOSING}]*+|[{_WIDE}])?\s*|\s+",
    re.ASCII,
)


@dataclass(frozen=True, slots=True)
class OmittedText:
    """Where a sentence was left out: the field, and the offset in what is stored, in characters."""

    field: str
    offset: int


@dataclass(frozen=True, slots=True)
class ShortenedText:
    """A text without its forgotten sentences. `gone` are their spans in the text as it was, in order, in characters."""

    text: str
    gone: Sequence[tuple[int, int]]

    def omitted(self, field: str) -> Sequence[OmittedText]:
        """The places of the sentences that were left out."""
        places, gone_before = [], 0
        for start, end in self.gone:
            places.append(OmittedText(field, min(start - gone_before, len(self.text))))
            gone_before += end - start
        return places

    def offset(self, before: int) -> int | None:
        """Where a character of the text as it was is now; None where it is gone."""
        if any(start <= before < end for start, end in self.gone):
            return None
        return before - sum(end - start for start, end in self.gone if end <= before)


async def without_forgotten(database: Database, scope: Scope, texts: TextFields) -> Mapping[str, ShortenedText]:
    """Returns the texts that contained forgotten sentences, by field, without these. Sentences that were forgotten
    together are removed where they follow each other. A text of which nothing would be left is not returned: the write
    refuses it. Raises StorageUnavailable."""
    if not texts or not await database.read(scope, lambda session: has_blocks(session, scope)):
        return {}
    cost = LONGEST_RUN * sum(map(len, texts.values()))
    runs, all_fingerprints = await off_loop(cost, lambda: _all_runs(scope, texts))
    blocked = await database.read(scope, lambda session: blocked_fingerprints(session, scope, all_fingerprints))
    if not blocked:
        return {}

    def shortened(field: str) -> ShortenedText:
        return without_spans(
            texts[field], [span for span, found in runs[field] if not blocked.keys().isdisjoint(found)]
        )

    found = await off_loop(cost, lambda: {field: shortened(field) for field in texts})
    return {field: each for field, each in found.items() if each.gone and each.text.strip()}


def offset_in(shortened: Mapping[str, ShortenedText], field: str, before: int) -> int | None:
    """The `offset` of the field's text; the same offset if that was not shortened."""
    return shortened[field].offset(before) if field in shortened else before


def _all_runs(scope: Scope, texts: TextFields) -> tuple[Mapping[str, Sequence[_Run]], set[bytes]]:
    """The runs of sentences of each text, and the fingerprints of all."""
    runs = {field: list(_runs(scope, text)) for field, text in texts.items()}
    return runs, {each for of_text in runs.values() for _, found in of_text for each in found}


def sentences(text: str) -> Sequence[tuple[int, int]]:
    """The spans of sentences, each with the white space behind it; a line is a sentence."""
    return [found.span() for found in _SENTENCE.finditer(text)]


def _runs(scope: Scope, text: str) -> Iterator[_Run]:
    """The span of each sentence, and of up to three in a row, with its fingerprints."""
    spans = sentences(text)
    for first, (start, _) in enumerate(spans):
        for last in range(first, min(first + LONGEST_RUN, len(spans))):
            fingerprints = value_fingerprints if last == first else whole_fingerprints
            end = spans[last][1]
            yield (start, end), fingerprints(scope.tenant_id, text[start:end])


def without_spans(text: str, spans: Sequence[tuple[int, int]]) -> ShortenedText:
    """The text without these spans, which may overlap."""
    gone: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if gone and start <= gone[-1][1]:
            start, last_end = gone.pop()
            end = max(end, last_end)
        gone.append((start, end))
    ends, starts = [0, *(end for _, end in gone)], [*(start for start, _ in gone), len(text)]
    return ShortenedText("".join(text[start:end] for start, end in zip(ends, starts, strict=True)), gone)
