"""How artifacts read."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from camillo_server.cli.tables import clean
from camillo_server.cli.wording import age, moment, pairs

if TYPE_CHECKING:
    from camillo.v1.artifact_pb2 import Artifact

UNITS = ("B", "KB", "MB", "GB", "TB")


def size(count: int) -> str:
    """A number of bytes in its largest unit; a kilobyte has 1,024."""
    amount = float(count)
    for unit in UNITS:
        if amount < 1024 or unit == UNITS[-1]:
            break
        amount /= 1024
    return f"{count} B" if unit == "B" else f"{amount:.1f} {unit}"


def kind(artifact: Artifact) -> str:
    """What its bytes are, in one word."""
    from camillo.v1.artifact_pb2 import ContentKind
    from camillo_client import enum_name

    return enum_name(ContentKind, artifact.kind)


def lines(artifact: Artifact) -> str:
    """How many lines; empty where it has none."""
    return f"{artifact.line_count:,}" if artifact.HasField("line_count") else ""


def row(artifact: Artifact, now: datetime) -> list[str]:
    """Its row in a list."""
    from camillo_client import to_datetime

    return [
        artifact.artifact_id,
        age(to_datetime(artifact.created_at), now),
        size(artifact.size_bytes),
        lines(artifact),
        kind(artifact),
        artifact.tool,
        artifact.description,
    ]


def kept(artifact: Artifact) -> str:
    """One line about what was stored."""
    counted = ""
    if artifact.HasField("line_count"):
        counted = f", {lines(artifact)} {'line' if artifact.line_count == 1 else 'lines'}"
    return f"{artifact.artifact_id} ({size(artifact.size_bytes)}{counted})"


def _whole_size(count: int) -> str:
    told = size(count)
    return told if told.endswith(" B") else f"{told} ({count:,} bytes)"


def details(artifact: Artifact) -> list[tuple[str, str]]:
    """What there is to say of it beside its content."""
    from camillo.v1.memory_pb2 import Sensitivity
    from camillo_client import enum_name

    secrets = ", ".join(f"{each.count:,} x {each.kind}" for each in artifact.redaction_counts)
    optional = [
        ("name", artifact.name),
        ("media type", artifact.media_type),
        ("tool", artifact.tool),
        ("command", artifact.command),
        ("exit code", str(artifact.exit_code) if artifact.HasField("exit_code") else ""),
        ("session", artifact.session_id),
        ("tags", ", ".join(artifact.tags)),
        ("metadata", pairs(artifact.metadata)),
        ("source refs", ", ".join(artifact.source_refs)),
        ("expires", moment(artifact.expires_at) if artifact.HasField("expires_at") else ""),
        ("pinned", "yes" if artifact.pinned else ""),
        ("scope", "" if artifact.agent_id else f"shared, by {artifact.created_by_agent_id}"),
        ("secrets", secrets and f"{secrets} taken out"),
        ("lines", lines(artifact)),
        ("encoding", artifact.encoding),
    ]
    shown = [
        ("id", artifact.artifact_id),
        ("kind", kind(artifact)),
        ("size", _whole_size(artifact.size_bytes)),
        *[(name, value) for name, value in optional if value],
        ("sensitivity", enum_name(Sensitivity, artifact.sensitivity)),
        ("sha256", artifact.sha256.hex()),
        ("stored", moment(artifact.created_at)),
        ("version", f"{artifact.version}, of {moment(artifact.updated_at)}"),
    ]
    return [(name, clean(value)) for name, value in shown]
