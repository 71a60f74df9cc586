"""The capacity model against measurements: `python -m bench.scale --json` (see bench/README.md)."""

import argparse
import asyncio
import json
import signal
import sys
from collections.abc import Mapping
from dataclasses import asdict, fields
from pathlib import Path

from rich.console import Console
from rich.table import Table

from bench.material.fill import bytes_on_disk
from bench.measure import report
from bench.measure.servers import ROOT
from bench.measure.timing import Figure
from bench.recall.options import RecallOptions
from bench.recall.stage import Stage, stage
from bench.scale import page, plot, scopes, sizes, workers
from bench.scale.capacity import Capacity, capacity, series
from bench.scale.fleet import Assumptions, Fleet, fleet
from bench.scale.options import ScaleOptions

RESULTS = ROOT / "bench" / "results" / "scale.json"
PAGE = ROOT / "docs" / "scaling.md"
PLOT = ROOT / "docs" / "images" / "scale.png"
DISK_BYTES = "disk_bytes_per_memory"

Figures = dict[str, Figure]


def main() -> None:
    given = _arguments()
    # Else the servers would go on when this process is ended.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    options = ScaleOptions.quick() if given.quick else ScaleOptions()
    assumed = Assumptions(
        **{field.name: getattr(given, field.name) for field in fields(Assumptions)}
    )
    recall_options = RecallOptions.quick(None) if given.quick else RecallOptions()
    with stage(recall_options) as set_stage:
        figures = _measure(set_stage, options)
        has_cache = set_stage.has_cache
    found = capacity(figures, options.scope_rows, options.scopes)
    costs = found.costs(figures[DISK_BYTES].median)
    needed = fleet(assumed, costs) if costs else None
    _tell(found, needed)
    if given.save:
        told = {"quick": given.quick, "has_cache": has_cache, **_facts(found, assumed, needed)}
        report.save(RESULTS, figures, told)
        _write_page(figures, found, assumed, needed)
    drawing = given.plot or (PLOT if given.save else None)
    if drawing:
        _draw(drawing, figures, found, options)
    if given.json:
        told = report.medians(figures, ()) | _facts(found, assumed, needed)
        print(json.dumps(told | {"has_cache": has_cache}), flush=True)


def _measure(set_stage: Stage, options: ScaleOptions) -> Figures:
    _say("scopes of many sizes")
    figures = asyncio.run(sizes.measure(set_stage, options))
    _say("many scopes: filling")
    requests = scopes.fill(set_stage, options)
    _say("many scopes: in use")
    figures |= asyncio.run(scopes.measure_resident(set_stage, options, requests))
    figures[DISK_BYTES] = Figure((bytes_on_disk(set_stage.app.url("superuser")),))
    _say("many scopes: small budgets")
    small = series(figures, "scopes", "scope_bytes")
    scope_bytes = small[max(small)] if small else None
    figures |= asyncio.run(scopes.measure_hits(set_stage, options, requests, scope_bytes))
    _say("workers")
    return figures | asyncio.run(workers.measure(set_stage, options))


def _facts(found: Capacity, assumed: Assumptions, needed: Fleet | None) -> dict[str, object]:
    return {
        "model": {
            "latency_ms": asdict(found.latency_ms),
            "core_ms": asdict(found.recall_ms),
            "scope_bytes": asdict(found.scope_bytes) if found.scope_bytes else None,
            "miss_ms": found.miss_ms,
        },
        "checks": [asdict(check) | {"error": round(check.error, 4)} for check in found.checks],
        "assumptions": asdict(assumed),
        "fleet": asdict(needed) | {"machines": needed.machines} if needed else None,
    }


def _write_page(
    figures: Mapping[str, Figure], found: Capacity, assumed: Assumptions, needed: Fleet | None
) -> None:
    machine = report.machine()
    measured_on = f"{machine['cpu']}, {machine['cores']} cores, commit {report.commit()[:12]}"
    block = page.block(measured_on, found, figures[DISK_BYTES].median, assumed, needed)
    text = PAGE.read_text("utf-8")
    PAGE.write_text(page.replaced(text, block), "utf-8")


def _draw(
    path: Path, figures: Mapping[str, Figure], found: Capacity, options: ScaleOptions
) -> None:
    if plot.can_draw():
        plot.draw(path, figures, found, options.scopes)
    else:
        _say("no plot: matplotlib is not installed (extra `bench`)")


def _tell(found: Capacity, needed: Fleet | None) -> None:
    table = Table(title="Capacity model", title_justify="left")
    for heading in ("what", "predicted", "measured", "error", ""):
        table.add_column(heading)
    for check in found.checks:
        numbers = (f"{check.predicted:,.4g}", f"{check.measured:,.4g}", f"{check.error:+.0%}")
        table.add_row(check.what, *numbers, "fitted" if check.is_fitted else "")
    console = Console(width=110)
    console.print(table)
    if needed:
        console.print(
            f"{needed.machines:,} machines ({needed.machines_for_memory:,} for memory, "
            f"{needed.machines_for_cores:,} for cores), {needed.database_gb:,.0f} GB in Postgres"
        )


def _say(what: str) -> None:
    print(f"{what} ...", file=sys.stderr, flush=True)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.scale", description=__doc__)
    parser.add_argument("--json", action="store_true", help="one JSON object on the last line")
    parser.add_argument(
        "--quick", action="store_true", help="a short run that measures nothing well"
    )
    parser.add_argument(
        "--save",
        action="store_true",
        help=f"write {RESULTS.relative_to(ROOT)}, the plot, and numbers into {PAGE.relative_to(ROOT)}",
    )
    parser.add_argument("--plot", type=Path, help="draw to this file instead")
    for field in fields(Assumptions):
        parser.add_argument(
            f"--{field.name.replace('_', '-')}",
            type=type(field.default),
            default=field.default,
            help=f"{page.MEANINGS[field.name]}; default {field.default:,}",
        )
    return parser.parse_args()


if __name__ == "__main__":
    main()
