"""The capacity model against measurements: `python -m bench.scale --json` (see bench/README.md)."""

import argparse
import asyncio
from collections.abc import Mapping
from dataclasses import asdict, fields
from pathlib import Path

from rich.console import Console
from rich.table import Table

from bench.material.fill import bytes_on_disk
from bench.measure import report
from bench.measure.command import Benchmark, parse, print_json, say
from bench.measure.servers import ROOT
from bench.measure.timing import Figure, Figures
from bench.recall.stage import RecallOptions, Stage, stage
from bench.scale import costs, page, plot, scopes
from bench.scale.capacity import Capacity, capacity, series
from bench.scale.costs import ScaleOptions
from bench.scale.fleet import Assumptions, Fleet, fleet

PAGE = ROOT / "docs" / "scaling.md"
PLOT = ROOT / "docs" / "images" / "scale.png"
DISK_BYTES = "disk_bytes_per_memory"
SCALE = Benchmark("scale", __doc__)


def main() -> None:
    given = _arguments()
    options = ScaleOptions.quick() if given.quick else ScaleOptions()
    assumed = Assumptions(**{field.name: getattr(given, field.name) for field in fields(Assumptions)})
    with stage(RecallOptions.quick() if given.quick else RecallOptions()) as set_stage:
        figures = _measure(set_stage, options)
        has_cache = set_stage.has_cache
    found = capacity(figures, options.scope_rows, options.scopes)
    cost = found.costs(figures[DISK_BYTES].median)
    needed = fleet(assumed, cost) if cost else None
    _print(found, needed)
    facts = {"has_cache": has_cache, **_facts(found, assumed, needed)}
    if given.save:
        report.save(SCALE.results, figures, {"quick": given.quick, **facts})
        _write_page(figures, found, assumed, needed)
    drawing = given.plot or (PLOT if given.save else None)
    if drawing and plot.can_draw():
        plot.draw(drawing, figures, found, options.scopes)
    elif drawing:
        say("no plot: matplotlib is not installed (extra `bench`)")
    if given.json:
        print_json(report.medians(figures, ()) | facts)


def _measure(set_stage: Stage, options: ScaleOptions) -> Figures:
    say("scopes of many sizes")
    figures = asyncio.run(costs.measure_sizes(set_stage, options))
    say("many scopes: filling")
    requests = scopes.fill(set_stage, options)
    say("many scopes: in use")
    figures |= asyncio.run(scopes.measure_resident(set_stage, options, requests))
    figures[DISK_BYTES] = Figure((bytes_on_disk(set_stage.app.url("superuser")),))
    say("many scopes: small budgets")
    small = series(figures, "scopes", "scope_bytes")
    scope_bytes = small[max(small)] if small else None
    figures |= asyncio.run(scopes.measure_hits(set_stage, options, requests, scope_bytes))
    say("workers")
    return figures | asyncio.run(costs.measure_workers(set_stage, options))


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


def _write_page(figures: Mapping[str, Figure], found: Capacity, assumed: Assumptions, needed: Fleet | None) -> None:
    machine = report.machine()
    measured_on = f"{machine['cpu']}, {machine['cores']} cores, commit {report.commit()[:12]}"
    block = page.block(measured_on, found, figures[DISK_BYTES].median, assumed, needed)
    PAGE.write_text(page.replaced(PAGE.read_text("utf-8"), block), "utf-8")


def _print(found: Capacity, needed: Fleet | None) -> None:
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


def _arguments() -> argparse.Namespace:
    parser = SCALE.parser(f", the plot, and numbers into {PAGE.relative_to(ROOT)}")
    parser.add_argument("--plot", type=Path, help="draw to this file instead")
    for field in fields(Assumptions):
        parser.add_argument(
            f"--{field.name.replace('_', '-')}",
            type=type(field.default),
            default=field.default,
            help=f"{page.MEANINGS[field.name]}; default {field.default:,}",
        )
    return parse(parser)


if __name__ == "__main__":
    main()
