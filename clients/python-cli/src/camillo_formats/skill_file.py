"""A SKILL.md: a front matter in YAML between two lines of `---`, and instructions in Markdown."""

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from camillo_formats.plain_yaml import FieldRefused, load_yaml

MAX_TEXT_BYTES = 262_144
MAX_FRONT_MATTER = 16 * 1024
MAX_DESCRIPTION = 1_024
MAX_KEYS, MAX_KEY = 64, 128
MAX_TOOLS, MAX_TOOL = 128, 256
# Greater ones would come back as other numbers: in the contract, every number is a double.
MAX_NUMBER = 2**53
NAME = re.compile("[a-z0-9_-]{1,64}")
# The first line and the last one, in a file of whatever system.
_OPENED = re.compile("\ufeff?---[ \t]*\r?\n")
_CLOSED = re.compile("^---[ \t]*\r?$", re.MULTILINE)
# Commas or spaces set tools apart, but for those in parentheses: `Bash(git add:*), Read`.
_TOOL = re.compile(r"(?:[^\s,()]|\([^()]*\))+")
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class SkillFile:
    """The fields of a SKILL.md; `front_matter` has the other keys of its front matter, as values of JSON."""

    name: str
    description: str
    allowed_tools: Sequence[str]
    front_matter: Mapping[str, Any]


def read_skill_file(
    text: str,
    name: str = "",
    description: str = "",
    has_secret: Callable[[str], bool] = lambda text: False,
) -> SkillFile:
    """Reads the front matter; `name` and `description` are those that were given beside it. Some milliseconds for a
    long one. Raises FieldRefused."""
    front = _front_matter(text)
    found = SkillFile(
        name=_name(front, name),
        description=_description(front, description),
        allowed_tools=_tools(front),
        front_matter={key: _plain(value) for key, value in front.items()},
    )
    # A secret in the text as it stands was refused before: an escape may write it otherwise.
    for each in _texts([found.description, *found.allowed_tools, found.front_matter]):
        if has_secret(each):
            raise _broken("must not contain a secret")
    return found


def _front_matter(text: str) -> dict[str, Any]:
    """Its keys and values; none where the text begins with something else. Raises FieldRefused."""
    opened = _OPENED.match(text)
    if opened is None:
        return {}
    closed = _CLOSED.search(text, opened.end(), opened.end() + MAX_FRONT_MATTER + 4)
    if closed is None:
        raise _broken(f"no line of --- ends it within {MAX_FRONT_MATTER:,} characters")
    # An empty line replaces the first one, so that errors name the line of the file.
    block = "\n" + text[opened.end() : closed.start()].replace("\r\n", "\n")
    front = load_yaml(block, "text", max_characters=MAX_FRONT_MATTER + 1) or {}
    if not isinstance(front, dict) or not all(isinstance(key, str) for key in front):
        raise _broken("must be names with values")
    if len(front) > MAX_KEYS or any(len(key) > MAX_KEY for key in front):
        raise _broken(f"must have at most {MAX_KEYS} names of {MAX_KEY} characters")
    if any(_UNSTORABLE.search(each) for each in _texts(front)):
        raise _broken("must not contain NUL or half a character")
    return front


def _name(front: dict[str, Any], given: str) -> str:
    name = front.pop("name", None) or given
    if not name:
        raise FieldRefused("name", "is missing: neither given nor in a front matter")
    if not isinstance(name, str) or not NAME.fullmatch(name):
        raise _broken("name must be 1 to 64 of a-z, 0-9, '_' and '-'")
    if given and given != name:
        raise FieldRefused("name", f"is another than the front matter has: {name}")
    return name


def _description(front: dict[str, Any], given: str) -> str:
    stated = front.pop("description", None)
    if stated is not None and not isinstance(stated, str):
        raise _broken("description must be a text")
    description = (stated or given).strip()
    if not description:
        raise FieldRefused("description", "is missing: neither given nor in a front matter")
    if len(description) > MAX_DESCRIPTION:
        raise _broken(f"description must have at most {MAX_DESCRIPTION:,} characters")
    if given and given.strip() != description:
        raise FieldRefused("description", "is another than the front matter has")
    return description


def _tools(front: dict[str, Any]) -> Sequence[str]:
    stated = front.pop("allowed-tools", None)
    if isinstance(stated, str):
        if _TOOL.sub("", stated).strip(", \t\r\n"):
            raise _broken("allowed-tools has a parenthesis that does not end")
        stated = _TOOL.findall(stated)
    if stated is None:
        return ()
    if not isinstance(stated, list) or not all(isinstance(each, str) for each in stated):
        raise _broken("allowed-tools must be a list of names, or names with commas between them")
    tools = tuple(dict.fromkeys(each.strip() for each in stated))
    if len(tools) > MAX_TOOLS or not all(1 <= len(each) <= MAX_TOOL for each in tools):
        raise _broken(f"allowed-tools must be at most {MAX_TOOLS} of 1 to {MAX_TOOL} characters")
    return tools


def _plain(value: object) -> Any:
    """The value as JSON has it. Raises FieldRefused."""
    match value:
        case None | bool() | str():
            return value
        case int():
            return value if abs(value) <= MAX_NUMBER else str(value)
        case float() if math.isfinite(value):
            return value
        case date():
            return value.isoformat()
        case list():
            return [_plain(each) for each in value]
        case dict() if all(isinstance(key, str) for key in value):
            return {key: _plain(each) for key, each in value.items()}
    raise _broken("has a value that JSON does not have")


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, each in value.items():
            yield from _texts(key)
            yield from _texts(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _texts(each)


def _broken(problem: str) -> FieldRefused:
    return FieldRefused("text", f"front matter: {problem}")
