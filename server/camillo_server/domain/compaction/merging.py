"""The floor of merging: one text that says all that several say, made by rules and without loss.

Each sentence of each source stands in it word for word, behind the sentence that it stood behind: what "he" or "yes"
is about stays as it was. Only pairs of neighbours that are there already are not said again.
"""

from collections.abc import Iterator, Sequence

from camillo_server.domain.compaction.compaction import MOST_CHARACTERS, MOST_SOURCES
from camillo_server.domain.compaction.sentences import Sentence, sentences
from camillo_server.domain.ids import TenantId
from camillo_server.domain.memory import Memory
from camillo_server.domain.off_loop import UNBOUNDED, off_loop

# Of the sources of one merged memory together: bounds what it takes to see whether they have room.
MOST_READ = 8 * MOST_CHARACTERS
# Stands where sentences of a source are left out.
GAP = " … "

# A sentence behind another one; behind nothing where it begins its source.
Pair = tuple[str | None, str]


class Extractive:
    """`Summariser` by rules: always there, and nothing leaves the process."""

    @property
    def model_id(self) -> str:
        return ""

    async def summarise(self, texts: Sequence[str], tenant_id: TenantId) -> str:
        return await off_loop(UNBOUNDED, lambda: merged_text(texts))


def merged_text(texts: Sequence[str]) -> str:
    """A line for each text that says something new, in their order; as long as need be."""
    split = [sentences(text) for text in texts]
    seen: set[Pair] = set()
    lines = []
    for place in _needed([[*_pairs(found)] for found in split]):
        if runs := _new_runs(split[place], seen):
            lines.append(GAP.join(texts[place][start:end] for start, end in runs))
        seen.update(_pairs(split[place]))
    return "\n".join(lines)


def pieces(sources: Sequence[Memory]) -> Iterator[Sequence[Memory]]:
    """The sources cut, in their order, into as few runs as have room in one memory each without loss. Those that have
    no room beside another are left out."""
    piece: list[Memory] = []
    for source in sources:
        if piece and not _has_room([*piece, source]):
            if len(piece) > 1:
                yield piece
            piece = []
        piece.append(source)
    if len(piece) > 1:
        yield piece


def _has_room(sources: Sequence[Memory]) -> bool:
    texts = [source.content for source in sources]
    # Nothing is longer than all of it, with its line ends; most are told by that.
    characters = sum(map(len, texts)) + len(texts)
    if len(sources) > MOST_SOURCES or characters > MOST_READ:
        return False
    return characters <= MOST_CHARACTERS or len(merged_text(texts)) <= MOST_CHARACTERS


def _pairs(found: Sequence[Sentence]) -> Iterator[Pair]:
    before = None
    for sentence in found:
        yield before, sentence.key
        before = sentence.key


def _needed(pairs: Sequence[Sequence[Pair]]) -> Sequence[int]:
    """The places, in order, of those that say something which the longer ones do not; of equal ones, the first."""
    seen: set[Pair] = set()
    needed = []
    for place in sorted(range(len(pairs)), key=lambda place: (-len(pairs[place]), place)):
        if not seen.issuperset(pairs[place]):
            needed.append(place)
            seen.update(pairs[place])
    return sorted(needed)


def _new_runs(found: Sequence[Sentence], seen: set[Pair]) -> list[tuple[int, int]]:
    """From where to where what is new goes: each new pair with both its sentences."""
    runs: list[tuple[int, int]] = []
    for place, pair in enumerate(_pairs(found)):
        if pair in seen:
            continue
        start = found[max(place - 1, 0)].start
        if runs and start <= runs[-1][1]:
            start = runs.pop()[0]
        runs.append((start, found[place].end))
    return runs
