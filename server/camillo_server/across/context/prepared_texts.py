"""Figures that packing computes of one text: they stay the same as long as the text does, and are cached."""

import sys
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from camillo_formats.rendering import cleaned

from camillo_server.across.context.bundle import Candidate, ItemType
from camillo_server.across.context.recipe import SectionRecipe
from camillo_server.across.context.rendering import UNFENCED, comparable, counted_parts, long_numbers
from camillo_server.kernel.scope import Scope, shared_scope
from camillo_server.lib.text.substance import substance
from camillo_server.lib.text.tokens import CountedText, TokenCounter
from camillo_server.storage.scopes import scope_prefix

CUT = " [\N{HORIZONTAL ELLIPSIS}]"
# A prepared text without its characters.
TEXT_BYTES = 1_100
# The number of each token.
CHARACTER_BYTES = 2
# The text, its substance, its lines, and the bytes of its item.
COPIES = 4
# An id of a record without its characters, which the bytes of the item have once more.
REF_BYTES = 80
# Items that are made for one bundle.
_OF_ONE_BUNDLE = (ItemType.GIVEN, ItemType.CONDENSED)
MAX_BYTES = 64 * 1024 * 1024
# The bytes of one scope's prepared texts; the half that was used less recently is dropped first.
MAX_SCOPE_BYTES = 8 * 1024 * 1024


class PreparedText:
    """The texts that a bundle makes of a candidate, when it first packs it: as it is shown, and in the form in which
    texts are compared; its lines and their tokens once it was shown."""

    __slots__ = (
        *("text", "prefix", "is_derived", "is_cut", "nbytes", "is_ready"),
        *("shown", "is_blank", "size", "digits", "substance", "_lines", "encoded"),
    )
    # Set by `make_ready`: the size is that of the comparable form, and the digits are the long numbers in it.
    shown: str
    is_blank: bool
    size: int
    digits: str
    substance: str

    def __init__(self, candidate: Candidate) -> None:
        self.text = candidate.text
        self.prefix = candidate.prefix
        self.is_derived = candidate.is_derived
        self.is_cut = candidate.cut_characters > 0
        # Lines and substance are little longer than the text.
        self.nbytes = TEXT_BYTES + COPIES * sys.getsizeof(self.text) + CHARACTER_BYTES * len(self.text)
        self.nbytes += REF_BYTES * len(candidate.refs) + 2 * len("".join(candidate.refs))
        self.is_ready = False
        self._lines: tuple[str, Sequence[CountedText], int] | None = None
        # The bytes of its item, and the fields of its candidate that these show.
        self.encoded: tuple[tuple[object, ...], bytes] | None = None

    def __eq__(self, other: object) -> bool:
        """Whether packing makes the same of both."""
        return isinstance(other, PreparedText) and self._source == other._source

    def __hash__(self) -> int:
        return hash(self._source)

    @property
    def _source(self) -> tuple[str, str, bool, bool]:
        return self.text, self.prefix, self.is_derived, self.is_cut

    def is_of(self, candidate: Candidate) -> bool:
        """Whether the candidate still says the same."""
        return (
            self.text == candidate.text
            and self.prefix == candidate.prefix
            and self.is_derived is candidate.is_derived
            and self.is_cut is (candidate.cut_characters > 0)
        )

    def make_ready(self) -> None:
        """Makes the texts; another bundle may do the same in another thread."""
        compared, prefix = comparable(self.text), comparable(self.prefix)
        self.shown = cleaned(self.text) + CUT * self.is_cut
        self.is_blank = not self.shown.strip()
        self.size = len(compared)
        self.digits = "\n".join((*long_numbers(compared), *long_numbers(prefix)))
        self.substance = substance(compared)
        self.is_ready = True

    def compared(self) -> tuple[str, str]:
        """The comparable forms, which are not kept."""
        return comparable(self.text), comparable(self.prefix)

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


Known = Mapping[str, PreparedText]


NONE_KNOWN: Known = {}


class PreparedTexts:
    """The prepared texts of one bundle: those known of its scope by the id of their record, the latest first, and new
    ones."""

    def __init__(self, known: Known = NONE_KNOWN, before: Known = NONE_KNOWN) -> None:
        self._known = known
        self._before = before
        # The prepared texts that the next bundle finds cached.
        self.used: dict[str, PreparedText] = {}

    def is_known(self, candidate: Candidate) -> bool:
        """Whether the candidate is prepared already."""
        prepared = candidate.prepared or self._find(candidate)
        return prepared is not None and prepared.is_ready

    def of(self, candidate: Candidate) -> PreparedText:
        """The candidate, prepared."""
        prepared = self.later(candidate)
        if not prepared.is_ready:
            prepared.make_ready()
        return prepared

    def later(self, candidate: Candidate) -> PreparedText:
        """The candidate, which may be made ready later. Its text is compared with the one that was prepared: no change
        is missed."""
        prepared = candidate.prepared or self._find(candidate)
        if prepared is None:
            prepared = PreparedText(candidate)
            if candidate.refs and candidate.type not in _OF_ONE_BUNDLE:
                self.used[candidate.refs[0]] = prepared
        return prepared

    def _find(self, candidate: Candidate) -> PreparedText | None:
        if not candidate.refs or candidate.type in _OF_ONE_BUNDLE:
            return None
        own_id = candidate.refs[0]
        prepared = self.used.get(own_id) or self._known.get(own_id)
        if prepared is None and (prepared := self._before.get(own_id)):
            self.used[own_id] = prepared
        return prepared if prepared is not None and prepared.is_of(candidate) else None


@dataclass(slots=True)
class ScopeTexts:
    """The prepared texts of one scope, of those read beside it and of its tenant's shared one by the ids of their
    records, in two halves."""

    names: frozenset[str]
    latest: dict[str, PreparedText] = field(default_factory=dict)
    before: dict[str, PreparedText] = field(default_factory=dict)
    latest_bytes: int = 0
    before_bytes: int = 0

    @property
    def nbytes(self) -> int:
        return self.latest_bytes + self.before_bytes

    def add(self, prepared_texts: Mapping[str, PreparedText]) -> None:
        for own_id, prepared in prepared_texts.items():
            replaced = self.latest.get(own_id)
            self.latest_bytes += prepared.nbytes - (replaced.nbytes if replaced else 0)
            self.latest[own_id] = prepared
        if self.latest_bytes > MAX_SCOPE_BYTES // 2:
            self.before, self.before_bytes = self.latest, self.latest_bytes
            self.latest, self.latest_bytes = {}, 0


@dataclass(slots=True, eq=False)
class _Use:
    """A bundle under way. `is_dropped`: something of the scopes of these names was removed meanwhile."""

    names: frozenset[str]
    is_dropped: bool = False


class PreparedTextCache:
    """Prepared texts by scope, the least recently used scope going first. Belongs to one event loop, and subscribes to
    the change notifier: of removals alone, since a text that has changed is noticed (`PreparedTexts.of`)."""

    def __init__(self) -> None:
        self._scopes: OrderedDict[tuple[Scope, ...], ScopeTexts] = OrderedDict()
        self._uses: set[_Use] = set()
        self.nbytes = 0

    @contextmanager
    def of_scopes(self, *scopes: Scope) -> Iterator[PreparedTexts]:
        """The texts for one bundle of these scopes, entered before its records are read; those that it adds are kept at
        a clean end."""
        known = self._scopes.get(scopes)
        use = _Use(known.names if known else _names(scopes))
        self._uses.add(use)
        prepared_texts = PreparedTexts(known.latest, known.before) if known else PreparedTexts()
        try:
            yield prepared_texts
        finally:
            self._uses.discard(use)
        # Records that were read may have been removed since.
        if not use.is_dropped:
            self._keep(scopes, use.names, prepared_texts.used)

    def on_commit(self, scope: Scope, revision: int, rows: Sequence[Any] | None) -> bool:
        """Returns True: additions and changes are noticed when they are used."""
        return True

    def on_change(self, name: str | None) -> None:
        """Nothing, as for a commit."""

    def on_removal(self, name: str | None) -> None:
        """Drops the prepared texts of a scope: of a text that is forgotten, nothing stays."""
        for scopes, known in list(self._scopes.items()):
            if name is None or name in known.names:
                self._drop(scopes)
        for use in self._uses:
            use.is_dropped |= name is None or name in use.names

    def on_spooled(self, scope: Scope, rows: Sequence[Any]) -> None:
        """Nothing: whatever text is packed is prepared, and a text that has changed is noticed."""

    def on_drained(self, scope: Scope) -> None:
        """Nothing, as for what is spooled."""

    def on_new_history(self) -> None:
        """Drops everything."""
        self.on_removal(None)

    def _keep(self, scopes: tuple[Scope, ...], names: frozenset[str], used: Mapping[str, PreparedText]) -> None:
        known = self._scopes.get(scopes)
        if known is None:
            if not used:
                return
            known = self._scopes[scopes] = ScopeTexts(names)
        self._scopes.move_to_end(scopes)
        if used:
            self.nbytes -= known.nbytes
            known.add(used)
            self.nbytes += known.nbytes
            while self.nbytes > MAX_BYTES:
                self._drop(next(iter(self._scopes)))

    def _drop(self, scopes: tuple[Scope, ...]) -> None:
        self.nbytes -= self._scopes.pop(scopes).nbytes


def _names(scopes: tuple[Scope, ...]) -> frozenset[str]:
    return frozenset(map(scope_prefix, (*scopes, shared_scope(scopes[0]))))


class Distinct(NamedTuple):
    """A candidate that stands for equal ones of its section. `key` is the same for equal ones of other sections."""

    candidate: Candidate
    prepared: PreparedText
    key: int
    copies: Sequence[Candidate] = ()
