"""Use cases of slots: written, read, listed like a directory, and written again as they were."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

from camillo_formats.slot_content import (
    VALUES_COST,
    fields_of,
    parsed,
    texts_of,
    written,
)
from camillo_formats.slot_keys import is_under

from camillo_server.features.slots.provenance import TenantRules, check_rules, is_rules
from camillo_server.features.slots.slot import (
    TOMBSTONE,
    NewSlot,
    Slot,
    SlotDraft,
    SlotFilter,
    SlotId,
    SlotSource,
    slot_row,
)
from camillo_server.features.slots.store.reader import EntryPage, SlotReader, VersionPage
from camillo_server.features.slots.store.writer import SlotWriter
from camillo_server.kernel.channel import Channel, ChannelPolicy
from camillo_server.kernel.clock import Clock, time_ordered_uuid
from camillo_server.kernel.errors import NotFound, invalid_field
from camillo_server.kernel.off_loop import ROW, off_loop
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import RequestKey, Written
from camillo_server.lib.redaction.redaction import (
    NAMED_CHARACTERS,
    FieldRedaction,
    Redaction,
    Redactor,
)
from camillo_server.lib.text.json_lines import texts_of as draft_texts
from camillo_server.storage.scopes import scope_prefix

MAX_IDS = 100_000


class KnownIds:
    """At most `max_ids` ids, the newest, by scope and key. An id is the key's until something of the scope is
    forgotten."""

    def __init__(self, max_ids: int = MAX_IDS) -> None:
        self._max_ids = max_ids
        self._count = 0
        self._by_scope: dict[Scope, dict[str, SlotId]] = {}

    def add(self, scope: Scope, slot: Slot) -> None:
        """Call it with a slot that Postgres has."""
        ids = self._by_scope.setdefault(scope, {})
        if slot.key not in ids:
            self._count += 1
        ids[slot.key] = slot.slot_id
        while self._count > self._max_ids:
            oldest, of_oldest = next(iter(self._by_scope.items()))
            del of_oldest[next(iter(of_oldest))]
            self._count -= 1
            if not of_oldest:
                del self._by_scope[oldest]

    def find(self, scope: Scope, key: str) -> SlotId | None:
        return self._by_scope.get(scope, {}).get(key)

    def on_removal(self, name: str | None) -> None:
        """Drops the ids of a scope from which something was removed, None being any of them."""
        for scope in list(self._by_scope):
            if name is None or scope_prefix(scope) == name:
                self._count -= len(self._by_scope.pop(scope))


@dataclass(frozen=True, slots=True)
class WrittenSlot:
    """A version that was written, and the secrets that were taken out of it."""

    slot: Slot
    redactions: Sequence[Redaction]


class Slots:
    """Slots of a scope. Every method raises KeyMissing and StorageUnavailable; what reads raises BytesLost."""

    def __init__(
        self,
        store: SlotReader,
        writer: SlotWriter,
        redactor: Redactor,
        policy: ChannelPolicy,
        clock: Clock,
        ids: KnownIds,
    ) -> None:
        self._store = store
        self._writer = writer
        self._redactor = redactor
        self._policy = policy
        self._clock = clock
        self._ids = ids
        self._rules = TenantRules(partial(store.version, version=None))

    async def set(
        self,
        scope: Scope,
        drafts: Sequence[SlotDraft],
        request: RequestKey | None,
        now: datetime | None = None,
        new_id: SlotId | None = None,
    ) -> tuple[Sequence[WrittenSlot], int]:
        """Writes the next versions of keys, in this order and without their secrets, all of them or none; with the
        revision that holds them. `now` is when they count as written, `new_id` the id of a single one that is new. The
        last write in the order of the scope's revisions, and of drafts, is in force. Raises ProvenanceRequired,
        VersionConflict, ValueRejected, RequestIdReused, InvalidField."""
        paths = [f"slots[{index}]." if len(drafts) > 1 else "" for index in range(len(drafts))]
        rules = await self._rules.of(scope)
        for draft, path in zip(drafts, paths, strict=True):
            check_rules(scope, draft, path)
        drafts = [rules.admitted(draft, path) for draft, path in zip(drafts, paths, strict=True)]
        now = now or self._clock.now()

        def prepare() -> tuple[list[NewSlot], list[Sequence[Redaction]]]:
            news, redactions = list[NewSlot](), list[Sequence[Redaction]]()
            for draft, path in zip(drafts, paths, strict=True):
                left, taken_out = redacted(draft, self._redactor, path)
                news.append(new_slot(scope, left, now, new_id))
                redactions.append(taken_out)
            return news, redactions

        characters = sum(len(draft.json_content) for draft in drafts)
        cost = len(drafts) * ROW + characters * (1 + VALUES_COST)
        news, redactions = await off_loop(cost, prepare)
        done = await self._written(scope, news, request)
        written = map(WrittenSlot, done.record, redactions)
        return [*written], done.revision

    async def preview(self, scope: Scope, draft: SlotDraft, now: datetime) -> tuple[SlotDraft, WrittenSlot]:
        """A draft without its secrets, and the version that `set` will make of it, but for its number; nothing is
        stored, and Postgres asked nothing. Raises ProvenanceRequired, InvalidField."""
        check_rules(scope, draft, "")
        characters = len(draft.json_content)
        cost = ROW + characters * (1 + VALUES_COST)
        left, taken_out = await off_loop(cost, partial(redacted, draft, self._redactor))
        slot = replace(new_slot(scope, left, now).slot, version=0)
        return left, WrittenSlot(slot, taken_out)

    async def restore(
        self,
        scope: Scope,
        key: str,
        version: int,
        if_version: int | None,
        channel: Channel,
        credential: str,
        request: RequestKey | None,
    ) -> tuple[Slot, int]:
        """Writes an earlier version again as the newest one. Raises NotFound, ProvenanceRequired, VersionConflict,
        ValueRejected, RequestIdReused."""
        earlier = await self._store.version(scope, key, version)
        if earlier is None or not self._may_load(channel, earlier):
            raise NotFound("slot", key)
        text, now = earlier.json_content, self._clock.now()
        rules = await self._rules.of(scope)

        def prepare() -> NewSlot:
            draft = SlotDraft(
                key=key,
                json_content=text,
                content=parsed(text),
                source=earlier.source,
                sensitivity=earlier.sensitivity,
                trust_level=earlier.trust_level,
                credential=credential,
                if_version=if_version,
                unindexed=earlier.unindexed,
            )
            return new_slot(scope, rules.admitted(draft, ""), now)

        cost = len(text) * 2 * VALUES_COST
        new = await off_loop(cost, prepare)
        done = await self._written(scope, [new], request)
        return done.record[0], done.revision

    async def _written(
        self, scope: Scope, news: Sequence[NewSlot], request: RequestKey | None
    ) -> Written[Sequence[Slot]]:
        try:
            done = await self._writer.set(scope, news, request)
            for slot in done.record:
                self._ids.add(scope, slot)
            return done
        finally:
            if any(is_rules(scope, new.slot.key) for new in news):
                self._rules.forget(scope.tenant_id)

    async def get(self, scope: Scope, key: str, channel: Channel) -> Slot:
        """The newest version, if it has content that the channel may load. Raises NotFound."""
        slot = await self._store.version(scope, key, None)
        if slot is None or not slot.is_valid or not self._may_load(channel, slot):
            raise NotFound("slot", key)
        self._ids.add(scope, slot)
        return slot

    def known_id(self, scope: Scope, key: str) -> SlotId | None:
        """The id of the slot, where this process has written or read it; Postgres is asked nothing."""
        return self._ids.find(scope, key)

    async def list(
        self,
        scope: Scope,
        prefix: str,
        filter: SlotFilter,
        channel: Channel,
        after: str,
        size: int,
        *,
        one_level: bool,
    ) -> EntryPage:
        """A page of what stands below a prefix and the channel may load, in the order of keys, behind the key
        `after`."""
        narrowed = self._policy.narrowed(filter, channel)
        if after and not is_under(after, prefix):
            return EntryPage((), has_more=False)
        return await self._store.page(scope, prefix, narrowed, after, size, one_level=one_level)

    async def history(self, scope: Scope, key: str, channel: Channel, before: int | None, size: int) -> VersionPage:
        """A page of the versions below `before`, the newest first. Raises NotFound for a key that was never set."""
        filter = self._policy.narrowed(SlotFilter(), channel)
        page = await self._store.history(scope, key, filter, before, size)
        if not page.versions and before is None:
            raise NotFound("slot", key)
        return page

    def _may_load(self, channel: Channel, slot: Slot) -> bool:
        filter = self._policy.narrowed(SlotFilter(), channel)
        return slot.sensitivity in filter.sensitivities and not (filter.is_public and slot.is_private)


def redacted(draft: SlotDraft, redactor: Redactor, path: str = "") -> tuple[SlotDraft, Sequence[Redaction]]:
    """The draft without secrets. JSON in which there was none stays as it was sent. `path`: of the draft among
    several."""
    field = FieldRedaction(redactor)
    # The last name of the key tells what the content is, as the key of a value does.
    name = draft.key.rpartition("/")[2]
    ((left, content),) = field.json("json_content", {name: draft.content}).items()
    if left != name:
        # With a placeholder it would name something else.
        raise invalid_field(f"{path}key", "must not contain a secret")
    before = f"json_content.{name[:NAMED_CHARACTERS]}"
    redactions = [replace(each, field=f"json_content{each.field.removeprefix(before)}") for each in field.redactions]
    field.redactions = redactions
    source = _redacted_source(draft.source, field)
    if content != draft.content:
        text = TOMBSTONE if content is None else written(content)
        draft = replace(draft, json_content=text, content=content)
    return replace(draft, source=source), field.redactions


def _redacted_source(source: SlotSource, field: FieldRedaction) -> SlotSource:
    if isinstance(source, str):
        return field.text("source.text", source)
    return replace(
        source,
        name=field.text("source.provenance.name", source.name),
        locator=field.json("source.provenance.locator", source.locator),
    )


def new_slot(scope: Scope, draft: SlotDraft, now: datetime, new_id: SlotId | None = None) -> NewSlot:
    """Row of a draft, under this id where it is new. Long content takes some ten milliseconds."""
    slot = Slot(
        slot_id=new_id or SlotId(time_ordered_uuid(now)),
        agent_id=scope.agent_id,
        key=draft.key,
        version=1,
        json_content=draft.json_content,
        source=draft.source,
        fields=fields_of(draft.content),
        sensitivity=draft.sensitivity,
        trust_level=draft.trust_level,
        credential=draft.credential,
        updated_at=now,
        occurred_at=draft.occurred_at,
        unindexed=draft.unindexed,
    )
    row = slot_row(slot, draft.content).with_terms() if slot.has_chunk else None
    return NewSlot(slot, row, _texts_by_field(draft), draft.if_version)


def _texts_by_field(draft: SlotDraft) -> Mapping[str, str]:
    """The texts of a write, by field. Each name of a key is a line, so that one that was forgotten is recognized."""
    contents = enumerate(texts_of(draft.content))
    source = draft.source
    return {
        "key": draft.key.replace("/", "\n"),
        **{f"json_content[{number}]": text for number, text in contents},
        **({"source.text": source} if isinstance(source, str) else draft_texts(source, "source.provenance.")),
    }
