"""The model that follows from what was measured."""

from pathlib import Path

import pytest

from bench.measure.timing import Figure
from bench.scale import page, plot
from bench.scale.capacity import capacity, hits, series
from bench.scale.fleet import Assumptions, fleet
from bench.scale.model import hit_share, zipf_shares

SCOPES, ROWS = 1_000, 50


def one(value: float) -> Figure:
    return Figure((value,))


def by_size(rows: int) -> dict[str, Figure]:
    return {
        f"rows.{rows}.recall_p50_ms": one(0.6 + rows / 100_000),
        f"rows.{rows}.core_ms": one(0.3 + rows / 200_000),
        f"rows.{rows}.scope_bytes": one(20_000 + 1_100 * rows),
    }


MEASURED = {
    **by_size(10_000),
    **by_size(1_000),
    **by_size(100_000),
    "scopes.1000.core_ms": one(0.33),
    "scopes.1000.scope_bytes": one(75_000),
    "hits.0.8/0.05.hit_share": one(0.4),
    "hits.0.8/0.05.core_ms": one(1.5),
    "workers.1.qps": one(2_000),
    "workers.1.server_ms": one(0.5),
    "workers.1.client_ms": one(0.25),
    "workers.2.qps": one(2_600),
}


def test_figures_are_found_by_their_numbers_in_order() -> None:
    assert list(series(MEASURED, "rows", "core_ms")) == [1_000, 10_000, 100_000]
    assert series(MEASURED, "workers", "qps") == {1: 2_000, 2: 2_600}
    assert hits(MEASURED, "hit_share") == {(0.8, 0.05): 0.4}


def test_parameters_are_those_that_the_figures_were_made_with() -> None:
    found = capacity(MEASURED, ROWS, SCOPES)
    assert found.recall_ms.at(50_000) == pytest.approx(0.55)
    assert found.latency_ms.at(50_000) == pytest.approx(1.1)
    assert found.scope_bytes is not None
    assert found.scope_bytes.at(1_000) == pytest.approx(1_120_000, rel=0.01)
    # Six of ten recalls missed, and the others cost what the line says for 50 memories.
    assert found.miss_ms == pytest.approx((1.5 - 0.4 * 0.30025) / 0.6)


def test_what_was_measured_is_checked() -> None:
    checks = {check.what: check for check in capacity(MEASURED, ROWS, SCOPES).checks}
    hit = checks["hit share, Zipf 0.8, budget for 5%"]
    assert hit.predicted == pytest.approx(hit_share(zipf_shares(SCOPES, 0.8), 50))
    assert hit.measured == 0.4
    assert checks["calls/s, 1 workers"].measured == 2_000
    assert checks["core-ms a recall, 10,000 memories"].is_fitted is False
    assert checks["core-ms a recall, 1,000 scopes in use"].predicted == pytest.approx(0.30025)


def test_without_answers_from_memory_no_fleet_follows() -> None:
    by_postgres = {name: figure for name, figure in MEASURED.items() if "bytes" not in name}
    assert capacity(by_postgres, ROWS, SCOPES).costs(4_000) is None
    assert capacity(MEASURED, ROWS, SCOPES).costs(4_000) is not None


def test_the_page_keeps_what_is_around_the_markers() -> None:
    found = capacity(MEASURED, ROWS, SCOPES)
    costs = found.costs(4_000)
    assert costs is not None
    assumed = Assumptions()
    block = page.block("a machine", found, 4_000, assumed, fleet(assumed, costs))
    text = f"before\n{page.BEGIN}\nold numbers\n{page.END}\nafter\n"
    written = page.replaced(text, block)
    assert written.startswith("before\n")
    assert written.endswith("\nafter\n")
    assert "old numbers" not in written
    assert "| agents | 10,000,000 |" in written
    assert "**machines**" in written
    assert page.replaced(written, block) == written


def test_a_page_without_markers_is_left_alone() -> None:
    with pytest.raises(page.NoMarkers):
        page.replaced("a page", "numbers")


def test_the_plot_is_a_picture_also_of_little(tmp_path: Path) -> None:
    little = {name: figure for name, figure in MEASURED.items() if name.startswith("rows")}
    for figures in (MEASURED, little):
        path = tmp_path / "images" / f"{len(figures)}.png"
        plot.draw(path, figures, capacity(figures, ROWS, SCOPES), SCOPES)
        assert path.read_bytes().startswith(b"\x89PNG")
