"""Merging by rules, without loss: one text that says all that several say.

Each sentence of each source stands in it word for word, behind the sentence that it stood behind: what "he" or "yes"
is about stays as it was. Only pairs of neighbours that are there already are not said again.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from camillo_formats.markdown import SENTENCE_END

from camillo_server.features.compaction.compaction import MAX_CHARACTERS, MAX_SOURCES
from camillo_server.kernel.off_loop import UNBOUNDED, off_loop
from camillo_server.kernel.scope import Scope
from camillo_server.rows.row import Row

_LINE_END = re.compile(r"\n\s*")
_SPACE = re.compile(r"\s+")
# A question mark makes another sentence of the same words; these do not.
_CLOSING = ".!…。！।॥۔։።｡．"
# The maximum length of the sources of one merged memory together; it bounds the time to check whether they have room.
MAX_READ = 8 * MAX_CHARACTERS
# Stands where sentences of a source are left out.
GAP = " … "
# A sentence behind another one; behind nothing where it begins its source.
Pair = tuple[str | None, str]


@dataclass(frozen=True, slots=True)
class Sentence:
    """The range of a sentence in its text, and a key that is the same for sentences that are."""

    start: int
    end: int
    key: str


def sentences(text: str) -> Sequence[Sentence]:
    """The sentences of a text in order, lines among them; white space alone is none."""
    borders = sorted({0, len(text), *_borders(text)})
    spans = pairwise(borders)
    return [_sentence(text, start, end) for start, end in spans if text[start:end].strip()]


def _borders(text: str) -> Iterator[int]:
    for pattern in (SENTENCE_END, _LINE_END):
        yield from (found.end() for found in pattern.finditer(text))


def _sentence(text: str, start: int, end: int) -> Sentence:
    whole = text[start:end]
    stripped = whole.strip()
    first = start + len(whole) - len(whole.lstrip())
    return Sentence(first, first + len(stripped), _key(stripped))


def _key(sentence: str) -> str:
    """Nothing that carries meaning is folded: not the case of names, nor small digits above the line (no NFKC)."""
    spaced = _SPACE.sub(" ", unicodedata.normalize("NFC", sentence))
    key = spaced.rstrip(_CLOSING).rstrip() or spaced
    return key[:1].casefold() + key[1:]


class Extractive:
    """`Summariser` by rules: always there, and nothing leaves the process."""

    @property
    def model_id(self) -> str:
        return ""

    async def summarise(self, texts: Sequence[str], scope: Scope) -> str:
        return await off_loop(UNBOUNDED, lambda: merged_text(texts))


def merged_text(texts: Sequence[str]) -> str:
    """A line for each text that says something new, in their order; as long as need be."""
    split = [sentences(text) for text in texts]
    seen: set[Pair] = set()
    lines = []
    for index in _needed([[*_pairs(found)] for found in split]):
        if runs := _new_runs(split[index], seen):
            lines.append(GAP.join(texts[index][start:end] for start, end in runs))
        seen.update(_pairs(split[index]))
    return "\n".join(lines)


def fitting_runs(sources: Sequence[Row]) -> Iterator[Sequence[Row]]:
    """The sources cut, in their order, into as few runs as have room in one memory each without loss. Sources that have
    no room beside another are left out."""
    run: list[Row] = []
    for source in sources:
        if run and not _fits([*run, source]):
            if len(run) > 1:
                yield run
            run = []
        run.append(source)
    if len(run) > 1:
        yield run


def _fits(sources: Sequence[Row]) -> bool:
    texts = [source.content for source in sources]
    # Nothing is longer than all of it, with its line ends; that decides most cases.
    characters = sum(map(len, texts)) + len(texts)
    if len(sources) > MAX_SOURCES or characters > MAX_READ:
        return False
    return characters <= MAX_CHARACTERS or len(merged_text(texts)) <= MAX_CHARACTERS


def _pairs(found: Sequence[Sentence]) -> Iterator[Pair]:
    before = None
    for sentence in found:
        yield before, sentence.key
        before = sentence.key


def _needed(pairs: Sequence[Sequence[Pair]]) -> Sequence[int]:
    """The indexes, in order, of the texts that say something which the longer ones do not; of equal ones, the first."""
    seen: set[Pair] = set()
    needed = []
    for index in sorted(range(len(pairs)), key=lambda index: (-len(pairs[index]), index)):
        if not seen.issuperset(pairs[index]):
            needed.append(index)
            seen.update(pairs[index])
    return sorted(needed)


def _new_runs(found: Sequence[Sentence], seen: set[Pair]) -> list[tuple[int, int]]:
    """The ranges of what is new: each new pair with both its sentences."""
    runs: list[tuple[int, int]] = []
    for index, pair in enumerate(_pairs(found)):
        if pair in seen:
            continue
        start = found[max(index - 1, 0)].start
        if runs and start <= runs[-1][1]:
            start = runs.pop()[0]
        runs.append((start, found[index].end))
    return runs
