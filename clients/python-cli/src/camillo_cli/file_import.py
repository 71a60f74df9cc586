"""`import_file`: for programs, what `camillo import` does with a file or folder of memories."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from camillo.v1.memory_service_pb2 import ImportMemoriesResponse
from camillo_cli.failures import CliError
from camillo_cli.imports.feed import form_of, open_feed
from camillo_cli.imports.forms import CONVERSATIONS, ImportFrom
from camillo_cli.imports.parts import Part, add, parts_of, sent
from camillo_cli.imports.records import Mapped

if TYPE_CHECKING:
    from camillo_client import Camillo


class NotImportable(ValueError):
    """A file holds no memories in a form that is known, or bad records; `records` names the first hundred of these.
    Nothing was stored."""

    def __init__(self, message: str, records: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.records = records


@dataclass(frozen=True, slots=True)
class ImportedFile:
    """`form`: whose export it was, empty for our own, tables and text. `response` counts what was stored, merged,
    skipped and failed. `left_out` counts what has no place here, `notes` says the rest."""

    form: str
    response: ImportMemoriesResponse
    left_out: Mapping[str, int]
    notes: Sequence[str]


def import_file(
    camillo: Camillo,
    source: str | PathLike[str],
    *,
    form: str = "auto",
    on_conflict: Literal["skip", "replace"] = "skip",
    skip_bad: bool = False,
    is_one_space: bool = False,
    on_progress: Callable[[int], None] | None = None,
) -> ImportedFile:
    """Stores the memories of a file or folder: our own exports, text, notes, a table, an export of another memory.

    Nothing is stored twice, so what was cut off goes on when it is called again. Users that an export names have their
    memories in users/ID, unless it `is_one_space`: that of the client. A folder's memories whose text is gone stay.
    `on_progress` is called with how many memories were sent and answered. Raises NotImportable, also for a bad record
    unless it may `skip_bad`; CamilloError, before which other parts were stored; ValueError for an unknown form."""
    try:
        wanted = ImportFrom(form)
        path = Path(source).expanduser()
        is_sought = wanted is ImportFrom.AUTO and path.is_file()
        if (form_of(path, Mapped()) if is_sought else wanted) in CONVERSATIONS:
            raise NotImportable(f"{path} has conversations: `camillo import` records them as events")
        feed = open_feed(str(path), skip_bad=skip_bad, tells_others=True, form=wanted, is_one_space=is_one_space)
    except CliError as error:
        raise NotImportable(str(error), error.details) from error

    def send(part: Part) -> ImportMemoriesResponse:
        return camillo.import_memories(part.memories, on_conflict=on_conflict, agent_id=part.space or None)

    response, count = ImportMemoriesResponse(), 0
    for part, done in sent(parts_of(feed.memories, by_agent=feed.by_agent), send):
        add(response, done, part.numbers)
        count += len(part.memories)
        if on_progress is not None:
            on_progress(count)
    reading = feed.reading
    known = str(reading.form) if reading is not None and reading.form in [*ImportFrom] else ""
    return ImportedFile(known, response, dict(reading.lost) if reading is not None else {}, feed.notes)
