"""Pieces: what packing computes of one text, which stays the same as long as the text does."""

import sys
from collections.abc import Mapping, Sequence

from camillo_formats.rendering import cleaned

from camillo_server.across.context.bundle import Candidate, ItemType
from camillo_server.across.context.recipe import SectionRecipe
from camillo_server.across.context.rendering import UNFENCED, comparable, counted_parts
from camillo_server.lib.text.substance import substance
from camillo_server.lib.text.tokens import CountedText, TokenCounter

CUT = " [\N{HORIZONTAL ELLIPSIS}]"
# A piece without its texts.
PIECE_BYTES = 1_100
# The number of each token.
CHARACTER_BYTES = 2
# Items that are made for one bundle.
_OF_ONE_BUNDLE = (ItemType.GIVEN, ItemType.CONDENSED)


class Piece:
    """The texts that a bundle makes of a candidate: as it is shown, and in the form in which texts are compared; its
    lines and their tokens once it was shown."""

    __slots__ = (
        *("text", "lead", "is_derived", "is_cut", "shown", "comparable", "comparable_lead"),
        *("substance", "_lines"),
    )

    def __init__(self, candidate: Candidate) -> None:
        self.text = candidate.text
        self.lead = candidate.lead
        self.is_derived = candidate.is_derived
        self.is_cut = candidate.cut_characters > 0
        self.shown = cleaned(candidate.text) + CUT * self.is_cut
        self.comparable = comparable(candidate.text)
        self.comparable_lead = comparable(candidate.lead)
        self.substance = substance(self.comparable)
        self._lines: tuple[str, Sequence[CountedText], int] | None = None

    def is_of(self, candidate: Candidate) -> bool:
        """Whether the candidate still says the same."""
        return (
            self.text == candidate.text
            and self.lead == candidate.lead
            and self.is_derived is candidate.is_derived
            and self.is_cut is (candidate.cut_characters > 0)
        )

    def lines(
        self, section: SectionRecipe, candidate: Candidate, tag: str, counter: TokenCounter
    ) -> tuple[Sequence[CountedText], int]:
        """The candidate's lines as they stand behind its label, and their tokens."""
        form = "fence of the section"
        if section.source in UNFENCED:
            form = f"{tag} {section.name}" if candidate.is_data else "no fence"
        # Replaced as a whole: another bundle may do the same in another thread.
        known = self._lines
        if known is None or known[0] != form:
            parts, tokens = counted_parts(section, candidate, self.shown, tag, counter)
            known = self._lines = (form, parts, tokens)
        return known[1], known[2]

    @property
    def nbytes(self) -> int:
        """The bytes of the piece, also for lines that are not made yet: they are little longer than the shown text."""
        texts = (self.text, self.shown, self.shown, self.comparable, self.substance, self.lead)
        return PIECE_BYTES + sum(map(sys.getsizeof, texts)) + CHARACTER_BYTES * len(self.shown)


Known = Mapping[str, Piece]
NONE_KNOWN: Known = {}


class Pieces:
    """The pieces of one bundle: known ones of its scope, by the id of their record, the latest first, and new ones."""

    def __init__(self, known: Known = NONE_KNOWN, before: Known = NONE_KNOWN) -> None:
        self._known = known
        self._before = before
        # The pieces that the next bundle finds cached.
        self.used: dict[str, Piece] = {}

    def is_known(self, candidate: Candidate) -> bool:
        """Whether the piece of the candidate need not be made."""
        return self._find(candidate) is not None

    def of(self, candidate: Candidate) -> Piece:
        """The piece of a candidate. A text is compared with the one that it was made of: no change is missed."""
        piece = self._find(candidate)
        if piece is None:
            piece = Piece(candidate)
            if candidate.refs and candidate.type not in _OF_ONE_BUNDLE:
                self.used[candidate.refs[0]] = piece
        return piece

    def _find(self, candidate: Candidate) -> Piece | None:
        if not candidate.refs or candidate.type in _OF_ONE_BUNDLE:
            return None
        own_id = candidate.refs[0]
        piece = self.used.get(own_id) or self._known.get(own_id)
        if piece is None and (piece := self._before.get(own_id)):
            self.used[own_id] = piece
        return piece if piece is not None and piece.is_of(candidate) else None
