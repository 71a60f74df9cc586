"""What is told of a race: keys, ratios, the table of contenders, goals."""

from collections.abc import Mapping

from rich.table import Table

from bench.measure.report import Verdict, bound
from bench.measure.timing import Figure
from bench.peers.contenders import CONTENDERS, PEERS, REFERENCE

Figures = Mapping[str, Figure]

MEASURED = ("qps_1", "qps_16", "p50_ms", "p95_ms", "put_p50_ms", "recall")
COMPARED = ("qps_1", "qps_16")
KEYS = (
    *(f"{name}_{key}" for name in CONTENDERS for key in MEASURED),
    *(f"{REFERENCE}_over_{peer}_{key}" for peer in PEERS for key in COMPARED),
)
HEADINGS = {
    "p50_ms": "p50 ms",
    "p95_ms": "p95 ms",
    "qps_1": "calls/s, 1 caller",
    "qps_16": "calls/s, 16 callers",
    "put_p50_ms": "put p50 ms",
    "recall": "recall@10",
}
GOALS = {"langgraph": 20.0, "chroma": 20.0, "mem0": 3.0}


def ratios(figures: Figures) -> dict[str, Figure]:
    """How many times as many calls per second as each peer, round by round."""
    found = {}
    for peer in PEERS:
        for key in COMPARED:
            ours, theirs = figures.get(f"{REFERENCE}_{key}"), figures.get(f"{peer}_{key}")
            if ours and theirs:
                found[f"{REFERENCE}_over_{peer}_{key}"] = ours.over(theirs)
    return found


def verdicts(figures: Figures) -> list[Verdict]:
    """Every goal; `figures` hold the ratios, too."""
    told = []
    for peer, least in GOALS.items():
        ratio = figures.get(f"{REFERENCE}_over_{peer}_qps_16")
        what = f"Camillo / {CONTENDERS[peer].title}, calls/s of 16 callers"
        told.append(bound(what, ratio.median if ratio else None, least=least, unit="x"))
    return told


def contenders_table(figures: Figures) -> Table:
    """A row for each contender, medians over the rounds."""
    table = Table(title="Ten nearest of the same memories", title_justify="left")
    table.add_column("contender")
    for heading in HEADINGS.values():
        table.add_column(heading, justify="right")
    for name, contender in CONTENDERS.items():
        told = [figures.get(f"{name}_{key}") for key in HEADINGS]
        table.add_row(contender.title, *(_median(figure) for figure in told))
    return table


def _median(figure: Figure | None) -> str:
    if figure is None:
        return "-"
    return f"{figure.median:,.0f}" if figure.median >= 100 else f"{figure.median:.2f}"
