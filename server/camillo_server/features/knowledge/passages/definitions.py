"""The definitions of source code as sections: classes, and the functions in them.

They are found by how their first lines begin and by indentation, not by a parser: code that is broken, half a file, or
of a version that no parser knows has definitions all the same, and a hostile one costs no more than any other text of
its length."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from camillo_formats.markdown import HeadedSection

# The number of characters of a line in which a definition is looked for. At worst, the patterns take time proportional
# to its square.
_SEEN_CHARACTERS = 160
_TAB = 4
_MAX_NAME = 120
_MODIFIERS = (
    r"(?:(?:export|default|declare|public|private|protected|internal|static|final|abstract|sealed|open|data|inline|"
    r"partial|async|override|virtual|unsafe|const|extern|pub(?:\([^)]*\))?|case|companion|readonly|suspend|"
    r"fileprivate|mutating|implicit|lazy|synchronized|native|strictfp|get|set)\s+)*"
)
_NO_CALL = r"(?!(?:if|for|while|switch|catch|return|function|do|else|try|with|new|await|throw|typeof|sizeof|using|lock|foreach)\b)"  # noqa: E501
_NAMED = r"(?P<name>[\w$]+)"
_TYPES = r"(?:class|interface|enum|record|struct|trait|union|namespace|module|mod|object|protocol|extension|actor|type)"
_TYPE = rf"{_MODIFIERS}{_TYPES}\s+{_NAMED}"
_FUNCTION = rf"{_MODIFIERS}(?:func|fun|fn|function\*?|def|sub)\s+{_NAMED}"
# A method without a keyword: modifiers, a type, a name, and its parameters; what ends with a semicolon only calls or
# declares.
_TYPED_METHOD = rf"{_NO_CALL}{_MODIFIERS}{_NO_CALL}[\w<>\[\],.?:*&~ \t]*[\s*&]{_NO_CALL}(?P<name>[\w~:]+)\s*\([^;]*$"
_CONSTRUCTOR = rf"(?:public|private|protected|internal)\s+{_NAMED}\s*\([^;]*$"
_PATTERNS = MappingProxyType(
    {
        "text/x-python": (r"(?:async\s+)?(?:def|class)\s+(?P<name>\w+)\s*[\[(:]",),
        "text/javascript": (
            rf"{_MODIFIERS}(?:class|function\*?|interface|enum|namespace|type)\s+{_NAMED}",
            rf"{_MODIFIERS}(?:const|let|var)\s+{_NAMED}\s*(?::[^=]*)?=\s*(?:async\s*)?(?:function\b|\([^)]*\)[^=]*=>|\w+\s*=>)",
            rf"{_NO_CALL}{_MODIFIERS}\*?{_NO_CALL}(?P<name>[\w$#]+)\s*\([^;]*\{{\s*$",
        ),
        "text/x-go": (
            r"func\s+(?P<receiver>\([^)]*\)\s*)?(?P<name>\w+)",
            r"type\s+(?P<name>\w+)\s+(?:struct|interface|func)\b",
        ),
        "text/x-java": (_TYPE, _CONSTRUCTOR, _TYPED_METHOD),
        "text/x-rust": (
            rf"{_MODIFIERS}(?:fn|struct|enum|trait|union|mod|type)\s+{_NAMED}",
            r"(?:unsafe\s+)?impl\b(?:<[^>]*>)?\s*(?P<name>[^{]+?)\s*(?:\{|where\b|$)",
            r"macro_rules!\s+(?P<name>\w+)",
        ),
        "text/x-c": (
            r"(?:typedef\s+)?(?:struct|enum|union)\s+(?P<name>\w+)\s*(?:\{|$)",
            _TYPED_METHOD,
        ),
        "text/x-c++": (
            r"(?:class|struct|enum(?:\s+class)?|union|namespace)\s+(?P<name>[\w:]+)[^;]*$",
            _TYPED_METHOD,
        ),
        "text/x-sql": (
            r"create\s+(?:or\s+replace\s+)?(?:unique\s+)?(?:table|view|function|procedure|index|trigger|type|materialized\s+view)"
            r"\s+(?:if\s+not\s+exists\s+)?(?P<name>[\w.\"]+)",
        ),
        "text/x-shellscript": (
            r"(?:function\s+)?(?P<name>[\w-]+)\s*\(\)",
            r"function\s+(?P<name>[\w-]+)",
        ),
        "text/x-protobuf": (r"(?:message|enum|service|rpc)\s+(?P<name>\w+)",),
        "text/x-ruby": (r"(?:class|module|def)\s+(?P<name>[\w.:?!=]+)",),
    }
)
_LIKE = {"text/x-typescript": "text/javascript", "text/x-csharp": "text/x-java"}
_OF_OTHERS = (_TYPE, _FUNCTION)
# Lines that belong to the definition below them: comments, decorators, attributes, templates.
_LEADING = re.compile(r"@|#(?!include|define|if|el|endif|pragma)|//|/\*|\*|--|\[[\w(]|template\s*<|\"\"\"")
# Lines at the margin of a definition that end it or go on with it, or that stand at any margin.
_WITHIN = re.compile(
    r"[\])}{#]|end\b|else\b|elif\b|except\b|finally\b|catch\b|(?:public|private|protected|default|case\b[^:]*)\s*:|where\b|;"
)
_RECEIVER = re.compile(r"(\w+)(?:\[[^\]]*\])?\s*\)")


@dataclass(slots=True)
class _Found:
    """The sections so far, and the definitions that are open: their indentation and their names."""

    sections: list[HeadedSection] = field(default_factory=lambda: [HeadedSection(0, 0, ())])
    margins: list[int] = field(default_factory=list)
    names: list[str] = field(default_factory=list)

    def define(self, margin: int, name: str, start: int, end: int) -> None:
        self.close(margin)
        self.margins.append(margin)
        self.names.append(name)
        self.sections.append(HeadedSection(start, end, tuple(self.names)))

    def close(self, margin: int) -> bool:
        """Ends what is not above this margin; whether there was such a definition."""
        count = len(self.margins)
        while self.margins and self.margins[-1] >= margin:
            self.margins.pop()
            self.names.pop()
        return len(self.margins) < count


def definition_sections(text: str, media_type: str) -> Sequence[HeadedSection]:
    """The sections in order, each from the comments above its definition on; the first is the text before any."""
    patterns = _compiled(media_type)
    found, leading = _Found(), None
    for start, end in _lines(text):
        line = text[start : min(end, start + _SEEN_CHARACTERS)]
        code = line.lstrip()
        if not code or code.isspace():
            leading = None
            continue
        margin = len(line[: len(line) - len(code)].expandtabs(_TAB))
        name = _name(code, patterns)
        if name:
            found.define(margin, name, start if leading is None else leading, end)
            leading = None
        elif _LEADING.match(code):
            leading = start if leading is None else leading
        else:
            if not _WITHIN.match(code) and found.close(margin):
                begin = start if leading is None else leading
                found.sections.append(HeadedSection(begin, begin, tuple(found.names)))
            leading = None
    return found.sections


def _compiled(media_type: str) -> Sequence[re.Pattern[str]]:
    kind = _LIKE.get(media_type, media_type)
    flags = re.IGNORECASE if kind == "text/x-sql" else 0
    return [re.compile(each, flags) for each in _PATTERNS.get(kind, _OF_OTHERS)]


def _name(code: str, patterns: Sequence[re.Pattern[str]]) -> str:
    for pattern in patterns:
        if match := pattern.match(code):
            groups = match.groupdict()
            receiver = _RECEIVER.search(groups.get("receiver") or "")
            owner = f"{receiver[1]}." if receiver else ""
            return f"{owner}{' '.join(match['name'].split())}"[:_MAX_NAME]
    return ""


def _lines(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    while start < len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        yield start, end
        start = end + 1
