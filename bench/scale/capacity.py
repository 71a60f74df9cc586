"""The capacity model, fitted to what `bench.scale` measured and checked against it."""

import os
import statistics
from collections.abc import Mapping
from dataclasses import dataclass

from bench.measure.timing import Figure
from bench.scale.fleet import Costs
from bench.scale.model import (
    Check,
    Line,
    calls_per_second,
    fit_and_check,
    hit_share,
    zipf_shares,
)

Figures = Mapping[str, Figure]


@dataclass(frozen=True, slots=True)
class Capacity:
    """The model's parameters, by what they are called in `Costs`, and how well it predicts. `scope_bytes` and
    `miss_ms` are None where memory did not answer."""

    recall_ms: Line
    latency_ms: Line
    scope_bytes: Line | None
    miss_ms: float | None
    checks: list[Check]

    def costs(self, disk_bytes: float) -> Costs | None:
        """The costs that a fleet is computed from; None while a part is missing."""
        if self.scope_bytes is None:
            return None
        miss_ms = self.recall_ms.fixed if self.miss_ms is None else self.miss_ms
        return Costs(self.recall_ms, self.scope_bytes, miss_ms, disk_bytes)


def capacity(figures: Figures, scope_rows: int, scopes: int) -> Capacity:
    """The model of these figures, from scopes of many sizes and many scopes of one."""
    core = series(figures, "rows", "core_ms")
    latency = series(figures, "rows", "recall_p50_ms")
    recall_ms, core_checks = fit_and_check("core-ms a recall", list(core), list(core.values()))
    latency_ms, latency_checks = fit_and_check("ms a recall", list(latency), list(latency.values()))
    scope_bytes, byte_checks = _bytes(figures, scope_rows)
    return Capacity(
        recall_ms,
        latency_ms,
        scope_bytes,
        _miss_ms(figures, recall_ms.at(scope_rows)),
        [
            *latency_checks,
            *core_checks,
            *byte_checks,
            *_scope_checks(figures, recall_ms.at(scope_rows)),
            *_hit_checks(figures, scopes),
            *_worker_checks(figures),
        ],
    )


def series(figures: Figures, group: str, name: str) -> dict[int, float]:
    """The median of each `group.N.name` by N, ascending."""
    found = {
        int(parts[1]): figure.median for parts, figure in _split(figures) if parts[0] == group and parts[-1] == name
    }
    return dict(sorted(found.items()))


def hits(figures: Figures, name: str) -> dict[tuple[float, float], float]:
    """The median of each `hits.exponent/share.name` by exponent and share of the budget."""
    prefix = "hits."
    found = {}
    for key, figure in figures.items():
        if key.startswith(prefix) and key.endswith(f".{name}"):
            exponent, share = key.removeprefix(prefix).removesuffix(f".{name}").split("/")
            found[float(exponent), float(share)] = figure.median
    return found


def _split(figures: Figures) -> list[tuple[list[str], Figure]]:
    return [(name.split("."), figure) for name, figure in figures.items()]


def _bytes(figures: Figures, scope_rows: int) -> tuple[Line | None, list[Check]]:
    """Small scopes tell the fixed part best, so the largest number of them is among the points."""
    by_rows = series(figures, "rows", "scope_bytes")
    small = series(figures, "scopes", "scope_bytes")
    if small:
        by_rows = {scope_rows: small[max(small)], **by_rows}
    if not by_rows:
        return None, []
    return fit_and_check("bytes a scope", list(by_rows), list(by_rows.values()))


def _scope_checks(figures: Figures, predicted: float) -> list[Check]:
    """Checks the model's claim that other scopes in memory cost nothing."""
    measured = series(figures, "scopes", "core_ms")
    return [
        Check(f"core-ms a recall, {scopes:,} scopes in use", predicted, value) for scopes, value in measured.items()
    ]


def _hit_checks(figures: Figures, scopes: int) -> list[Check]:
    return [
        Check(
            f"hit share, Zipf {exponent:g}, budget for {share:.0%}",
            hit_share(zipf_shares(scopes, exponent), share * scopes),
            measured,
        )
        for (exponent, share), measured in hits(figures, "hit_share").items()
        if measured
    ]


def _worker_checks(figures: Figures) -> list[Check]:
    """Checks rates that are predicted from what a recall takes with the fewest workers."""
    rates = series(figures, "workers", "qps")
    if not rates:
        return []
    server = next(iter(series(figures, "workers", "server_ms").values())) / 1000
    client = next(iter(series(figures, "workers", "client_ms").values())) / 1000
    cores = len(os.sched_getaffinity(0))
    return [
        Check(
            f"calls/s, {workers} workers",
            calls_per_second(workers, cores, server_seconds=server, client_seconds=client),
            measured,
        )
        for workers, measured in rates.items()
    ]


def _miss_ms(figures: Figures, hit_ms: float) -> float | None:
    """The cost of a miss: what hits leave of the cost of runs with misses."""
    shares, core = hits(figures, "hit_share"), hits(figures, "core_ms")
    found = [(core[key] - share * hit_ms) / (1 - share) for key, share in shares.items() if share < 1]
    return statistics.median(found) if found else None
