"""Long texts without the sentences of them that were forgotten, for callers who would rather keep the rest."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from camillo_server.kernel.errors import ValueRejected
from camillo_server.kernel.off_loop import off_loop
from camillo_server.kernel.scope import Scope
from camillo_server.storage.blocklist import (
    FINGERPRINT_MICROSECONDS,
    ValueFingerprints,
    blocked_fingerprints,
    has_blocks,
)
from camillo_server.storage.database import Database, Session
from camillo_server.text.value_fingerprints import (
    LONGEST_RUN,
    value_fingerprints,
    whole_fingerprints,
)

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


async def without_forgotten(
    database: Database, scope: Scope, field: str, text: str
) -> tuple[str, Sequence[OmittedText]]:
    """The text without its forgotten sentences, and where they were. What was forgotten as several sentences goes where
    these follow each other. Raises ValueRejected where nothing is left, StorageUnavailable."""
    if not await database.read(scope, lambda session: has_blocks(session, scope)):
        return text, ()
    sentences = _SENTENCE.findall(text)
    cost = LONGEST_RUN * len(text) * FINGERPRINT_MICROSECONDS
    runs = await off_loop(cost, lambda: _runs(scope, sentences))

    async def find(session: Session) -> set[str]:
        return set(runs.fields_with(await blocked_fingerprints(session, scope, runs.all())))

    gone = {
        index
        for run in await database.read(scope, find)
        for index in range(*map(int, run.split(":")))
    }
    if gone and not any(
        sentence.strip() for index, sentence in enumerate(sentences) if index not in gone
    ):
        raise ValueRejected(field)
    kept, omitted = "", list[OmittedText]()
    for index, sentence in enumerate(sentences):
        if index not in gone:
            kept += sentence
        elif index - 1 not in gone:
            omitted.append(OmittedText(field, len(kept)))
    return kept, omitted


def _runs(scope: Scope, sentences: Sequence[str]) -> ValueFingerprints:
    """The fingerprints of each sentence, and of up to three in a row, by the indexes of the first and behind the last."""
    fingerprints: dict[str, Sequence[bytes]] = {}
    for first, sentence in enumerate(sentences):
        fingerprints[f"{first}:{first + 1}"] = value_fingerprints(scope.tenant_id, sentence)
        for end in range(first + 2, min(first + LONGEST_RUN, len(sentences)) + 1):
            run = "".join(sentences[first:end])
            fingerprints[f"{first}:{end}"] = whole_fingerprints(scope.tenant_id, run)
    return ValueFingerprints(fingerprints)
