"""The manifest of a backup: written last, so that a directory without it is no backup."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from camillo_server.kernel.system import OperatorError, write_file

MANIFEST = "manifest.json"
FORMAT = 1
# Names that a manifest may have: nothing in it leads out of its directory, or is SQL.
FILE_NAME = re.compile(r"(?:tables|parts|spool)/[A-Za-z0-9_][A-Za-z0-9_.-]*")
SQL_NAME = re.compile(r"[a-z_][a-z0-9_]*")


class BackupError(OperatorError):
    """A backup cannot be taken, checked or restored."""


class BackupDamaged(BackupError):
    """The directory is no backup, or not as it was written."""


class RestoreRefused(BackupError):
    """The backup must not be restored here; nothing was changed."""


@dataclass(frozen=True, slots=True)
class BackupFile:
    """A file of the backup: its path below the directory, and what it has to be."""

    path: str
    bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class TableRows:
    """The rows of one table in a file of COPY's text format, compressed."""

    schema: str
    table: str
    columns: Sequence[str]
    rows: int
    path: str

    @property
    def name(self) -> str:
        return f"{self.schema}.{self.table}"


@dataclass(frozen=True, slots=True)
class PartTotals:
    """Artifact bytes that lay outside of Postgres: how many, and the contents of which some were missing there."""

    contents: int = 0
    parts: int = 0
    bytes: int = 0
    lost: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class BackupOrigin:
    """The database that was read, and the moment that the backup shows."""

    database_id: str
    system_identifier: int
    timeline: int
    position: str
    postgres_version: int
    schema_version: str
    jobs_version: str
    at: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """Everything in the backup, and what a restore has to know before it begins."""

    product_version: str
    origin: BackupOrigin
    tenants: int
    tables: Sequence[TableRows]
    sequences: Mapping[str, int]
    partitions: Sequence[str]
    vector_indexes: Sequence[Mapping[str, Any]]
    artifacts: PartTotals
    # Ids of the encryption keys that are needed, each with a value by which the key itself is recognized.
    keys: Mapping[str, str]
    files: Sequence[BackupFile] = ()
    format: int = field(default=FORMAT)

    @property
    def rows(self) -> int:
        return sum(table.rows for table in self.tables)

    def write(self, directory: Path) -> None:
        """Writes the manifest, which is on disk when it returns. Raises OSError."""
        text = json.dumps(asdict(self), ensure_ascii=False, indent=1)
        write_file(directory / MANIFEST, text.encode())

    @classmethod
    def read(cls, directory: Path) -> "Manifest":
        """Raises BackupDamaged."""
        try:
            found = json.loads((directory / MANIFEST).read_bytes())
        except FileNotFoundError:
            raise BackupDamaged(
                f"{directory} is no backup: it has no {MANIFEST}, which is written when a backup is complete"
            ) from None
        except (OSError, ValueError) as error:
            raise BackupDamaged(f"cannot read {directory / MANIFEST}: {error}") from error
        if not isinstance(found, dict) or found.get("format") != FORMAT:
            version = found.get("format") if isinstance(found, dict) else None
            raise BackupDamaged(
                f"the backup has format {version}, this version reads {FORMAT}: use the version that took it"
            )
        try:
            return _parsed(found)
        except (KeyError, TypeError, ValueError) as error:
            raise BackupDamaged(f"{directory / MANIFEST} is damaged: {error}") from error


def _parsed(found: Mapping[str, Any]) -> Manifest:
    """Raises KeyError, TypeError, ValueError."""
    manifest = Manifest(
        **{
            **found,
            "origin": BackupOrigin(**found["origin"]),
            "tables": [TableRows(**each) for each in found["tables"]],
            "artifacts": PartTotals(**found["artifacts"]),
            "files": [BackupFile(**each) for each in found["files"]],
        }
    )
    paths = {file.path for file in manifest.files}
    for path in (*paths, *(table.path for table in manifest.tables)):
        if not FILE_NAME.fullmatch(path) or path not in paths:
            raise ValueError(f"a file is named {path!r}")
    named = [name for table in manifest.tables for name in (table.schema, table.table)]
    named += [part for name in manifest.sequences for part in name.split(".")]
    for name in (*named, *manifest.partitions):
        if not SQL_NAME.fullmatch(name):
            raise ValueError(f"a table is named {name!r}")
    return manifest
