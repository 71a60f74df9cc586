"""Markdown notes as people keep them: what stands above a note belongs to all of it, and an image is no text."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import Any

from camillo_formats.markdown import FENCED_BLOCK
from camillo_formats.rendering import one_line

MAX_FRONT_MATTER = 64 * 1024
MAX_TAGS, MAX_KEYS = 32, 32
_FRONT_MATTER = re.compile(r"\A---[ \t]*\n(.*?\n)??(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
# `![alt](address)`, `![[file.png|200]]`, `<img …>` and the definitions of references to data. Each part excludes what
# ends it: linear.
_IMAGE = re.compile(
    r"!\[(?P<alt>[^\[\]\n]{0,500})\](?:\(\s*<?data:[^()]*\)|\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)|\[[^\[\]\n]{0,200}\])"
    r"|!\[\[(?P<embed>[^\[\]\n]{1,500})\]\]"
    r"|<img\b(?P<attributes>[^<>]*)>",
    re.IGNORECASE,
)
_DATA_REFERENCE = re.compile(r"^ {0,3}\[[^\[\]\n]{1,200}\]:[ \t]*<?data:[^\s]*.*$", re.MULTILINE)
# Fonts, documents and drawings, which may go on over lines.
_DATA = re.compile(
    r"\bdata:[\w.+/;=-]{0,200};base64,[ \t]*[A-Za-z0-9+/=]*(?:\n[ \t]*[A-Za-z0-9+/=]{32,})*(?:\n[ "
    r"\t]*[A-Za-z0-9+/=]+(?=[)>\"']))?"
    r"|(?<=```compressed-json\n)[A-Za-z0-9+/=\s]+(?=```)",
    re.IGNORECASE,
)
_ALT = re.compile(r"""\balt\s*=\s*(?:"([^"]*)"|'([^']*)')""", re.IGNORECASE)
_IMAGE_FILE = re.compile(
    r"\.(?:png|jpe?g|gif|webp|svg|bmp|avif|heic|tiff?|pdf|mp[34]|m4a|wav|webm|mov)$", re.IGNORECASE
)
_TIMES = ("created", "date", "created_at", "date created")


@dataclass(frozen=True, slots=True)
class Note:
    """A text without its front matter and images, and what the front matter says of all of it."""

    text: str
    tags: tuple[str, ...] = ()
    created: datetime | None = None
    metadata: Mapping[str, str | float | bool] = field(default_factory=dict)
    images: int = 0
    problem: str = ""
    # All that stands above it, as YAML has it.
    values: Mapping[Any, Any] = field(default_factory=dict)


def read_note(text: str) -> Note:
    """A Markdown file. Front matter that is no YAML stays in the text, and `problem` says so."""
    text = text.replace("\r\n", "\n")
    match = _FRONT_MATTER.match(text[:MAX_FRONT_MATTER])
    values: Any = None
    problem = ""
    if match is not None:
        values = _yaml(match[1] or "") or {}
        if isinstance(values, dict):
            text = text[match.end() :]
        else:
            problem = "what stands between --- is no list of names and values"
    body, images = without_images(text)
    if not isinstance(values, dict):
        return Note(body, images=images, problem=problem)
    return Note(body, _tags(values), _created(values), _metadata(values), images, values=values)


def without_images(text: str) -> tuple[str, int]:
    """The text with the descriptions of its images in their place and without other data, and how many there were.
    Images that a block of code names stay."""
    parts, at, count = list[str](), 0, 0
    for block in FENCED_BLOCK.finditer(text):
        part, found = _described_images(text[at : block.start()])
        code, data = _DATA.subn("", block[0])
        parts += (part, code)
        at, count = block.end(), count + found + data
    part, found = _described_images(text[at:])
    return "".join((*parts, part)), count + found


def _described_images(text: str) -> tuple[str, int]:
    text, references = _DATA_REFERENCE.subn("", text)
    found = 0

    def described(match: re.Match[str]) -> str:
        nonlocal found
        embed = match["embed"]
        if embed is not None and not _IMAGE_FILE.search(embed.partition("|")[0].strip()):
            # A part of another note.
            return match[0]
        found += 1
        if match["attributes"] is not None:
            alt = _ALT.search(match["attributes"])
            return (alt[1] or alt[2] or "").strip() if alt else ""
        return (match["alt"] or "").strip()

    text, data = _DATA.subn("", _IMAGE.sub(described, text))
    return text, found + references + data


def _yaml(text: str) -> Any:
    """The value; the text itself where it is no YAML."""
    import yaml

    try:
        return yaml.safe_load(text)
    except (yaml.YAMLError, ValueError, RecursionError):
        return text


def _tags(values: Mapping[Any, Any]) -> tuple[str, ...]:
    """Tags of Obsidian: a list, or one text with blanks or commas; a `#` before each is left out."""
    stated = values.get("tags", values.get("tag", ()))
    if isinstance(stated, str):
        stated = re.split(r"[,\s]+", stated)
    if not isinstance(stated, list | tuple):
        stated = [stated] if stated is not None else []
    # Control characters and marks of direction, which no tag has, are left out.
    tags = (one_line(str(each)).removeprefix("#") for each in stated if each is not None)
    return tuple(dict.fromkeys(each[:128] for each in tags if each))[:MAX_TAGS]


def _created(values: Mapping[Any, Any]) -> datetime | None:
    stated = next((values[name] for name in _TIMES if values.get(name)), None)
    if isinstance(stated, str):
        try:
            stated = datetime.fromisoformat(stated.strip())
        except ValueError:
            return None
    if isinstance(stated, date) and not isinstance(stated, datetime):
        stated = datetime(stated.year, stated.month, stated.day)  # noqa: DTZ001
    if not isinstance(stated, datetime):
        return None
    try:
        return stated.astimezone(UTC) if stated.tzinfo else stated.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        return None


def _metadata(values: Mapping[Any, Any]) -> dict[str, str | float | bool]:
    """The other values of a note, flat for filters: lists become texts."""
    found = dict[str, str | float | bool]()
    for name, value in values.items():
        if name in ("tags", "tag", *_TIMES) or value is None or len(found) >= MAX_KEYS:
            continue
        if isinstance(value, list):
            value = ", ".join(str(each) for each in value)
        elif not isinstance(value, str | bool | int | float):
            value = str(value)
        found[str(name)[:128]] = value[:500] if isinstance(value, str) else value
    return found
