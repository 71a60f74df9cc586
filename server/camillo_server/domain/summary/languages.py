"""Which language a piece of code is written in, by its name or by its look."""

import re
from collections.abc import Sequence

EXTENSIONS = {
    "py": "Python", "pyi": "Python", "js": "JavaScript", "mjs": "JavaScript", "cjs": "JavaScript", "jsx": "JavaScript",
    "ts": "TypeScript", "tsx": "TypeScript", "go": "Go", "rs": "Rust", "java": "Java", "kt": "Kotlin", "kts": "Kotlin",
    "scala": "Scala", "c": "C", "h": "C", "cc": "C++", "cpp": "C++", "cxx": "C++", "hpp": "C++", "cs": "C#", "rb": "Ruby",
    "php": "PHP", "swift": "Swift", "sh": "shell", "bash": "shell", "zsh": "shell", "ps1": "PowerShell", "pl": "Perl",
    "pm": "Perl", "lua": "Lua", "r": "R", "jl": "Julia", "ex": "Elixir", "exs": "Elixir", "erl": "Erlang", "hs": "Haskell",
    "ml": "OCaml", "clj": "Clojure", "dart": "Dart", "sql": "SQL", "proto": "Protocol Buffers", "css": "CSS",
    "scss": "CSS", "vue": "Vue", "svelte": "Svelte", "tf": "Terraform", "yaml": "YAML", "yml": "YAML", "toml": "TOML",
    "ini": "INI", "cfg": "INI", "xml": "XML", "gradle": "Gradle", "cmake": "CMake", "asm": "assembly", "s": "assembly",
    "m": "Objective-C", "zig": "Zig", "nix": "Nix", "sol": "Solidity", "graphql": "GraphQL", "ipynb": "notebook",
}  # fmt: skip
NAMES = {
    "Dockerfile": "Dockerfile",
    "Makefile": "Makefile",
    "Jenkinsfile": "Groovy",
    "Rakefile": "Ruby",
    "Gemfile": "Ruby",
}
READERS = frozenset((
    "cat", "head", "tail", "less", "more", "bat", "nl", "sed", "open", "view", "read_file",
    "read", "goto", "scroll_down", "scroll_up",
))  # fmt: skip
LEAST_SHARE = 0.25

# What lines of the language look like; of equals the first.
LOOKS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (language, re.compile(pattern))
    for language, pattern in (
        ("Python", r"\s*(?:(?:async )?def \w+\(|class \w+[(:]|from [\w.]+ import |import [\w.]+(?: as \w+)?$|@\w[\w.]*(?:\(|$)|(?:el)?if .*:$|else:$|for .+ in .+:$|while .+:$|with .+:$|try:$|except\b.*:$|return\b(?!.*;)|raise \w+|self\.\w+ ?=|\w+ = .*[^;{,]$)"),
        ("Go", r"\s*(?:package \w+$|func (?:\(\w+ \*?\w+\) )?\w+\(|type \w+ (?:struct|interface) \{|\w+(?:, \w+)* := .+|if err != nil \{|import \(|return .*\berr$|defer .+)"),
        ("Rust", r"\s*(?:(?:pub(?:\(\w+\))? )?(?:fn|struct|enum|impl|trait|mod|use) |let (?:mut )?\w+|#\[\w+|match .+ \{|impl<)"),
        ("Java", r"\s*(?:package [\w.]+;|import (?:static )?[\w.]+(?:\.\*)?;|(?:public|private|protected) .*[({;]$|@Override|\w+(?:<.*>)? \w+ = new .*;|return .*;)"),
        ("TypeScript", r"\s*(?:(?:export )?(?:interface|type) \w+|(?:export )?(?:const|let) \w+: |import .* from ['\"].*['\"];?$|.*\): \w+(?:<.*>)? \{$|(?:private|public|readonly) \w+: )"),
        ("JavaScript", r"\s*(?:(?:export )?(?:default )?(?:async )?function\b|(?:const|let|var) \S+ = |import .* from ['\"]|.*=> \{?$|module\.exports|require\(|\}\)?;?$|return .*;$|if \(.*\) \{)"),
        ("C", r"\s*(?:#(?:include|define|ifdef|ifndef|endif|pragma)\b|(?:static |const |unsigned |extern |inline )*(?:void|int|char|float|double|size_t|bool|long|struct \w+|undefined\d?|ulong|uint)\b[ *]*\w.*[;{(),]$|return\b.*;$|\w+(?:->\w+)+ = .*;|std::|template ?<|\w+ ?= .*;$|\w+\(.*\);$|[{}]$|(?:if|while|for) ?\(.*\) ?\{?$|\} (?:else|while)\b.*)"),
        ("Ruby", r"\s*(?:require(?:_relative)? ['\"]|def \w+[?!]?|end$|module \w+|class \w+ < |attr_\w+ :|.* do \|.*\|$)"),
        ("PHP", r"\s*(?:<\?php|\$\w+(?:->\w+)* = .*;|(?:public |private )?function \w+\(|use [\w\\]+;|namespace [\w\\]+;)"),
        ("shell", r"\s*(?:#!/.*sh$|fi$|done$|esac$|if \[.*|for \w+ in .*; do$|echo .*|export \w+=|set -[eux]+|\w+\(\) \{)"),
        ("SQL", r"(?i)\s*(?:select .* from |create (?:table|index|view|or replace) |insert into |alter table |update \w+ set |drop table )"),
        ("CSS", r"\s*(?:[.#]?[\w-]+(?:[ ,:>.#]+[\w-]+)* \{$|[\w-]+: [^;{}]+;$)"),
        ("assembly", r"\s*(?:\w{4,16}:?\s+)?(?:[0-9a-f]{2} ){0,15}\s*(?:mov|push|pop|call|jmp|lea|ret|xor|add|sub|cmp|test|nop|je|jne|leave)[lqbw]?\b"),
    )
)  # fmt: skip


def language_by_name(name: str) -> str:
    """By the extension; nothing for what is not code."""
    last = name.rstrip("/").rpartition("/")[2]
    return NAMES.get(last) or EXTENSIONS.get(
        last.rpartition(".")[2].lower() if "." in last else "", ""
    )


def file_read_by(command: str) -> str:
    """The file that a command prints: `src/a.py` of `cd x && cat src/a.py | head -50`."""
    for step in re.split(r"&&|;|\n", command[:2_000]):
        words = step.partition("|")[0].split()
        if words and words[0].rpartition("/")[2] in READERS:
            names = [word.strip("'\"") for word in words[1:] if not word.startswith("-")]
            files = [word for word in names if _is_file(word)]
            return files[-1] if files else ""
    return ""


def _is_file(word: str) -> bool:
    is_named = "." in word.strip("./") or word.rpartition("/")[2] in NAMES
    return is_named and not word.startswith("s/")


def language_by_look(lines: Sequence[str]) -> str:
    """The language that most lines look like; nothing where they look like no code."""
    shown = [line[:300].rstrip() for line in lines if line.strip()][:150]
    if len(shown) < 3:
        return ""
    scores = [(sum(bool(look.match(line)) for line in shown), language) for language, look in LOOKS]
    best, language = max(scores, key=lambda score: score[0])
    # Strings of letters with an equals sign stand in any log.
    return (
        language if best >= 3 and best >= LEAST_SHARE * len(shown) and _has_structure(shown) else ""
    )


def _has_structure(lines: Sequence[str]) -> bool:
    indented = sum(line[:1].isspace() for line in lines)
    marked = sum(line.endswith(("{", "}", ";", ":", "(", ")", ",")) for line in lines)
    return marked >= 0.25 * len(lines) or (
        indented >= 0.2 * len(lines) and marked >= 0.15 * len(lines)
    )
