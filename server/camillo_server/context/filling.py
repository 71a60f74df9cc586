"""Filling one section: which of its candidates are shown, in how many tokens, and what becomes of the others."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace

from camillo_server.context.bundle import Candidate, ItemType, OmissionReason
from camillo_server.context.candidates import MAX_TOKENS, MIN_TOKENS, condensed
from camillo_server.context.recipe import Overflow, SectionRecipe, SectionSource
from camillo_server.context.rendering import item_body, item_text
from camillo_server.text.characters import border_at_or_before
from camillo_server.text.tokens import TokenCounter, opening

CUT = " [\N{HORIZONTAL ELLIPSIS}]"
# Less of a text tells nothing.
_MIN_TRIMMED = 24


@dataclass(frozen=True, slots=True)
class Piece:
    """A candidate as it would stand in the prompt, and the tokens that it would take there, its label among them."""

    candidate: Candidate
    text: str
    tokens: int
    key: int = -1
    copies: Sequence[Candidate] = ()
    is_trimmed: bool = False


@dataclass(frozen=True, slots=True)
class SectionRoom:
    """What a section may take: tokens in all, items, condensed turns; and what stands elsewhere: texts (by their keys),
    events whole, with all their passages."""

    tokens: int
    limit: int
    standing: AbstractSet[int] = frozenset()
    events: AbstractSet[str] = frozenset()
    is_condensed: bool = False


@dataclass(slots=True)
class Filled:
    """A section as it is filled; pieces in the order of their weight, the most important first."""

    section: SectionRecipe
    frame: int
    kept: list[Piece] = field(default_factory=list)
    left: list[tuple[Piece, OmissionReason]] = field(default_factory=list)
    is_short: bool = False
    """Something did not fit."""

    @property
    def tokens(self) -> int:
        """What it takes, heading and fence included; nothing without an item."""
        return self.frame + sum(piece.tokens for piece in self.kept) if self.kept else 0

    def leave(self, piece: Piece, reason: OmissionReason) -> None:
        """Notes what is not shown."""
        self.left.append((piece, reason))

    def take_back_last(self) -> None:
        """Leaves out the least important of what is kept."""
        last = self.kept.pop()
        # Of a trimmed piece, the whole is among those that are left already.
        self.left = [each for each in self.left if each[0].candidate is not last.candidate]
        self.leave(last, OmissionReason.BUDGET)
        self.is_short = True


@dataclass(frozen=True, slots=True)
class Filler:
    """Fills a section from its pieces. `frame` is what its heading and fence take, `label_tokens` what a label does."""

    section: SectionRecipe
    pieces: Sequence[Piece]
    frame: int
    label_tokens: int
    counter: TokenCounter

    def whole_tokens(self) -> int:
        """What it takes with everything."""
        return self.frame + sum(piece.tokens for piece in self.pieces) if self.pieces else 0

    def fill(self, room: SectionRoom) -> Filled:
        """As many of the first pieces as there is room for."""
        filled = Filled(self.section, self.frame)
        pieces = self._condensed(filled, room) if room.is_condensed else self.pieces
        left, looked_at = room.tokens - self.frame, 0
        for piece in pieces:
            if self._is_beyond(looked_at):
                break
            if piece.key in room.standing or _is_of(piece.candidate, room.events):
                filled.leave(piece, OmissionReason.DUPLICATE)
                continue
            looked_at += 1
            if len(filled.kept) >= room.limit:
                filled.leave(piece, self._beyond(room.limit))
            elif piece.tokens <= left:
                filled.kept.append(piece)
                left -= piece.tokens
            else:
                left -= self._cut(piece, filled, left)
        return filled

    def _cut(self, piece: Piece, filled: Filled, tokens: int) -> int:
        """What becomes of a piece that does not fit, and how much of the room is gone by it."""
        trimmed = self._trimmed(piece, tokens) if self._may_trim(filled) else None
        filled.is_short = True
        filled.leave(piece, OmissionReason.TRIMMED if trimmed else OmissionReason.BUDGET)
        if trimmed:
            filled.kept.append(trimmed)
        if self.section.overflow is Overflow.TRIM:
            return tokens
        return trimmed.tokens if trimmed else 0

    def _beyond(self, limit: int) -> OmissionReason:
        """Why a piece is too many: the first limit is the recipe's own, the others are for want of room."""
        is_first = limit == self.section.limits[0]
        return OmissionReason.LIMIT if is_first else OmissionReason.BUDGET

    def _is_beyond(self, looked_at: int) -> bool:
        """What was found beyond a recall's own limit only takes the place of copies."""
        is_recall = self.section.source is SectionSource.RECALL
        return is_recall and looked_at >= self.section.limits[0]

    def piece(self, candidate: Candidate, key: int = -1, copies: Sequence[Candidate] = ()) -> Piece:
        """The candidate in the form that it would have."""
        is_cut = candidate.cut_characters > 0
        text = item_text(candidate) + CUT * is_cut
        return Piece(candidate, text, self._tokens(candidate, text), key, copies, is_cut)

    def _tokens(self, candidate: Candidate, text: str) -> int:
        return self.counter.count(item_body(self.section, candidate, text)) + self.label_tokens

    def _may_trim(self, filled: Filled) -> bool:
        """Of a conversation the last turn is shown, however long it is."""
        if self.section.overflow is Overflow.CONDENSE:
            return not filled.kept
        return self.section.overflow is Overflow.TRIM and not filled.is_short

    def _trimmed(self, piece: Piece, tokens: int) -> Piece | None:
        """Its beginning, in so many tokens; None where that would tell nothing."""
        around = self._tokens(piece.candidate, "")
        wanted = tokens - around
        while wanted >= _MIN_TRIMMED:
            whole = opening(piece.text, wanted)
            # What a reader takes for one character is not cut apart.
            text = whole[: border_at_or_before(piece.text, len(whole), 0)].rstrip() + CUT
            taken = self._tokens(piece.candidate, text)
            if taken <= tokens:
                return replace(piece, text=text, tokens=taken, is_trimmed=True)
            wanted -= max(1, taken - tokens)
        return None

    def _condensed(self, filled: Filled, room: SectionRoom) -> Sequence[Piece]:
        """The latest turns, and one piece for those before them."""
        whole, older = self.pieces[: self.section.whole], self.pieces[self.section.whole :]
        if not older:
            return self.pieces
        for piece in older:
            filled.leave(piece, OmissionReason.CONDENSED)
        budget = min(MAX_TOKENS, max(MIN_TOKENS, room.tokens // 8))
        few_words = condensed([piece.candidate for piece in older], budget, self.counter)
        # Before the whole turns, so that it does not fall to the oldest of them.
        return [whole[0], self.piece(few_words), *whole[1:]]


def _is_of(candidate: Candidate, events: AbstractSet[str]) -> bool:
    """A passage of one of these events, which it names behind itself."""
    return candidate.type is ItemType.CHUNK and not events.isdisjoint(candidate.refs[1:2])
