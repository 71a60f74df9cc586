"""Folders of notes that other tools keep, note by note: what each of its passages, observations or points is here."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any

from camillo_cli.imports.notes import Note
from camillo_cli.options import MemoryKind
from camillo_formats.markdown import FENCED_BLOCK, Passage, markdown_passages
from camillo_formats.rendering import one_line

MAX_LINKS = 32
# As basic-memory reads them: `- [category] content #tag (context)`, `- relation [[Target]] (context)`.
_OBSERVATION = re.compile(
    r"^[ \t]*[-*][ \t]+\[(?P<category>[^\[\]()\n]{2,60})\][ \t]+(?P<text>\S[^\n]*)$", re.MULTILINE
)
_RELATION = re.compile(
    r"^[ \t]*[-*][ \t]+(?P<name>[^\[\]\n]{1,100}?)[ \t]*\[\[(?P<target>[^\[\]\n]{1,200})\]\](?P<context>[^\n]*)$",
    re.MULTILINE,
)
_INLINE_TAG = re.compile(r"(?<![\w#/&])#(?P<tag>[^\W\d][\w/-]{0,126}|\d+[^\W\d][\w/-]{0,120})")
_WIKI_LINK = re.compile(r"\[\[(?P<target>[^\[\]|#\n]{1,200})(?:#[^\[\]|\n]{0,200})?(?:\|[^\[\]\n]{0,200})?\]\]")
_POINT = re.compile(r"^[-*][ \t]+(?P<text>\S[^\n]*(?:\n[ \t]+\S[^\n]*)*)", re.MULTILINE)
_INDEX_POINT = re.compile(r"^[ \t]*[-*][ \t]+\[[^\[\]\n]{1,200}\]\([^()\n]{1,200}\.md\)[^\n]*$", re.MULTILINE)
GEMINI_HEADING = "Gemini Added Memories"
_CATEGORIES = {
    "decision": MemoryKind.DECISION,
    "preference": MemoryKind.PREFERENCE,
    "rule": MemoryKind.INSTRUCTION,
    "instruction": MemoryKind.INSTRUCTION,
    "error": MemoryKind.ERROR,
    "problem": MemoryKind.ERROR,
    "summary": MemoryKind.SUMMARY,
}
# Types of the files in Claude Code's memory.
_TYPES = {
    "user": MemoryKind.PREFERENCE,
    "feedback": MemoryKind.INSTRUCTION,
    "project": MemoryKind.FACT,
    "reference": MemoryKind.FACT,
}
_TYPE = re.compile(rf"^[ \t]*type:[ \t]*['\"]?(?:{'|'.join(_TYPES)})\b", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Statement:
    """A memory of a note."""

    text: str
    heading: str = ""
    kind: MemoryKind = MemoryKind.FACT
    tags: tuple[str, ...] = ()
    metadata: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class NoteForm:
    """A form of notes: what it is looked for by, whether a file's name and text are of it, and its statements."""

    looks_for: str
    fits: Callable[[str, str], bool]
    read: Callable[[str, Note], Iterator[Statement]]


def plain(name: str, note: Note) -> Iterator[Statement]:
    """The passages of a Markdown note."""
    yield from (Statement(passage.text, passage.heading) for passage in markdown_passages(note.text))


def obsidian(name: str, note: Note) -> Iterator[Statement]:
    """Passages with the tags in their texts, and the notes that they link to."""
    for passage in markdown_passages(note.text):
        yield _linked(passage)


def _linked(passage: Passage) -> Statement:
    text = FENCED_BLOCK.sub("", passage.text)
    tags = tuple(dict.fromkeys(match["tag"] for match in _INLINE_TAG.finditer(text)))
    links = list(dict.fromkeys(one_line(match["target"]) for match in _WIKI_LINK.finditer(text)))[:MAX_LINKS]
    return Statement(passage.text, passage.heading, tags=tags, metadata={"links": ", ".join(links)} if links else {})


def is_basic_memory(name: str, text: str) -> bool:
    return (
        "permalink:" in text[:4096]
        and text.startswith("---")
        and bool(_OBSERVATION.search(text) or _RELATION.search(text))
    )


def basic_memory(name: str, note: Note) -> Iterator[Statement]:
    """Each observation and each relation, with the title of its note; and the passages that are left."""
    title = one_line(str(note.metadata.get("title") or PurePath(name).stem))
    for match in _OBSERVATION.finditer(note.text):
        category = match["category"].strip()
        tags = tuple(dict.fromkeys(each["tag"] for each in _INLINE_TAG.finditer(match["text"])))
        kind = _CATEGORIES.get(category.lower(), MemoryKind.FACT)
        yield Statement(f"{title}: {match['text'].strip()}", kind=kind, tags=tags, metadata={"category": category})
    for match in _RELATION.finditer(note.text):
        relation, target = match["name"].strip() or "relates to", match["target"].partition("|")[0].strip()
        text = f"{title} {relation.replace('_', ' ')} {target}"
        about = {"from": title, "relation": relation, "to": target, "context": match["context"].strip()}
        yield Statement(text, metadata={key: value for key, value in about.items() if value})
    rest = _RELATION.sub("", _OBSERVATION.sub("", note.text))
    yield from map(_linked, markdown_passages(rest))


def is_claude_code(name: str, text: str) -> bool:
    return PurePath(name).name in ("MEMORY.md", "CLAUDE.md", "CLAUDE.local.md") or _has_type(text)


def _has_type(text: str) -> bool:
    head = text[:4096].partition("\n---")[0]
    return head.startswith("---") and bool(_TYPE.search(head)) and "description:" in head


def claude_code(name: str, note: Note) -> Iterator[Statement]:
    """A file of the memory by its type; instructions of CLAUDE.md; of the index only what is no link to a file."""
    base = PurePath(name).name
    inner: Any = note.values.get("metadata")
    stated = inner.get("type") if isinstance(inner, dict) else note.values.get("type")
    kind = _TYPES.get(str(stated), MemoryKind.FACT)
    if base.startswith("CLAUDE"):
        kind = MemoryKind.INSTRUCTION
    text = _INDEX_POINT.sub("", note.text) if base == "MEMORY.md" else note.text
    for passage in markdown_passages(text):
        linked = _linked(passage)
        metadata = {**linked.metadata, "type": str(stated)} if stated else linked.metadata
        yield Statement(linked.text, linked.heading, kind, (), metadata)


def is_codex(name: str, text: str) -> bool:
    parts = PurePath(name).parts
    return parts[-1] in ("memory_summary.md", "AGENTS.md", "MEMORY.md") or "rollout_summaries" in parts


def codex(name: str, note: Note) -> Iterator[Statement]:
    """Passages of the memory; summaries of sessions; instructions of AGENTS.md. The raw memories stand in both."""
    path = PurePath(name)
    if path.name == "raw_memories.md":
        return
    is_summary = "rollout_summaries" in path.parts or path.name == "memory_summary.md"
    kind = MemoryKind.SUMMARY if is_summary else MemoryKind.FACT
    if path.name == "AGENTS.md":
        kind = MemoryKind.INSTRUCTION
    yield from (Statement(each.text, each.heading, kind) for each in markdown_passages(note.text))


def is_gemini(name: str, text: str) -> bool:
    return PurePath(name).name == "GEMINI.md" or GEMINI_HEADING in text


def gemini(name: str, note: Note) -> Iterator[Statement]:
    """Each point that the person asked to be remembered, and the other passages, which are instructions."""
    before, heading, after = note.text.partition(f"## {GEMINI_HEADING}")
    if heading:
        own, _, rest = after.partition("\n## ")
        for match in _POINT.finditer(own):
            yield Statement(" ".join(match["text"].split()), kind=MemoryKind.INSTRUCTION)
        left = _POINT.sub("", own).strip()
        before = f"{before}\n\n{left}\n\n{'## ' + rest if rest else ''}"
    for each in markdown_passages(before):
        yield Statement(each.text, each.heading, MemoryKind.INSTRUCTION)


NOTE_FORMS: Mapping[str, NoteForm] = {
    "basic-memory": NoteForm("notes with a permalink and observations or relations", is_basic_memory, basic_memory),
    "claude-code": NoteForm("CLAUDE.md, MEMORY.md, or notes with a type above them", is_claude_code, claude_code),
    "codex": NoteForm("memory_summary.md, MEMORY.md, rollout_summaries or AGENTS.md", is_codex, codex),
    "gemini": NoteForm(f"GEMINI.md, or a heading {GEMINI_HEADING}", is_gemini, gemini),
    "obsidian": NoteForm("Markdown notes", lambda name, _: name.endswith(".md"), obsidian),
}


def form_of_note(name: str, text: str) -> NoteForm | None:
    """The form of a note in a folder of which nothing was said; None for a note of nobody's in particular."""
    if is_basic_memory(name, text):
        return NOTE_FORMS["basic-memory"]
    if _has_type(text):
        return NOTE_FORMS["claude-code"]
    return NOTE_FORMS["gemini"] if f"## {GEMINI_HEADING}" in text else None
