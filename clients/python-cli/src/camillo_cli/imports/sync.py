"""Files that are kept imported: what was edited since the last import is replaced, and what was deleted goes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from camillo_cli.failures import CliError, ExitCode
from camillo_cli.format import counted
from camillo_cli.output import note

if TYPE_CHECKING:
    from camillo.v1.memory_pb2 import Memory
    from camillo_client import Camillo

# As many ids as one call removes.
MAX_REMOVED = 100
SHOWN = 20


@dataclass(frozen=True, slots=True)
class ImportedBefore:
    """Memories that are stored of a source: a name in the metadata of its memories, and its value."""

    name: str
    value: str

    def stale(self, camillo: Camillo, now: Iterable[str]) -> tuple[list[Memory], int]:
        """Memories that the source does not hold any more, and how many memories it had. Raises CamilloError."""
        from camillo.v1.memory_pb2 import ArchivedFilter, MemoryFilter
        from camillo_client.convert import to_struct

        held = set(now)
        filter_ = MemoryFilter(
            metadata=to_struct({self.name: self.value}),
            archived=ArchivedFilter.ARCHIVED_FILTER_INCLUDE,
        )
        stored = [*camillo.memories.list(filter_, page_size=200)]
        return [each for each in stored if each.memory_id not in held], len(stored)


def require_consent(stale: Sequence[Memory], stored: int, *, yes: bool) -> None:
    """Raises CliError where most of what was imported would go: it may be the wrong folder."""
    if not yes and len(stale) > MAX_REMOVED // 5 and 2 * len(stale) > stored:
        raise CliError(
            f"this would remove {len(stale):,} of {stored:,} memories that were imported from here: "
            "look with --dry-run, then confirm with --yes, or keep them with --keep",
            ExitCode.USAGE,
        )


def remove(camillo: Camillo, stale: Sequence[Memory]) -> int:
    """Removes them for good; their texts may be stored again. Returns how many went. Raises CamilloError."""
    ids = [each.memory_id for each in stale]
    gone = 0
    for at in range(0, len(ids), MAX_REMOVED):
        answer = camillo.memories.forget(ids[at : at + MAX_REMOVED], allow_restating=True)
        gone += answer.forgotten
    return gone


def note_plan(new: Sequence[Memory], stale: Sequence[Memory]) -> None:
    """Shows what would be stored and removed."""
    for verb, memories in (("store", new), ("remove", stale)):
        for each in memories[:SHOWN]:
            note(f"would {verb} {each.memory_id}: {' '.join(each.content.split())[:80]}")
        if len(memories) > SHOWN:
            note(f"would {verb} {counted(len(memories) - SHOWN, 'more memory', 'more memories')}")
