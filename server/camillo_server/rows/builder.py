"""MemoryBuilder: the rows to be stored of what callers write, without secrets and with vectors."""

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from camillo_server.kernel.clock import Clock, time_ordered_uuid, time_ordered_uuids
from camillo_server.kernel.ids import MemoryId
from camillo_server.kernel.kinds import MemoryKind
from camillo_server.kernel.off_loop import TimeSlices
from camillo_server.kernel.scope import Scope, may_ask
from camillo_server.lib.redaction.redaction import Redaction, Redactor, redacted_drafts
from camillo_server.lib.text.speech import EXPLICIT, USUAL, text_importance
from camillo_server.models.embedding.embedder import Vector
from camillo_server.models.embedding.text_embedding import TextEmbedding
from camillo_server.rows.row import MemoryDraft, NewRow
from camillo_server.rows.store.refs import Lineage
from camillo_server.rows.write_records import MemoriesReplay
from camillo_server.storage.blocklist import OmittedText, ShortenedText, TextFields, offset_in

# Returns the texts that contained forgotten sentences, by field, without these.
WithoutForgotten = Callable[[Scope, TextFields], Awaitable[Mapping[str, ShortenedText]]]
# The expiry of a memory of a kind that is stored at a time without an expiry of its own; None for never.
Lifetimes = Callable[[MemoryKind, datetime], datetime | None]
# The minimum importance of memories of a kind.
OF_KINDS: Mapping[MemoryKind, float] = {
    MemoryKind.TASK_OUTCOME: 0.6,
    MemoryKind.DECISION: 0.9,
    MemoryKind.ERROR: 0.7,
}
# Below what maintenance archives when nobody uses it for a week, and above what it archives at once.
SMALL_TALK = 0.15


@dataclass(frozen=True, slots=True)
class BuiltRows:
    """Drafts as they are stored, in their order: each one's redactions and row, and the time of all."""

    drafts: Sequence[MemoryDraft]
    redactions: Sequence[Sequence[Redaction]]
    rows: Sequence[NewRow]
    now: datetime
    # The sentences that were left out, by the indexes of drafts.
    omitted: Mapping[int, Sequence[OmittedText]]

    @property
    def replay(self) -> MemoriesReplay:
        """The record from which, with the request in hand, a repeat is answered."""
        memories = [row.memory for row in self.rows]
        return MemoriesReplay(
            at=self.now,
            memory_ids=tuple([memory.memory_id for memory in memories]),
            models=tuple([memory.vector_model_id for memory in memories]),
            ends=tuple([memory.expires_at for memory in memories]),
            attributions=tuple([memory.attribution for memory in memories]),
        )


class MemoryBuilder:
    """Takes secrets out, rates what its caller does not, sets an expiry where the kind has one, and embeds if the
    provider can; in this order."""

    def __init__(
        self,
        embedding: TextEmbedding,
        redactor: Redactor,
        lifetimes: Lifetimes,
        lineage: Lineage,
        clock: Clock,
    ) -> None:
        self._embedding = embedding
        self._lineage = lineage
        self._redactor = redactor
        self._lifetimes = lifetimes
        self._clock = clock

    async def build(
        self,
        scope: Scope,
        drafts: Sequence[MemoryDraft],
        *,
        without_forgotten: WithoutForgotten | None = None,
        now: datetime | None = None,
        new_id: MemoryId | None = None,
        is_provisional: bool = False,
    ) -> BuiltRows:
        """A row for each draft, with the caller's vector, or one embedded here, or none if the provider fails. With
        `without_forgotten`, contents are without forgotten sentences; `now` is when they count as written, `new_id` the
        id of a single draft without one; provisional rows are trusted as stated, which asks Postgres nothing."""
        now = now or self._clock.now()
        if not is_provisional:
            drafts = await self._within_lineage(scope, drafts)
        redacted = await redacted_drafts(drafts, self._redactor)
        omitted: Mapping[int, Sequence[OmittedText]] = {}
        if without_forgotten is not None:
            redacted, omitted = await _shortened(scope, redacted, without_forgotten)
        rated, slices = list[MemoryDraft](), TimeSlices() if len(redacted) > 1 else None
        for draft, _ in redacted:
            rated.append(self._rated(draft, now))
            if slices is not None:
                await slices.spend()
        complete = await self._with_vectors(rated, scope)
        rows = [
            NewRow(
                draft.memory(scope.agent_id, new_id or MemoryId(time_ordered_uuid(now)), now),
                draft.vector,
            )
            for draft in complete
        ]
        redactions = [redactions for _, redactions in redacted]
        return BuiltRows(complete, redactions, rows, now, omitted)

    async def build_imported(
        self, scope: Scope, drafts: Sequence[MemoryDraft], now: datetime
    ) -> list[tuple[NewRow, Sequence[Redaction]]]:
        """The row of each draft as it was exported, with its redactions. Vectors are the caller's; missing ones are
        embedded afterwards, in the background, so that an import runs at the speed of storage."""
        drafts = await self._within_lineage(scope, drafts)
        redacted = await redacted_drafts(drafts, self._redactor)
        # An id costs as much as the rest of a row, and exported memories bring theirs.
        unnamed = sum(draft.memory_id is None for draft in drafts)
        new_ids = iter(time_ordered_uuids(now, unnamed))
        memory_ids = [draft.memory_id or MemoryId(next(new_ids)) for draft in drafts]
        return [
            (NewRow(draft.memory(scope.agent_id, memory_id, now), draft.vector), redactions)
            for memory_id, (draft, redactions) in zip(memory_ids, redacted, strict=True)
        ]

    async def _within_lineage(self, scope: Scope, drafts: Sequence[MemoryDraft]) -> Sequence[MemoryDraft]:
        """The drafts, none trusted further than the sources that it names."""
        if not [draft for draft in drafts if draft.source_refs]:
            return drafts
        least = await self._lineage.least_trust(scope, [draft.source_refs for draft in drafts])
        return [
            replace(draft, trust_level=min(draft.trust_level, level))
            for draft, level in zip(drafts, least, strict=True)
        ]

    def _rated(self, draft: MemoryDraft, now: datetime) -> MemoryDraft:
        """The draft with its importance, and with an end where its kind has one; what somebody asks to remember has
        none."""
        rated = importance(draft)
        end = draft.expires_at
        stays = draft.is_pinned or draft.never_expires or rated >= EXPLICIT
        if end is None and not stays:
            end = self._lifetimes(draft.kind, now)
        return replace(draft, importance=rated, expires_at=end)

    async def _with_vectors(self, drafts: Sequence[MemoryDraft], scope: Scope) -> list[MemoryDraft]:
        """A vector that names no model is taken to be of the server's own."""
        contents = [draft.content for draft in drafts if draft.vector is None]
        embedded = await self._embedding.vectors(contents, scope) if contents else []
        vectors = iter(embedded if embedded is not None else [None] * len(contents))
        return [self._with_vector(draft, vectors) for draft in drafts]

    def _with_vector(self, draft: MemoryDraft, embedded: Iterator[Vector | None]) -> MemoryDraft:
        given = draft.vector
        vector = next(embedded) if given is None else self._embedding.named(given)
        return draft if vector is given else replace(draft, vector=vector)


def shortened_content(
    redactions: Sequence[Redaction], shortened: ShortenedText
) -> tuple[str, Sequence[Redaction], Sequence[OmittedText]]:
    """The content without forgotten sentences, the redactions that are left, and where sentences were left out."""
    # The white space behind the last sentence that stays.
    text = shortened.text.rstrip()
    left = [
        replace(each, offset=offset)
        for each in redactions
        if (offset := offset_in({"content": shortened}, each.field, each.offset)) is not None
    ]
    return text, left, shortened.omitted("content")


async def _shortened(
    scope: Scope,
    redacted: Sequence[tuple[MemoryDraft, Sequence[Redaction]]],
    without_forgotten: WithoutForgotten,
) -> tuple[list[tuple[MemoryDraft, Sequence[Redaction]]], Mapping[int, Sequence[OmittedText]]]:
    texts = {str(index): draft.content for index, (draft, _) in enumerate(redacted)}
    shortened = await without_forgotten(scope, texts)
    changed, omitted = list(redacted), dict[int, Sequence[OmittedText]]()
    for index in map(int, shortened):
        draft, redactions = changed[index]
        content, left, omitted[index] = shortened_content(redactions, shortened[str(index)])
        changed[index] = replace(draft, content=content), left
    return changed, omitted


def importance(draft: MemoryDraft) -> float:
    """0 to 1: that of the caller, else the higher one of what its kind and what its text says."""
    if draft.importance is not None:
        return draft.importance
    asks = may_ask(draft.trust_level, is_person=draft.actor.startswith("human:"))
    found = text_importance(draft.content, may_ask=asks, actions=True)
    if found < USUAL:
        found = SMALL_TALK
    return max(found, OF_KINDS.get(draft.kind, 0.0))
