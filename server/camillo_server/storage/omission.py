"""Long texts without the sentences of them that were forgotten, for callers who would rather keep the rest."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from camillo_server.kernel.off_loop import off_loop
from camillo_server.kernel.scope import Scope
from camillo_server.lib.text.value_fingerprints import (
    LONGEST_RUN,
    value_fingerprints,
    whole_fingerprints,
)
from camillo_server.storage.blocklist import (
    FINGERPRINT_MICROSECONDS,
    TextFields,
    blocked_fingerprints,
    has_blocks,
)
from camillo_server.storage.database import Database

# A sentence with what follows it, or a line.
_SENTENCE = re.compile(
    r"[^\n]+?(?:[.!?;\u2026\u061f\u0964]+[\"')\]\u2019\u201d\u00bb]*(?=\s)|[\u3002\uff01\uff1f\uff1b]|(?=\n)|$)\s*|\s+",
    re.ASCII,
)


@dataclass(frozen=True, slots=True)
class OmittedText:
    """Where a sentence was left out: the field, and the offset in what is stored, in characters."""

    field: str
    offset: int


@dataclass(frozen=True, slots=True)
class ShortenedText:
    """A text without its forgotten sentences. `gone` are their spans in the text as it was, in order, in characters."""

    text: str
    gone: Sequence[tuple[int, int]]

    def omitted(self, field: str) -> Sequence[OmittedText]:
        """The places of the sentences that were left out."""
        places = (start - self._gone_before(start) for start, _ in self.gone)
        return [OmittedText(field, min(place, len(self.text))) for place in places]

    def offset(self, before: int) -> int | None:
        """Where a character of the text as it was is now; None where it is gone."""
        if any(start <= before < end for start, end in self.gone):
            return None
        return before - self._gone_before(before)

    def _gone_before(self, offset: int) -> int:
        return sum(end - start for start, end in self.gone if end <= offset)


async def without_forgotten(database: Database, scope: Scope, texts: TextFields) -> Mapping[str, ShortenedText]:
    """Returns the texts that contained forgotten sentences, by field, without these. Sentences that were forgotten
    together are removed where they follow each other. A text of which nothing would be left is not returned: the write
    refuses it. Raises StorageUnavailable."""
    if not texts or not await database.read(scope, lambda session: has_blocks(session, scope)):
        return {}
    cost = LONGEST_RUN * sum(map(len, texts.values())) * FINGERPRINT_MICROSECONDS
    runs = await off_loop(cost, lambda: {field: list(_runs(scope, text)) for field, text in texts.items()})
    all_fingerprints = {each for of_text in runs.values() for _, found in of_text for each in found}
    blocked = await database.read(scope, lambda session: blocked_fingerprints(session, scope, all_fingerprints))
    shortened = {
        field: _without(text, [span for span, found in runs[field] if any(f in blocked for f in found)])
        for field, text in texts.items()
    }
    return {field: each for field, each in shortened.items() if each.gone and each.text.strip()}


def offset_in(shortened: Mapping[str, ShortenedText], field: str, before: int) -> int | None:
    """The `offset` of the field's text; the same offset if that was not shortened."""
    return shortened[field].offset(before) if field in shortened else before


def _runs(scope: Scope, text: str) -> Iterator[tuple[tuple[int, int], Sequence[bytes]]]:
    """The span of each sentence, and of up to three in a row, with its fingerprints."""
    spans = [found.span() for found in _SENTENCE.finditer(text)]
    for first, (start, _) in enumerate(spans):
        for last in range(first, min(first + LONGEST_RUN, len(spans))):
            fingerprints = value_fingerprints if last == first else whole_fingerprints
            end = spans[last][1]
            yield (start, end), fingerprints(scope.tenant_id, text[start:end])


def _without(text: str, spans: Sequence[tuple[int, int]]) -> ShortenedText:
    gone: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if gone and start <= gone[-1][1]:
            start, last_end = gone.pop()
            end = max(end, last_end)
        gone.append((start, end))
    kept, after = "", 0
    for start, end in gone:
        kept, after = kept + text[after:start], end
    return ShortenedText(kept + text[after:], gone)
