"""Code: its language, what it says of itself, what it defines and where."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from camillo_server.lib.outputs.summary.sample import (
    ContentKind,
    Material,
    Recognized,
    counted,
    listed,
    one_line,
    shortened,
)

READ = 256 * 1024
MAX_DEFINITIONS = 60
DEFINITIONS_ROOM = 520
# Lines that are numbered as by `cat -n`, `nl`, `grep -n` and the viewers of agents.
NUMBERED = re.compile(r"\s{0,8}(\d{1,7})(?:: ?|\t|→|\| ?|  )(.*)$")
DEFINITION = re.compile(
    r"""(?:export\s+(?:default\s+)?|pub(?:\(\w+\))?\s+|public\s+|private\s+|protected\s+|internal\s+|static\s+|abstract\s+|final\s+
    |sealed\s+|data\s+|async\s+|unsafe\s+|partial\s+|declare\s+|extern\s+(?:"C"\s+)?){0,5}
    (?:def|class|function\*?|func(?:\s+\([^)]{0,80}\))?|fn|struct|enum|interface|trait|module|mod|impl(?:<[^>]{0,80}>)?|type|record|object|namespace
    |defmodule|protocol|message|service|sub|contract|macro_rules!|(?i:create\s+(?:or\s+replace\s+)?(?:table|view|function|index)(?:\s+if\s+not\s+exists)?))
    \s+(?P<name>[A-Za-z_$][\w$.:]{0,80}[?!]?)""",
    re.VERBOSE,
)  # fmt: skip
ARROW = re.compile(
    r"(?:export\s+)?(?:const|let|var)\s+(?P<name>[\w$]{1,80})\s*(?::[^=]{0,80})?=\s*(?:async\s*)?(?:\([^)]{0,200}\)|\w{1,40})\s*(?::[^=]{0,80})?=>"
)
C_FUNCTION = re.compile(r"[A-Za-z_][\w:<>,\s*&]{0,100}?[\s*&](?P<name>~?[A-Za-z_][\w:]{0,80})\s*\([^;]{0,210}$")
# Words that follow a keyword of a definition in prose, or stand where C has the name of a function.
NOT_DEFINED = frozenset((
    "if", "for", "while", "switch", "return", "else", "do", "case", "new", "in", "is", "and",
    "the", "of", "a", "an",
))  # fmt: skip
COMMENT = re.compile(
    r"(?:\"\"\"|'''|/\*\*?|//[/!]?|#(?!!|include|define|if|pragma|\[)|--|;;)\s?(?P<text>.*?)(?:\"\"\"|'''|\*/)?$"
)
DIFF_FILE = re.compile(r"diff --git \"?a/(?P<old>.{1,300}?)\"? \"?b/(?P<new>.{1,300}?)\"?$")
PLAIN_FILE = re.compile(r"\+\+\+ (?:b/)?(?P<new>[^\t]{1,300})")
EXTENSIONS = {
    "py": "Python", "pyi": "Python", "js": "JavaScript", "mjs": "JavaScript", "cjs": "JavaScript", "jsx": "JavaScript",
    "ts": "TypeScript", "tsx": "TypeScript", "go": "Go", "rs": "Rust", "java": "Java", "kt": "Kotlin", "kts": "Kotlin",
    "scala": "Scala", "c": "C", "h": "C", "cc": "C++", "cpp": "C++", "cxx": "C++", "hpp": "C++", "cs": "C#", "rb": "Ruby",  # noqa: E501
    "php": "PHP", "swift": "Swift", "sh": "shell", "bash": "shell", "zsh": "shell", "ps1": "PowerShell", "pl": "Perl",
    "pm": "Perl", "lua": "Lua", "r": "R", "jl": "Julia", "ex": "Elixir", "exs": "Elixir", "erl": "Erlang", "hs": "Haskell",  # noqa: E501
    "ml": "OCaml", "clj": "Clojure", "dart": "Dart", "sql": "SQL", "proto": "Protocol Buffers", "css": "CSS",
    "scss": "CSS", "vue": "Vue", "svelte": "Svelte", "tf": "Terraform", "yaml": "YAML", "yml": "YAML", "toml": "TOML",
    "ini": "INI", "cfg": "INI", "xml": "XML", "gradle": "Gradle", "cmake": "CMake", "asm": "assembly", "s": "assembly",
    "m": "Objective-C", "zig": "Zig", "nix": "Nix", "sol": "Solidity", "graphql": "GraphQL", "ipynb": "notebook",
}  # fmt: skip
NAMES = {
    "Dockerfile": "Dockerfile", "Makefile": "Makefile", "Jenkinsfile": "Groovy", "Rakefile": "Ruby", "Gemfile": "Ruby",
}  # fmt: skip
VIEWED_FILE = re.compile(r"([\w./@+-]{1,200}\.\w{1,6})\b")
READERS = frozenset((
    "cat", "head", "tail", "less", "more", "bat", "nl", "sed", "open", "view", "read_file",
    "read", "goto", "scroll_down", "scroll_up",
))  # fmt: skip
MIN_SHARE = 0.25
# Patterns of the lines of each language; if as many lines fit two languages, the first is taken.
LOOKS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (language, re.compile(pattern))
    for language, pattern in (
        ("Python", r"\s*(?:(?:async )?def \w+\(|class \w+[(:]|from [\w.]+ import |import [\w.]+(?: as "
                   r"\w+)?$|@\w[\w.]*(?:\(|$)|(?:el)?if .*:$|else:$|for .+ in .+:$|while .+:$|with "
                   r".+:$|try:$|except\b.*:$|return\b(?!.*;)|raise \w+|self\.\w+ ?=|\w+ = .*[^;{,]$)"),
        ("Go", r"\s*(?:package \w+$|func (?:\(\w+ \*?\w+\) )?\w+\(|type \w+ (?:struct|interface) \{|\w+(?:, \w+)* := "
               r".+|if err != nil \{|import \(|return .*\berr$|defer .+)"),
        ("Rust", r"\s*(?:(?:pub(?:\(\w+\))? )?(?:fn|struct|enum|impl|trait|mod|use) |let (?:mut )?\w+|#\[\w+|match .+ "
                 r"\{|impl<)"),
        ("Java", r"\s*(?:package [\w.]+;|import (?:static )?[\w.]+(?:\.\*)?;|(?:public|private|protected) "
                 r".*[({;]$|@Override|\w+(?:<.*>)? \w+ = new .*;|return .*;)"),
        ("TypeScript", r"\s*(?:(?:export )?(?:interface|type) \w+|(?:export )?(?:const|let) \w+: |import .* from "
                       r"['\"].*['\"];?$|.*\): \w+(?:<.*>)? \{$|(?:private|public|readonly) \w+: )"),
        ("JavaScript", r"\s*(?:(?:export )?(?:default )?(?:async )?function\b|(?:const|let|var) \S+ = |import .* from "
                       r"['\"]|.*=> \{?$|module\.exports|require\(|\}\)?;?$|return .*;$|if \(.*\) \{)"),
        ("C", r"\s*(?:#(?:include|define|ifdef|ifndef|endif|pragma)\b|(?:static |const |unsigned |extern |inline "
              r")*(?:void|int|char|float|double|size_t|bool|long|struct \w+|undefined\d?|ulong|uint)\b[ "
              r"*]*\w.*[;{(),]$|return\b.*;$|\w+(?:->\w+)+ = .*;|std::|template ?<|\w+ ?= "
              r".*;$|\w+\(.*\);$|[{}]$|(?:if|while|for) ?\(.*\) ?\{?$|\} (?:else|while)\b.*)"),
        ("Ruby", r"\s*(?:require(?:_relative)? ['\"]|def \w+[?!]?|end$|module \w+|class \w+ < |attr_\w+ :|.* do "
                 r"\|.*\|$)"),
        ("PHP", r"\s*(?:<\?php|\$\w+(?:->\w+)* = .*;|(?:public |private )?function \w+\(|use [\w\\]+;|namespace "
                r"[\w\\]+;)"),
        ("shell", r"\s*(?:#!/.*sh$|fi$|done$|esac$|if \[.*|for \w+ in .*; do$|echo .*|export \w+=|set -[eux]+|\w+\(\) "
                  r"\{)"),
        ("SQL", r"(?i)\s*(?:select .* from |create (?:table|index|view|or replace) |insert into |alter table |update "
                r"\w+ set |drop table )"),
        ("CSS", r"\s*(?:[.#]?[\w-]+(?:[ ,:>.#]+[\w-]+)* \{$|[\w-]+: [^;{}]+;$)"),
        ("assembly", r"\s*(?:\w{4,16}:?\s+)?(?:[0-9a-f]{2} "
                     r"){0,15}\s*(?:mov|push|pop|call|jmp|lea|ret|xor|add|sub|cmp|test|nop|je|jne|leave)[lqbw]?\b"),
    )
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Unnumbered:
    """Lines with their numbers, and those around them that have none, such as a viewer's header."""

    numbers: Sequence[int]
    lines: Sequence[str]
    around: Sequence[str]


def recognize_numbered(material: Material) -> Recognized | None:
    """A file as a viewer prints it, with numbers."""
    found = _unnumbered(material.many_lines(READ))
    if found is None:
        return None
    file = material.sample.name or _viewed_file(found.around)
    file = file or file_read_by(material.sample.command)
    language = _language_by_name(file) or _language_by_look(found.lines)
    indented = sum(line[:1].isspace() for line in found.lines)
    if not language and not file and indented < 0.5 * len(found.lines):
        return None
    opening = _opening(language, file, len(found.lines))
    opening += f" from {found.numbers[0]:,}" if found.numbers[0] > 1 else ""
    lines = tuple(_code_lines(opening, found.lines, found.numbers))
    return Recognized(ContentKind.CODE, opening, lines, holds_messages=True, contents=NUMBERED)


def recognize_named_code(material: Material) -> Recognized | None:
    """Recognizes code by the name of its file."""
    file = material.sample.name or file_read_by(material.sample.command)
    return _code(material, _language_by_name(file), file)


def recognize_code(material: Material) -> Recognized | None:
    """Code by what its lines look like."""
    return _code(material, _language_by_look(material.lines), "")


def _code(material: Material, language: str, file: str) -> Recognized | None:
    if not language:
        return None
    lines = material.many_lines(READ)
    opening = _opening(language, file, material.sample.line_count)
    return Recognized.by_lines(ContentKind.CODE, _code_lines(opening, lines, range(1, len(lines) + 1)))


def _opening(language: str, file: str, line_count: int) -> str:
    name = " " + file.rpartition("/")[2] if file else ""
    return f"{language or 'file'}{name}, {counted(line_count, 'line')}"


def _unnumbered(lines: Sequence[str]) -> Unnumbered | None:
    """The lines that a viewer printed with numbers, in one run or several, if they are most of an output."""
    numbers: list[int] = []
    contents: list[str] = []
    around: list[str] = []
    for left, line in zip(range(len(lines), 0, -1), lines, strict=True):
        if len(around) > len(numbers) + left:
            return None
        if found := NUMBERED.match(line[:2_000]):
            numbers.append(int(found[1]))
            contents.append(found[2])
        elif line.strip():
            around.append(line)
    steps = sum(after - before == 1 for before, after in pairwise(numbers))
    if len(numbers) < 5 or len(numbers) < len(around) or steps < 0.8 * (len(numbers) - 2):
        return None
    return Unnumbered(numbers, contents, around)


def _viewed_file(around: Sequence[str]) -> str:
    """The file that a viewer names above the lines."""
    named = (VIEWED_FILE.search(line[:400]) for line in around[:6])
    return next((found[1] for found in named if found), "")


def _code_lines(opening: str, lines: Sequence[str], numbers: Sequence[int]) -> Iterator[str]:
    """The opening comment of a file, and its definitions with the numbers of their lines."""
    yield opening
    if comment := _opening_comment(lines):
        yield f"Opens: {shortened(comment, 200)}"
    if defined := _definitions(lines, numbers):
        yield f"Defines: {listed(defined, DEFINITIONS_ROOM)}"


def _definitions(lines: Sequence[str], numbers: Sequence[int]) -> list[str]:
    """Names at the margin as `login:12`; where nothing stands there, those of the least indentation."""
    found: dict[int, dict[str, None]] = {}
    for number, line in zip(numbers, lines, strict=False):
        bare = line.lstrip()
        indent = len(line) - len(bare)
        if indent > 8 or not bare or not (bare[0].isalpha() or bare[0] == "_"):
            continue
        name = _defined(bare[:400], indent)
        if name:
            found.setdefault(indent, {})[f"{name}:{number}"] = None
            if len(found[indent]) >= MAX_DEFINITIONS:
                break
    return [*found[min(found)]] if found else []


def _defined(line: str, indent: int) -> str:
    match = DEFINITION.match(line) or ARROW.match(line)
    if match is None and not indent and line.endswith(("{", ")")):
        match = C_FUNCTION.match(line)
    name = match["name"].rstrip(":") if match else ""
    return "" if name in NOT_DEFINED else name


def _opening_comment(lines: Sequence[str]) -> str:
    """The first comment or docstring, of up to four lines."""
    for position, line in enumerate(lines[:12]):
        if found := COMMENT.match(line[:300]):
            block = [found["text"]]
            is_docstring = line.startswith(('"""', "'''", "/*"))
            is_closed = line.rstrip().endswith(('"""', "'''", "*/")) and len(line.strip()) > 3
            for more in () if is_closed else lines[position + 1 : position + 4]:
                if not more.strip() or not (is_docstring or COMMENT.match(more[:300])):
                    break
                block.append(more[:300].strip(" *#/\"'-"))
            return one_line(" ".join(block))
        if line.strip() and not line.startswith(("#!", "# -*-", "package ", "<?php")):
            return ""
    return ""


def recognize_diff(material: Material) -> Recognized | None:
    """A patch, as git and diff write them."""
    lines = material.lines
    is_plain = any(line.startswith("@@ -") for line in lines) and any(PLAIN_FILE.match(line[:400]) for line in lines)
    if not is_plain and not any(DIFF_FILE.match(line[:800]) for line in lines[:30]):
        return None
    return Recognized.by_lines(ContentKind.CODE, _diff_lines(_changed_files(material.many_lines())))


def _diff_lines(changes: Sequence[tuple[str, int, int]]) -> Iterator[str]:
    """`diff of 2 files, +10 -3: a.py, b.py`, then each with the lines added and removed."""
    added, removed = sum(change[1] for change in changes), sum(change[2] for change in changes)
    paths = listed([change[0] for change in changes], 80)
    yield f"diff of {counted(len(changes), 'file')}, +{added:,} -{removed:,}: {paths}"
    yield from (f"- {path} +{added:,} -{removed:,}" for path, added, removed in changes[:12])
    if len(changes) > 12:
        yield f"- and {len(changes) - 12:,} more"


def _changed_files(lines: Sequence[str]) -> list[tuple[str, int, int]]:
    """Path, lines added, lines removed, in order."""
    changes: dict[str, list[int]] = {}
    current: list[int] = [0, 0]
    for line in lines:
        sign = line[:1]
        if sign == "d" and (found := DIFF_FILE.match(line[:800])):
            current = changes.setdefault(found["new"], [0, 0])
        elif sign == "+":
            if line.startswith("+++ ") and (found := PLAIN_FILE.match(line[:400])):
                if found["new"].strip() != "/dev/null":
                    current = changes.setdefault(found["new"].strip(), [0, 0])
            else:
                current[0] += 1
        elif sign == "-" and not line.startswith("--- "):
            current[1] += 1
    return [(path, added, removed) for path, (added, removed) in changes.items()]


def _language_by_name(name: str) -> str:
    """By the extension; nothing for what is not code."""
    last = name.rstrip("/").rpartition("/")[2]
    extension = last.rpartition(".")[2].lower() if "." in last else ""
    return NAMES.get(last) or EXTENSIONS.get(extension, "")


def file_read_by(command: str) -> str:
    """The file that a command prints: `src/a.py` of `cd x && cat src/a.py | head -50`."""
    for step in re.split(r"&&|;|\n", command[:2_000]):
        words = step.partition("|")[0].split()
        if words and words[0].rpartition("/")[2] in READERS:
            names = [word.strip("'\"") for word in words[1:] if not word.startswith("-")]
            return next(filter(_is_file, reversed(names)), "")
    return ""


def _is_file(word: str) -> bool:
    is_named = "." in word.strip("./") or word.rpartition("/")[2] in NAMES
    return is_named and not word.startswith("s/")


def _language_by_look(lines: Sequence[str]) -> str:
    """The language that most lines look like; nothing where they look like no code."""
    shown = [line[:300].rstrip() for line in lines if line.strip()][:150]
    if len(shown) < 3:
        return ""
    scores = [(sum(bool(look.match(line)) for line in shown), language) for language, look in LOOKS]
    best, language = max(scores, key=lambda score: score[0])
    # Strings of letters with an equals sign stand in any log.
    return language if best >= 3 and best >= MIN_SHARE * len(shown) and _has_structure(shown) else ""


def _has_structure(lines: Sequence[str]) -> bool:
    indented = sum(line[:1].isspace() for line in lines)
    marked = sum(line.endswith(("{", "}", ";", ":", "(", ")", ",")) for line in lines)
    return marked >= 0.25 * len(lines) or (indented >= 0.2 * len(lines) and marked >= 0.15 * len(lines))
