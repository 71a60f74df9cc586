"""The forms of exports that `import` reads, and how each is recognized by what is in a file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from typing import BinaryIO

from camillo_cli.failures import CliError, ExitCode
from camillo_cli.imports import graphs, stores
from camillo_cli.imports.json_stream import Part, read_parts
from camillo_cli.imports.note_forms import NOTE_FORMS
from camillo_cli.imports.reading import Fields, Reading, Skip
from camillo_cli.imports.records import Mapped, names_content, object_fields
from camillo_cli.ingest.documents import Format, is_message
from camillo_formats.rendering import one_line

# So many values show the form of a file.
INSPECTED = 50
# Such members tell whose agent or user the others are.
_SCALARS = (str, int, float, bool, type(None))


class ImportFrom(StrEnum):
    """Whose export a file or a folder is."""

    AUTO = "auto"
    MEM0 = "mem0"
    LANGGRAPH = "langgraph"
    LETTA = "letta"
    ZEP = "zep"
    SERVER_MEMORY = "server-memory"
    MIF = "mif"
    CHATGPT = "chatgpt"
    CLAUDE = "claude"
    CLAUDE_CODE = "claude-code"
    CODEX = "codex"
    GEMINI = "gemini"
    OBSIDIAN = "obsidian"
    BASIC_MEMORY = "basic-memory"


@dataclass(frozen=True, slots=True)
class Form:
    """A form of memories in JSON: what it is looked for by, whether a part is of it, and the memories of a part."""

    looks_for: str
    fits: Callable[[Part], bool]
    read: Callable[[Part, Reading], Iterator[Fields]]


# In the order in which they are tried: the first that fits one of the first parts is taken.
FORMS: Mapping[ImportFrom, Form] = {
    ImportFrom.MIF: Form("an object with mif_version and memories", stores.is_mif, stores.mif),
    ImportFrom.MEM0: Form("objects with memory, as in results", stores.is_mem0, stores.mem0),
    ImportFrom.LANGGRAPH: Form(
        "objects with namespace (or prefix), key and value", stores.is_langgraph, stores.langgraph
    ),
    ImportFrom.SERVER_MEMORY: Form(
        "entities with observations, or relations", graphs.is_server_memory, graphs.server_memory
    ),
    ImportFrom.ZEP: Form("edges with uuid and fact, or episodes", graphs.is_zep, graphs.zep),
    ImportFrom.LETTA: Form("agents, blocks with label and value, or passages", stores.is_letta, stores.letta),
}
# Conversations become events, which `ingest` records.
CONVERSATIONS: Mapping[ImportFrom, tuple[str, Format]] = {
    ImportFrom.CHATGPT: ("conversations with mapping", Format.CHATGPT),
    ImportFrom.CLAUDE: ("conversations with chat_messages", Format.CLAUDE_AI),
}
# Coding agents, whose folders have transcripts beside notes.
TRANSCRIPTS: Mapping[ImportFrom, Format] = {
    ImportFrom.CLAUDE_CODE: Format.CLAUDE_CODE,
    ImportFrom.CODEX: Format.CODEX,
    ImportFrom.GEMINI: Format.GEMINI_CLI,
}
_CONVERSATION = frozenset({"messages", "mapping", "chat_messages", "payload", "parts"})


@dataclass(frozen=True, slots=True)
class Found:
    """The result of looking into a file: a form of memories, a conversation, or neither; with the names of its first
    object."""

    form: ImportFrom | None = None
    is_conversation: bool = False
    is_objects: bool = False
    names: tuple[str, ...] = ()


def recognized(file: BinaryIO, how: Mapped) -> Found:
    """The form of a JSON file, from its first values. Raises UnicodeDecodeError."""
    first = [part for part in islice(read_parts(file), INSPECTED) if not part.problem]
    if not how.is_given and not how.agent_from:
        for name, form in FORMS.items():
            if any(form.fits(part) for part in first):
                return Found(name)
    objects = [part.value for part in first if isinstance(part.value, dict)]
    names = tuple(str(each) for each in [*(objects[0] if objects else [part.name for part in first if part.name])][:10])
    for name in (ImportFrom.CHATGPT, ImportFrom.CLAUDE):
        key = {"chatgpt": "mapping", "claude": "chat_messages"}[name]
        if any(key in each for each in objects) or any(part.name == key for part in first):
            return Found(name, is_conversation=True, names=names)
    is_conversation = not how.is_given and any(
        _CONVERSATION & each.keys() or {"type", "message"} <= each.keys() or ("role" in each and is_message(each))
        for each in objects
    )
    is_objects = bool(objects) and any(names_content(each, how) for each in objects) and not is_conversation
    return Found(None, is_conversation, is_objects, names)


def read_export(file: BinaryIO, name: ImportFrom | None, how: Mapped, *, is_one_space: bool) -> Reading:
    """Reads all of an export in a form, or of a file of objects; records that were not understood are in `bad`. Raises
    UnicodeDecodeError."""
    reading = Reading(name.value if name else "objects", is_one_space=is_one_space)
    for part in read_parts(file):
        if part.problem:
            reading.refuse(part.where, part.problem)
            continue
        if part.name and isinstance(part.value, _SCALARS):
            reading.about[part.name] = part.value
            continue
        if part.name and part.where == part.name and name is not None:
            reading.about[part.name] = part.value
            if name is not ImportFrom.MIF or part.name not in ("export_meta", "generator"):
                reading.lose(part)
            continue
        try:
            if not isinstance(part.value, dict):
                raise ValueError("is no object")
            for record in FORMS[name].read(part, reading) if name else _object(part, how):
                reading.keep(record)
        except Skip as skipped:
            reading.lost[str(skipped)] += 1
        except (ValueError, RecursionError) as error:
            reading.refuse(part.where, str(error) if isinstance(error, ValueError) else "is nested too deeply")
    return reading


def _object(part: Part, how: Mapped) -> Iterator[Fields]:
    if not names_content(part.value, how):
        raise ValueError("has no content")
    yield dict(object_fields(part.value, how))


def unknown(name: str, found: Found) -> CliError:
    """The error for a file that is in none of the forms."""
    names = f" (names: {one_line(', '.join(found.names))[:200]})" if found.names else ""
    sought = "; ".join(f"{form}: {each.looks_for}" for form, each in FORMS.items())
    return CliError(
        f"{name}: holds no memories in a known form{names}. Looked for {sought}; camillo: lines with content. For "
        "others name what is the content with --map NAME=content or --template",
        ExitCode.USAGE,
    )


def other_than(name: str, form: ImportFrom) -> CliError:
    """The error for a file that is not what it was said to be."""
    if form in FORMS:
        sought = FORMS[form].looks_for
    else:
        sought = CONVERSATIONS[form][0] if form in CONVERSATIONS else NOTE_FORMS[form].looks_for
    return CliError(f"{name}: is no export of {form}: looked for {sought}", ExitCode.USAGE)
