"""Stored text as a model reads it: nothing of it begins a line of its own, turns around what follows, or controls what
shows it.

Whatever renders what was stored does so by these. Next to nothing is imported, as hooks have to start fast.
"""

import re
from collections.abc import Iterable, Sequence

_LINE_BREAK = re.compile("\r\n|[\r\v\f\x85\u2028\u2029]")
# Controls, and marks that turn what follows them around until something ends them.
_UNSAFE = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u202a-\u202e\u2066-\u2069]")
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_PLAIN = re.compile("[\t\n\x20-\x7e]*")
_INDENT = "  "
# Names of speakers, by the trust levels of the contract.
_AGENT = 30
UNKNOWN = "unknown"
_SPEAKERS = {0: UNKNOWN, 10: "web", 20: "tool", _AGENT: "agent", 40: "person"}
AGENT_SPEAKS = _SPEAKERS[_AGENT]


def printable(text: str) -> str:
    """The text with every line break being one, and without controls but the tab."""
    if _PLAIN.fullmatch(text):
        return text
    text = _UNSAFE.sub("", _LINE_BREAK.sub("\n", text))
    return _LONE_SURROGATE.sub("\N{REPLACEMENT CHARACTER}", text)


def cleaned(text: str) -> str:
    """The printable text without empty lines around it."""
    return printable(text).strip("\n")


def one_line(text: str) -> str:
    """The printable text in one line, with single spaces: a label, a name, a title."""
    return " ".join(printable(text).split())


def continued(text: str) -> str:
    """The text with every line behind the first indented, so that none can pass for one that begins something."""
    return cleaned(text).replace("\n", f"\n{_INDENT}")


def item(label: str, text: str) -> str:
    """One of several texts: a label of one line, and the text behind it with further lines indented."""
    return f"{one_line(label)} {_INDENT.join(printable(text).splitlines(keepends=True))}"


def fields(first: str, named: Iterable[tuple[str, str | Sequence[str]]]) -> str:
    """A record in lines: a text, then each further one behind its name, lists with semicolons; empty ones are left out.
    A line break in one of them makes no other field."""
    lines = [continued(first)]
    for name, value in named:
        text = value if isinstance(value, str) else "; ".join(value)
        if text:
            lines.append(f"{name}: {continued(text)}")
    return "\n".join(lines)


def indented(text: str) -> str:
    """The cleaned lines of an item, those behind the first indented, the last one ended."""
    first, *others = text.split("\n")
    rest = (f"{_INDENT}{line}\n" if line else "\n" for line in others)
    return f"{first}\n{''.join(rest)}"


def speaker(level: int, *, is_person: bool) -> str:
    """The name of a speaker: `person` is one for whom the credential spoke, `reported person` one whose words an agent
    tells; `unknown` for a level of a later release."""
    if is_person and level == _AGENT:
        return "reported person"
    return _SPEAKERS.get(level, UNKNOWN)
