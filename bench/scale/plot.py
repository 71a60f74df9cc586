"""Draws what was measured, and what the capacity model says, in one picture (extra `bench`)."""

import os
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from bench.measure.timing import Figure
from bench.scale.capacity import Capacity, hits, series
from bench.scale.model import Line, calls_per_second, hit_share, zipf_shares

Figures = Mapping[str, Figure]
MODEL = {"color": "0.5", "linewidth": 1, "label": "model"}
MEASURED = {"linestyle": "", "marker": "o", "label": "measured"}


def can_draw() -> bool:
    """Whether the extra is installed."""
    return find_spec("matplotlib") is not None


def draw(path: Path, figures: Figures, found: Capacity, scopes: int) -> None:
    """Writes a PNG with four panels; one that has nothing to show says so."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot

    picture, panels = pyplot.subplots(2, 2, figsize=(10, 7), layout="constrained")
    _by_size(panels[0][0], "recall, one caller (ms)", figures, "recall_p50_ms", found.latency_ms)
    _by_size(panels[0][1], "memory of a scope (bytes)", figures, "scope_bytes", found.scope_bytes)
    _hit_shares(panels[1][0], figures, scopes)
    _workers(panels[1][1], figures)
    path.parent.mkdir(parents=True, exist_ok=True)
    picture.savefig(path, dpi=110)
    pyplot.close(picture)


def _by_size(panel: Any, title: str, figures: Figures, name: str, line: Line | None) -> None:
    measured = series(figures, "rows", name)
    panel.set_title(title)
    if not measured or line is None:
        _nothing(panel)
        return
    rows = np.geomspace(min(measured), max(measured), 50)
    panel.plot(rows, [line.at(each) for each in rows], **MODEL)
    panel.plot(list(measured), list(measured.values()), **MEASURED)
    panel.set(xscale="log", yscale="log", xlabel="memories in the scope")
    panel.legend()


def _hit_shares(panel: Any, figures: Figures, scopes: int) -> None:
    measured = hits(figures, "hit_share")
    panel.set_title(f"recalls answered from memory, {scopes:,} scopes")
    if not measured:
        _nothing(panel)
        return
    budgets = np.geomspace(0.01, 1, 50)
    for exponent in sorted({exponent for exponent, _ in measured}):
        shares = zipf_shares(scopes, exponent)
        model = [hit_share(shares, each * scopes) for each in budgets]
        panel.plot(budgets, model, **(MODEL | {"label": f"model, Zipf {exponent:g}"}))
        own = {budget: hit for (of, budget), hit in measured.items() if of == exponent}
        label = f"measured, Zipf {exponent:g}"
        panel.plot(list(own), list(own.values()), **(MEASURED | {"label": label}))
    panel.set(xscale="log", xlabel="budget, as a share of what all scopes take", ylim=(0, 1.02))
    panel.legend()


def _workers(panel: Any, figures: Figures) -> None:
    measured = series(figures, "workers", "qps")
    panel.set_title("recalls a second, client on the same cores")
    if not measured:
        _nothing(panel)
        return
    server, client = (
        next(iter(series(figures, "workers", name).values())) / 1000 for name in ("server_ms", "client_ms")
    )
    cores = len(os.sched_getaffinity(0))
    model = [calls_per_second(workers, cores, server_seconds=server, client_seconds=client) for workers in measured]
    panel.plot(list(measured), model, **MODEL)
    panel.plot(list(measured), list(measured.values()), **MEASURED)
    panel.set(xlabel="workers", xticks=list(measured), ylim=(0, None))
    panel.legend()


def _nothing(panel: Any) -> None:
    panel.text(0.5, 0.5, "not measured", ha="center", va="center", transform=panel.transAxes)
    panel.set_axis_off()
