"""Named SQL: a `.sql` file beside the code that uses it holds statements, `-- name: x`, and the parts that they share
as `{{x}}`, `-- fragment: x`; those that several files share are in `storage/fragments.sql`, or derived from the table
of fields (`storage/row_fields.py`)."""

import json
import re
from collections.abc import Sequence
from datetime import datetime
from functools import cache
from pathlib import Path
from textwrap import dedent
from typing import Any, LiteralString
from uuid import UUID

from psycopg.types.json import Jsonb

from camillo_server.kernel.scope import Scope
from camillo_server.storage.row_fields import FRAGMENTS

PACKAGE = Path(__file__).parent.parent
HEADING = re.compile(r"^-- (name|fragment): (\w+)\n", re.MULTILINE)
COMMENT_OR_INDENT = re.compile(r"^--.*\n|^ +", re.MULTILINE)
INCLUDE = re.compile(r"\{\{(\w+)\}\}")


@cache
def statements(name: str) -> dict[str, LiteralString]:
    """The statements of `<name>.sql`, a path below the package, by name, with their fragments. Raises KeyError for an
    unknown fragment."""
    path = PACKAGE / f"{name}.sql"
    fragments = _parts(PACKAGE / "storage" / "fragments.sql", "fragment") | FRAGMENTS | _parts(path, "fragment")
    return {name: _filled(text, fragments) for name, text in _parts(path, "name").items()}


def filled(text: str) -> LiteralString:
    """A part of a statement that stands in code, with the fragments that several files share."""
    return _filled(dedent(text).strip(), _parts(PACKAGE / "storage" / "fragments.sql", "fragment"))


def _parts(path: Path, kind: str) -> dict[str, str]:
    pieces = HEADING.split(path.read_text("utf-8"))[1:]
    found = zip(pieces[0::3], pieces[1::3], pieces[2::3], strict=True)
    return {name: text.strip() for heading, name, text in found if heading == kind}


def _filled(text: str, fragments: dict[str, str]) -> LiteralString:
    while INCLUDE.search(text):
        text = INCLUDE.sub(lambda match: fragments[match[1]], text)
    # The driver keeps what it made of a statement of up to 4,096 characters.
    return COMMENT_OR_INDENT.sub("", text)


def scope_parameters(scope: Scope) -> dict[str, Any]:
    return {"tenant_id": scope.tenant_id, "agent_id": scope.agent_id}


def array_text(values: Sequence[str]) -> str:
    """The literal of an array: Postgres has no arrays of arrays of different lengths."""
    quoted = (value.replace("\\", "\\\\").replace('"', '\\"') for value in values)
    return "{" + ",".join(f'"{value}"' for value in quoted) + "}"


def _as_json(value: Any) -> Any:
    """Converts a value to JSON that Postgres reads as the same value."""
    match value:
        case UUID():
            return str(value)
        case datetime():
            return value.isoformat()
        case bytes():
            return f"\\x{value.hex()}"
        case Jsonb():
            return value.obj
    raise TypeError(f"{type(value).__name__} has no JSON")


# Encodes rows as the JSON that `json_to_recordset` takes.
json_text = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), default=_as_json).encode
