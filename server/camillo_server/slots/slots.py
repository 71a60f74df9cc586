"""Use cases of slots: written, read, listed like a directory, and written again as they were."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from camillo_server.kernel.attribution import TrustLevel
from camillo_server.kernel.channel import Channel, ChannelPolicy
from camillo_server.kernel.clock import Clock
from camillo_server.kernel.errors import NotFound, ProvenanceRequired, invalid_field
from camillo_server.kernel.ids import time_ordered_uuid
from camillo_server.kernel.off_loop import off_loop
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import RequestKey
from camillo_server.redaction.redaction import (
    CHARACTER_MICROSECONDS,
    DRAFT_MICROSECONDS,
    NAMED_CHARACTERS,
    FieldRedaction,
    Redaction,
    Redactor,
)
from camillo_server.slots.content import (
    PARSED_MICROSECONDS,
    WALKED_MICROSECONDS,
    fields_of,
    parsed,
    texts_of,
    written,
)
from camillo_server.slots.key import is_under
from camillo_server.slots.slot import (
    TOMBSTONE,
    NewSlot,
    ProvenanceKind,
    Slot,
    SlotDraft,
    SlotFilter,
    SlotId,
    SlotProvenance,
    SlotSource,
    slot_row,
)
from camillo_server.slots.store import EntryPage, SlotStore, VersionPage
from camillo_server.text.field_texts import texts_of as draft_texts

# Content that is not what a person or an agent says of itself, and the part of the keys that is for such content.
CHECKED_KINDS = (ProvenanceKind.WEB, ProvenanceKind.TOOL, ProvenanceKind.FILE)
CHECKED_PREFIX = "/kb"
TRUST_OF_KINDS = {
    ProvenanceKind.USER: TrustLevel.USER,
    ProvenanceKind.AGENT: TrustLevel.AGENT,
    ProvenanceKind.TOOL: TrustLevel.TOOL,
    ProvenanceKind.FILE: TrustLevel.TOOL,
    ProvenanceKind.SYSTEM: TrustLevel.TOOL,
    ProvenanceKind.WEB: TrustLevel.WEB,
}


class Slots:
    """Slots of a scope. Every method raises KeyMissing and StorageUnavailable; what reads raises BytesLost."""

    def __init__(
        self, store: SlotStore, redactor: Redactor, policy: ChannelPolicy, clock: Clock
    ) -> None:
        self._store = store
        self._redactor = redactor
        self._policy = policy
        self._clock = clock

    async def set(
        self, scope: Scope, draft: SlotDraft, if_version: int | None, request: RequestKey | None
    ) -> tuple[Slot, int, Sequence[Redaction]]:
        """Writes the next version of a key without its secrets; with the revision that holds it, and what was redacted. The last
        write in the order of the scope's revisions is in force. Raises ProvenanceRequired, VersionConflict, ValueRejected,
        RequestIdReused."""
        _require_provenance(draft)
        now = self._clock.now()

        def prepare() -> tuple[NewSlot, Sequence[Redaction]]:
            left, redactions = redacted(draft, self._redactor)
            return new_slot(scope, left, now), redactions

        cost = DRAFT_MICROSECONDS + len(draft.json_content) * CHARACTER_MICROSECONDS
        new, redactions = await off_loop(cost + _walking_cost(draft.json_content), prepare)
        done = await self._store.set(scope, new, if_version, request)
        return done.record, done.revision, redactions

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
        """Writes an earlier version again as the newest one. Raises NotFound, VersionConflict, ValueRejected, RequestIdReused."""
        earlier = await self._store.version(scope, key, version)
        if earlier is None or not self._may_load(channel, earlier):
            raise NotFound("slot", key)
        text, now = earlier.json_content, self._clock.now()

        def prepare() -> NewSlot:
            draft = SlotDraft(
                key=key,
                json_content=text,
                content=parsed(text),
                source=earlier.source,
                sensitivity=earlier.sensitivity,
                trust_level=earlier.trust_level,
                credential=credential,
            )
            return new_slot(scope, draft, now)

        cost = len(text) * PARSED_MICROSECONDS + _walking_cost(text)
        new = await off_loop(cost, prepare)
        done = await self._store.set(scope, new, if_version, request)
        return done.record, done.revision

    async def get(self, scope: Scope, key: str, channel: Channel) -> Slot:
        """The newest version, if it has content that the channel may load. Raises NotFound."""
        slot = await self._store.version(scope, key, None)
        if slot is None or not slot.is_valid or not self._may_load(channel, slot):
            raise NotFound("slot", key)
        return slot

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
        """A page of what stands below a prefix and the channel may load, in the order of keys, behind the key `after`."""
        narrowed = self._policy.narrowed(filter, channel)
        if after and not is_under(after, prefix):
            return EntryPage((), has_more=False)
        return await self._store.page(scope, prefix, narrowed, after, size, one_level=one_level)

    async def history(
        self, scope: Scope, key: str, channel: Channel, before: int | None, size: int
    ) -> VersionPage:
        """A page of the versions below `before`, the newest first. Raises NotFound for a key that was never set."""
        filter = self._policy.narrowed(SlotFilter(), channel)
        page = await self._store.history(scope, key, filter, before, size)
        if not page.versions and before is None:
            raise NotFound("slot", key)
        return page

    def _may_load(self, channel: Channel, slot: Slot) -> bool:
        filter = self._policy.narrowed(SlotFilter(), channel)
        return slot.sensitivity in filter.sensitivities and not (
            filter.is_public and slot.is_private
        )


def trust_of(source: SlotSource, *, is_persons_word: bool) -> TrustLevel:
    """How far content is to be trusted, by its source: words alone are not known. What a person says is an agent's word, unless
    the credential speaks for that person."""
    if isinstance(source, str):
        return TrustLevel.UNKNOWN
    level = TRUST_OF_KINDS[source.kind]
    return level if is_persons_word else min(level, TrustLevel.AGENT)


def _require_provenance(draft: SlotDraft) -> None:
    """Raises ProvenanceRequired. A tombstone removes, and needs none."""
    source = draft.source
    is_checked = is_under(draft.key, CHECKED_PREFIX) or (
        isinstance(source, SlotProvenance) and source.kind in CHECKED_KINDS
    )
    if not is_checked or draft.content is None:
        return
    stated: Mapping[str, Any] = (
        {"name": source.name, "retrieved_at": source.retrieved_at, "locator": source.locator}
        if isinstance(source, SlotProvenance)
        else dict.fromkeys(("kind", "name", "retrieved_at", "locator"))
    )
    if missing := ",".join(name for name, value in stated.items() if not value):
        raise ProvenanceRequired(
            f"content from there has to tell its source: {missing} is missing", missing=missing
        )


def redacted(draft: SlotDraft, redactor: Redactor) -> tuple[SlotDraft, Sequence[Redaction]]:
    """The draft without secrets. JSON in which there was none stays as it was sent."""
    field = FieldRedaction(redactor)
    # The last name of the key tells what the content is, as the key of a value does.
    name = draft.key.rpartition("/")[2]
    ((left, content),) = field.json("json_content", {name: draft.content}).items()
    if left != name:
        # With a placeholder it would name something else.
        raise invalid_field("key", "must not contain a secret")
    before = f"json_content.{name[:NAMED_CHARACTERS]}"
    redactions = [
        replace(each, field=f"json_content{each.field.removeprefix(before)}")
        for each in field.redactions
    ]
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


def new_slot(scope: Scope, draft: SlotDraft, now: datetime) -> NewSlot:
    """What is stored of a draft. Long content takes some ten milliseconds."""
    slot = Slot(
        slot_id=SlotId(time_ordered_uuid(now)),
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
    )
    row = None if slot.kind is None else slot_row(slot, draft.content).with_terms()
    return NewSlot(slot, row, _texts_by_field(draft))


def _walking_cost(json_content: str) -> float:
    return len(json_content) * WALKED_MICROSECONDS


def _texts_by_field(draft: SlotDraft) -> Mapping[str, str]:
    """The texts of a write, by field. Each name of a key is a line, so that one that was forgotten is recognized."""
    contents = enumerate(texts_of(draft.content))
    source = draft.source
    return {
        "key": draft.key.replace("/", "\n"),
        **{f"json_content[{number}]": text for number, text in contents},
        **(
            {"source.text": source}
            if isinstance(source, str)
            else draft_texts(source, "source.provenance.")
        ),
    }
