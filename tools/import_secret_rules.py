"""Takes over the rules of a release of gitleaks: `python -m tools.import_secret_rules gitleaks.toml VERSION`.

Leaves out what concerns files by their path, since a text that an agent sends has none. Makes patterns wider, since a
secret stands between other characters there than in a file of settings.
"""

import json
import re
import sys
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from camillo_server.lib.redaction.rules import RULES, VAGUE

Table = Mapping[str, Any]
SOURCE = "gitleaks, https://github.com/gitleaks/gitleaks, MIT License (secret_rules.LICENSE)"


def main(toml: Path, version: str) -> None:
    """Writes `secret_rules.json` beside the module that reads it."""
    config = tomllib.loads(toml.read_text())
    rules = {
        "source": SOURCE,
        "version": version,
        "exclusions": [_exclusion(config["allowlist"])],
        "rules": [_rule(rule) for rule in config["rules"] if "regex" in rule],
    }
    RULES.write_text(json.dumps(rules, indent=1, ensure_ascii=False) + "\n")
    print(f"{len(rules['rules'])} rules of gitleaks {version} in {RULES.name}")


def _rule(rule: Table) -> Table:
    return {
        "kind": rule["id"],
        "pattern": wider(rule["id"], rule["regex"]),
        "keywords": rule.get("keywords", []),
        "group": rule.get("secretGroup", 0),
        "least_entropy": rule.get("entropy", 0),
        "exclusions": list(_exclusions(rule)),
    }


def _exclusions(rule: Table) -> Iterator[Table]:
    for allowed in rule.get("allowlists", ()):
        # One that asks for a path as well never holds here; one that asks for a path alone says nothing.
        if allowed.get("condition") != "AND" and not allowed.keys() <= {"description", "paths"}:
            yield _exclusion(allowed)


def _exclusion(allowed: Table) -> Table:
    return {
        "of": allowed.get("regexTarget", "secret"),
        "patterns": allowed.get("regexes", []),
        "words": [word.lower() for word in allowed.get("stopwords", [])],
    }


# As the patterns of gitleaks have them.
_ENDS = (r"""(?:[\x60'"\s;]|\\[nr]|$)""", r"""(?:[\x60'"\s;]|\\[nr]|$|\b)""", r"\b")
_AZURE_BEGIN, _AZURE_END = r"""(?:^|[\\'"\x60\s>=:(,)])""", r"""(?:$|[\\'"\x60\s<),])"""
_CURL_END = r"(?:\s|\z)"
_BETWEEN, _OPENING = r"(?:[ \t\w.-]{0,20})", r"""[\x60'"\s=]{0,5}"""
_BEGIN = re.compile(r"(?:\(\?i\))?\\b")
_GROUP = re.compile(r"(?<!\\)\((?!\?)|\(\?P<")

# Behind a letter, a digit or an underscore, too, where that is the end of an escape, of a colour or of an emphasis.
BEGIN = r"(?:\b|_|\\[nrtbfv]|%[01][0-9A-Fa-f]|\\[ux](?:00)?[01][0-9A-Fa-f]|\[[0-9;]{0,9}m)"
# The boundary comes first: bytes that are no UTF-8 are no characters for RE2.
END = r"(?:\b|[^0-9A-Za-z]|$)"
# Behind what only looks like a key, neither a call nor a path nor an address may follow.
_VAGUE_END = r"""(?:[\x60'"\s;,)\]}<>*|&!?~]|\\|[^\x00-\x7F]|$)"""

_AZURE_WIDE_END = r"(?:[^0-9A-Za-z_~.-]|[_~.-](?:[^0-9A-Za-z]|$)|$)"


def _any_of(characters: str) -> str:
    """A class of these characters of ASCII, and of all others: engines that count bytes know it only negated."""
    others = "".join(f"\\x{code:02x}" for code in range(128) if chr(code) not in characters)
    return f"[^{others}]"


_WORD = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_"
_WIDE_BETWEEN = "(?:" + _any_of(_WORD + " \t.-<>/*:`\"'=()") + "{0,32})"
_WIDE_OPENING = _any_of("`\"' \t\n\r\f=*_~([<>|") + "{0,8}"
_VAGUE_OPENING = _any_of("`\"' \t\n\r\f=*([") + "{0,8}"


def wider(kind: str, pattern: str) -> str:
    """The pattern for any surroundings; what it takes for the secret stays."""
    if kind == VAGUE:
        wide = _ended(pattern, _VAGUE_END).replace(_OPENING, _VAGUE_OPENING)
        return wide.replace(r"""[\s'"]{0,3}""", r"""[\s'"\x60*_)]{0,4}""")
    if kind.startswith("curl-"):
        return pattern.replace(_CURL_END, r"""(?:[\s\x60"'),;|<>]|\\|\z)""")
    if _AZURE_END in pattern:
        begin = f"(?:^|[^0-9A-Za-z_~.]|{BEGIN[6:-1]})"
        return pattern.replace(_AZURE_BEGIN, begin).replace(_AZURE_END, _AZURE_WIDE_END)
    wide = _ended(pattern.replace(r"\b|", "|"), END)
    wide = wide.replace(_BETWEEN, _WIDE_BETWEEN).replace(_OPENING, _WIDE_OPENING)
    wide = wide.replace(r"|\|\||", r"|\|{1,2}|")
    return _begun(wide) if _BEGIN.match(wide) else wide


def _ended(pattern: str, end: str) -> str:
    for each in _ENDS:
        if pattern.endswith(each):
            return _grouped(pattern.removesuffix(each)) + end
    return pattern


def _grouped(pattern: str) -> str:
    """The pattern with the secret in a group, as what ends the secret is no part of it."""
    if _GROUP.search(pattern):
        return pattern
    begin = _BEGIN.match(pattern)
    at = begin.end() if begin else 0
    return f"{pattern[:at]}({pattern[at:]})"


def _begun(pattern: str) -> str:
    flags = "(?i)" if pattern.startswith("(?i)") else ""
    return flags + BEGIN + _BEGIN.sub("", pattern, count=1)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(Path(sys.argv[1]), sys.argv[2])
