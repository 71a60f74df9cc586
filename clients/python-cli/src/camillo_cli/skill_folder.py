"""Skills in the folders in which agents look for them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from camillo_formats.plain_yaml import FieldRefused
from camillo_formats.skill_file import MAX_TEXT_BYTES, NAME, read_skill_file

# In this order: of two files of one name and different texts, neither is published.
PATTERNS = (".claude/skills/*/SKILL.md", "skills/*/SKILL.md", "*/SKILL.md")
# Files of one skill each that have no front matter, and their names.
PLAIN = {"AGENTS.md": "agents-md", "CLAUDE.md": "claude-md"}
_HEADING = re.compile(r"^#{1,6}[ \t]+(\S.*?)[ \t#]*$", re.MULTILINE)
MAX_HEADING = 200


@dataclass(frozen=True, slots=True)
class SkillSource:
    """A file that is a skill; `given_name` and `given_description` are those that it does not state itself."""

    path: Path
    name: str
    text: str
    given_name: str
    given_description: str

    @property
    def digest(self) -> str:
        """SHA-256 of its bytes, in hexadecimal digits."""
        return sha256(self.text.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class FoundSkills:
    """The skills of a folder by name, and what is wrong with files that should be some, by path."""

    skills: dict[str, SkillSource]
    problems: dict[str, str]


def find_skills(root: Path) -> FoundSkills:
    """Reads every skill below a folder; links to files outside of it are not followed."""
    found: dict[str, SkillSource] = {}
    problems: dict[str, str] = {}
    for path in _files(root):
        shown = path.relative_to(root).as_posix()
        try:
            skill = _read(path, root)
        except (OSError, ValueError, FieldRefused) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            problems[shown] = reason
            continue
        other = found.setdefault(skill.name, skill)
        if other.text != skill.text:
            problems[shown] = f"{other.path.relative_to(root).as_posix()} has the same name"
    return FoundSkills(dict(sorted(found.items())), problems)


def _files(root: Path) -> Iterator[Path]:
    for pattern in PATTERNS:
        for path in sorted(root.glob(pattern)):
            # The folder `.claude` apart, hidden ones hold nothing that is meant to be published.
            if not path.parent.name.startswith("."):
                yield path
    yield from (path for name in PLAIN if (path := root / name).exists())


def _read(path: Path, root: Path) -> SkillSource:
    """Raises OSError, ValueError, FieldRefused."""
    if not path.resolve().is_relative_to(root.resolve()):
        raise ValueError(f"it is a link to a file outside of {root}")
    if not path.is_file():
        raise ValueError("it is no file")
    size = path.stat().st_size
    if size > MAX_TEXT_BYTES:
        raise ValueError(f"it has {size:,} bytes, more than {MAX_TEXT_BYTES:,}")
    try:
        text = path.read_bytes().decode("utf-8")
    except UnicodeDecodeError:
        raise ValueError("it is not UTF-8 text") from None
    return _source(path, text)


def _source(path: Path, text: str) -> SkillSource:
    """The skill in a file. A name that it does not state is that of its folder, or of the kind of file."""
    name, description = PLAIN.get(path.name, path.parent.name), ""
    if path.name in PLAIN:
        heading = _HEADING.search(text)
        description = f"{path.name}: {heading[1][:MAX_HEADING]}" if heading else path.name
    try:
        stated = read_skill_file(text)
    except FieldRefused as error:
        if error.field not in ("name", "description"):
            raise
        given_name = name if NAME.fullmatch(name) else ""
        for names in ((given_name, ""), ("", description), (given_name, description)):
            try:
                stated = read_skill_file(text, *names)
            except FieldRefused:
                continue
            return SkillSource(path, stated.name, text, *names)
        raise
    return SkillSource(path, stated.name, text, "", "")
