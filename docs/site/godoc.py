"""The text of `go doc -all` as Markdown: a heading for each function, type, method and group of values."""

import re
from collections.abc import Iterator

SECTION = re.compile(r"^(CONSTANTS|VARIABLES|FUNCTIONS|TYPES)$")
# The receiver's type and the name: `func (c *Client) Recall[T any](...)`.
DECLARATION = re.compile(r"^(?:func (?:\(\w* ?\*?(\w+)[^)]*\) )?(\w+)|type (\w+)|(const|var)\b\s*(\w*))")
# `go doc` indents comments by four blanks, and what belongs to a declaration by tabs.
INDENT = "    "
ESCAPES = {"*": "\\*", "<": "&lt;"}


def go_page(text: str) -> str:
    """The Markdown of one package."""
    lines = text.splitlines()
    package = re.sub(r"^package (\w+) // import \"(.+)\"$", r"# Go: \2", lines[0])
    return "\n".join([package, *_body(lines[1:])]) + "\n"


def _body(lines: list[str]) -> Iterator[str]:
    is_overview, is_code = True, False
    for line in lines:
        declared = DECLARATION.match(line)
        is_prose = line.startswith(INDENT) or is_overview
        if is_code and (declared or is_prose or SECTION.match(line)):
            yield "```\n"
            is_code = False
        if SECTION.match(line):
            is_overview = False
            yield f"## {line.capitalize()}\n"
        elif declared and not is_overview:
            yield f"\n### {_title(declared)}\n\n```go\n{line}"
            is_code = True
        elif is_code:
            yield line
        else:
            yield _escaped(line if is_overview else line.removeprefix(INDENT))
    if is_code:
        yield "```"


def _title(declared: re.Match[str]) -> str:
    receiver, function, type_name, keyword, value = declared.groups()
    if receiver:
        return f"{receiver}.{function}"
    return function or type_name or value or {"const": "Constants", "var": "Variables"}[keyword]


def _escaped(line: str) -> str:
    """A line of a comment, in which a type such as *Error begins no emphasis; what is indented is code and stays."""
    if line.startswith(INDENT):
        return line
    return re.sub(r"`[^`]*`|[*<]", lambda found: ESCAPES.get(found[0], found[0]), line)
