"""Takes over the rules of a release of gitleaks: `python -m camillo_server.lib.redaction.import_rules gitleaks.toml
VERSION`.

Leaves out what concerns files by their path, since a text that an agent sends has none. Makes patterns wider, since a
secret stands between other characters there than in a file of settings.
"""

import json
import sys
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from camillo_server.lib.redaction.rules import RULES, wider

Table = Mapping[str, Any]
SOURCE = "gitleaks, https://github.com/gitleaks/gitleaks, MIT License (secret_rules.LICENSE)"


def main(toml: Path, version: str) -> None:
    """Writes `secret_rules.json` beside this file."""
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


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(Path(sys.argv[1]), sys.argv[2])
