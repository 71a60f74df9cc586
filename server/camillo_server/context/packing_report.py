"""The account of a packing: how budgets were spent, what was left out, and what became of every candidate."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from camillo_server.context.budget_allocation import Allocation
from camillo_server.context.bundle import (
    MAX_REFS,
    Candidate,
    Omission,
    OmissionReason,
    PackingEntry,
    PackingOutcome,
    SectionBudget,
)
from camillo_server.context.filling import Filled, Piece
from camillo_server.context.recipe import Recipe, SectionSource

MAX_OMISSIONS = 500
MAX_ENTRIES = 1_000
# What was cut before it was counted is told roughly.
_CHARACTERS_OF_A_TOKEN = 4
# Told one by one; what was left out for the other reasons is told for the section as a whole.
_ONE_BY_ONE = (OmissionReason.TRIMMED, OmissionReason.DUPLICATE)


def budgets(
    allocations: Sequence[Allocation], recipe: Recipe, reserved: int
) -> Sequence[SectionBudget]:
    """In the order of filling, the reserve at the end."""
    spent = [
        SectionBudget(
            section=each.filled.section.name,
            priority=each.filled.section.priority,
            share=each.share,
            received=max(0, each.allowed - each.share),
            used=each.filled.tokens,
            candidates=each.candidates,
            kept=len(each.filled.kept),
        )
        for each in allocations
    ]
    free = [section for section in recipe.sections if section.source is SectionSource.RESERVE]
    return (
        *spent,
        *(SectionBudget(each.name, each.priority, reserved, 0, 0, 0, 0) for each in free),
    )


def omissions(allocations: Sequence[Allocation]) -> Sequence[Omission]:
    """Of each section: its cut outputs of tools, its trimmed and duplicate items, then all that was left out, by reason."""
    found = [each for filled in allocations for each in _of_section(filled.filled)]
    return tuple(found[:MAX_OMISSIONS])


def entries(allocations: Sequence[Allocation]) -> Sequence[PackingEntry]:
    """Every candidate of every section."""
    found = [each for filled in allocations for each in _entries(filled.filled)]
    return tuple(found[:MAX_ENTRIES])


def _of_section(filled: Filled) -> Iterator[Omission]:
    name = filled.section.name
    for piece in filled.kept:
        candidate = piece.candidate
        if candidate.truncated_artifact_id:
            yield Omission(
                OmissionReason.TRUNCATED_TOOL_OUTPUT,
                name,
                candidate.refs,
                0,
                candidate.truncated_artifact_id,
            )
        if candidate.cut_characters:
            tokens = candidate.cut_characters // _CHARACTERS_OF_A_TOKEN
            artifact_id = candidate.truncated_artifact_id
            yield Omission(OmissionReason.TRIMMED, name, candidate.refs, tokens, artifact_id)
        if piece.copies:
            saved = piece.tokens * len(piece.copies)
            yield Omission(OmissionReason.DUPLICATE, name, _refs(piece.copies), saved)
    by_reason: dict[OmissionReason, list[Piece]] = defaultdict(list)
    for piece, reason in filled.left:
        by_reason[reason].append(piece)
        if reason in _ONE_BY_ONE:
            yield _one(filled, piece, reason)
    for reason in sorted(set(by_reason) - set(_ONE_BY_ONE)):
        pieces = by_reason[reason]
        candidates = [piece.candidate for piece in pieces]
        yield Omission(reason, name, _refs(candidates), sum(piece.tokens for piece in pieces))


def _one(filled: Filled, piece: Piece, reason: OmissionReason) -> Omission:
    shown = _trimmed(filled, piece)
    tokens = max(0, piece.tokens - (shown.tokens if shown else 0))
    artifact_id = piece.candidate.truncated_artifact_id
    return Omission(reason, filled.section.name, piece.candidate.refs, tokens, artifact_id)


def _trimmed(filled: Filled, piece: Piece) -> Piece | None:
    """The trimmed form in which it is shown."""
    return next(
        (each for each in filled.kept if each.is_trimmed and each.candidate is piece.candidate),
        None,
    )


def _entries(filled: Filled) -> Iterator[PackingEntry]:
    for piece in filled.kept:
        if piece.candidate.cut_characters:
            yield _entry(filled, piece, PackingOutcome.TRIMMED, OmissionReason.TRIMMED)
        elif not piece.is_trimmed:
            yield _entry(filled, piece, PackingOutcome.KEPT, None)
        for copy in piece.copies:
            tokens = piece.tokens
            yield PackingEntry(
                filled.section.name,
                copy.refs[0] if copy.refs else "",
                PackingOutcome.DROPPED,
                OmissionReason.DUPLICATE,
                tokens,
                copy.score,
            )
    for piece, reason in filled.left:
        if reason is OmissionReason.TRIMMED:
            outcome = PackingOutcome.TRIMMED
        else:
            outcome = PackingOutcome.DROPPED
        yield _entry(filled, piece, outcome, reason)


def _entry(
    filled: Filled, piece: Piece, outcome: PackingOutcome, reason: OmissionReason | None
) -> PackingEntry:
    refs = piece.candidate.refs
    name = filled.section.name
    ref = refs[0] if refs else name
    return PackingEntry(name, ref, outcome, reason, piece.tokens, piece.candidate.score)


def _refs(candidates: Sequence[Candidate]) -> Sequence[str]:
    """The own ids of these, which come first in their refs."""
    own = dict.fromkeys(candidate.refs[0] for candidate in candidates if candidate.refs)
    return tuple(own)[:MAX_REFS]
