"""The generated part of `docs/scaling.md`: parameters, checks, and the fleet of some assumptions."""

from collections.abc import Sequence
from dataclasses import fields

from bench.scale.capacity import Capacity
from bench.scale.fleet import Assumptions, Fleet
from bench.scale.model import Check, Line

BEGIN = "<!-- begin: written by python -m bench.scale --save, do not edit -->"
END = "<!-- end -->"
MEANINGS = {
    "agents": "agents",
    "memories_per_agent": "memories of each",
    "active_share": "share of them whose space is in memory at a time",
    "recalls_per_second": "recalls a second, all together",
    "hit_share": "share of the recalls that memory answers",
    "replicas": "servers that hold each of these spaces",
    "cores": "cores of a machine",
    "memory_gb": "memory of a machine, GB",
    "cache_share": "share of it that caches may use",
    "utilisation": "share of its cores that may be busy on average",
    "database_copies": "copies of the database",
}


class NoMarkers(Exception):
    """The page does not say where the generated part goes."""


def replaced(page: str, block: str) -> str:
    """The page with this block between the markers. Raises NoMarkers."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise NoMarkers(f"needs the lines {BEGIN} and {END}")
    return f"{before}{BEGIN}\n\n{block.strip()}\n\n{END}{after}"


def block(measured_on: str, found: Capacity, disk_bytes: float, assumed: Assumptions, needed: Fleet | None) -> str:
    """Markdown."""
    parts = [
        f"Measured on {measured_on}.",
        _parameters(found, disk_bytes),
        _checks(found.checks),
        _fleet(assumed, needed),
    ]
    return "\n\n".join(parts)


def _parameters(found: Capacity, disk_bytes: float) -> str:
    rows = [
        ("milliseconds a recall, one caller", _line(found.latency_ms)),
        ("core-milliseconds of the server a recall", _line(found.recall_ms)),
        ("bytes of a space in memory", _line(found.scope_bytes)),
        ("core-milliseconds of the server a miss", _number(found.miss_ms)),
        ("bytes of a memory in Postgres, indexes included", _number(disk_bytes)),
    ]
    return _table(("what", "model"), rows)


def _checks(checks: Sequence[Check]) -> str:
    rows = [
        (
            check.what,
            _number(check.predicted),
            _number(check.measured),
            f"{check.error:+.0%}",
            "fitted" if check.is_fitted else "",
        )
        for check in checks
    ]
    return _table(("what", "predicted", "measured", "error", ""), rows)


def _fleet(assumed: Assumptions, needed: Fleet | None) -> str:
    given = [(MEANINGS[field.name], f"{getattr(assumed, field.name):,}") for field in fields(assumed)]
    assumptions = _table(("assumed", ""), given)
    if needed is None:
        return f"{assumptions}\n\nWhat a space takes in memory was not measured, so no fleet follows."
    rows = [
        ("spaces in memory, all copies", f"{needed.cached_gb:,.0f} GB"),
        ("machines to hold them", f"{needed.machines_for_memory:,}"),
        ("core-milliseconds a recall, misses included", _number(needed.core_ms_per_recall)),
        ("machines to answer", f"{needed.machines_for_cores:,}"),
        ("**machines**", f"**{needed.machines:,}**"),
        ("Postgres, all copies", f"{needed.database_gb:,.0f} GB"),
    ]
    return assumptions + "\n\n" + _table(("needed", ""), rows)


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _line(line: Line | None) -> str:
    if line is None:
        return "not measured"
    return f"{_number(line.fixed)} + {_number(line.per_row * 1000)} for 1,000 memories"


def _number(value: float | None) -> str:
    if value is None:
        return "not measured"
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
