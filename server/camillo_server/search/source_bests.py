"""The best of each source that a recall searched, so that an explanation shows what a source had to offer, whether a hit or not."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple

from camillo_server.kernel.kinds import KINDS_OF_A_SOURCE, Source
from camillo_server.rows.row import Row
from camillo_server.search.collection import Collection, combine
from camillo_server.search.masking import Rules, mask_memory
from camillo_server.search.scoring import Hit, Scores


class SourceBest(NamedTuple):
    """The best candidate of a source, with its breakdown."""

    memory: Row
    hit: Hit

    def masked(self, rules: Rules | None) -> "SourceBest":
        """The same as it is shown under these rules."""
        return self if rules is None else self._replace(memory=mask_memory(self.memory, rules))


async def source_bests(scores: Scores, collection: Collection, sources: Iterable[Source]) -> list[SourceBest]:
    """The best candidate of each source. A source without candidates is searched by itself and scored beside them: the
    scores of the hits do not change. Raises StorageUnavailable, RevisionBehind."""
    first = _first_of_each(scores)
    bests = {source: _best(scores, candidate) for source, candidate in first.items()}
    found = [
        pool
        for source in sorted(set(sources) - bests.keys())
        for pool in await collection.of_source(source).pools()
        if len(pool)
    ]
    if found:
        beside = replace(scores, pool=combine([scores.pool, *found]))
        for source, candidate in _first_of_each(beside).items():
            if source not in bests:
                bests[source] = _best(beside, candidate)
    return [bests[source] for source in sorted(bests)]


def _first_of_each(scores: Scores) -> Mapping[Source, int]:
    """The best candidate of each source."""
    first: dict[Source, int] = {}
    kinds = scores.pool.kinds
    for candidate in scores.order().tolist():
        first.setdefault(Source(1 + int(kinds[candidate]) // KINDS_OF_A_SOURCE), candidate)
    return first


def _best(scores: Scores, candidate: int) -> SourceBest:
    (memory,) = scores.pool.memories([candidate])
    hit = Hit(
        candidate,
        float(scores.pool.relevance[candidate]),
        float(scores.score[candidate]),
        scores.breakdown(candidate),
    )
    return SourceBest(memory, hit)
