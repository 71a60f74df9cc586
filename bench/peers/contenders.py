"""Who is compared, in what each of them runs, and what the figures are called: keys, ratios, the table, goals."""

from collections.abc import Mapping
from dataclasses import dataclass

from rich.table import Table

from bench.measure.report import Goal
from bench.measure.timing import Figure

REFERENCE = "camillo"


@dataclass(frozen=True, slots=True)
class Contender:
    """A store of memories; `module` has its `opened` and names its `PACKAGES`."""

    name: str
    module: str
    title: str
    # Ours run in the server's own environment, peers in theirs: they need other versions of the same packages.
    is_ours: bool = False
    needs_database: bool = False
    # Whether several client processes may use one store of it.
    has_processes: bool = True


CONTENDERS = {
    contender.name: contender
    for contender in (
        Contender("camillo", f"{__package__}.camillo_stubs", "Camillo, gRPC stubs", is_ours=True),
        Contender(
            "camillo_client",
            f"{__package__}.camillo_library",
            "Camillo, its Python client",
            is_ours=True,
        ),
        Contender(
            "langgraph",
            f"{__package__}.langgraph_store",
            "LangGraph AsyncPostgresStore",
            needs_database=True,
        ),
        Contender("mem0", f"{__package__}.mem0_memory", "mem0 AsyncMemory, pgvector", needs_database=True),
        Contender("chroma", f"{__package__}.chroma_server", "Chroma server"),
        Contender(
            "qdrant_local",
            f"{__package__}.qdrant_local",
            "Qdrant local client",
            has_processes=False,
        ),
    )
}
PEERS = tuple(name for name, contender in CONTENDERS.items() if not contender.is_ours)
Figures = Mapping[str, Figure]

MEASURED = (
    *("qps_1", "qps_16", "p50_ms", "p95_ms", "p50_16_ms", "p95_16_ms"),
    *("put_p50_ms", "put_p95_ms", "bundle_p50_ms", "bundle_p95_ms", "recall"),
)
COMPARED = ("qps_1", "qps_16")
KEYS = (
    *(f"{name}_{key}" for name in CONTENDERS for key in MEASURED),
    *(f"{REFERENCE}_over_{peer}_{key}" for peer in PEERS for key in COMPARED),
)
HEADINGS = {
    "p50, p95 ms": ("p50_ms", "p95_ms"),
    "calls/s, 1 caller": ("qps_1",),
    "calls/s, 16 callers": ("qps_16",),
    "their p50, p95 ms": ("p50_16_ms", "p95_16_ms"),
    "put p50, p95 ms": ("put_p50_ms", "put_p95_ms"),
    "bundle p50, p95 ms": ("bundle_p50_ms", "bundle_p95_ms"),
    "recall@10": ("recall",),
}
# With 16 callers, half an echo's calls per second would be these multiples of theirs.
GOALS = tuple(
    Goal(
        f"Camillo / {CONTENDERS[peer].title}, calls/s of {callers}",
        f"{REFERENCE}_over_{peer}_{key}",
        least=least,
        unit="x",
    )
    for key, callers, goals in (
        ("qps_16", "16 callers", {"langgraph": 4.5, "mem0": 3.2, "chroma": 3.0}),
        ("qps_1", "one caller", dict.fromkeys(("langgraph", "mem0", "chroma"), 3.5)),
    )
    for peer, least in goals.items()
)


def ratios(figures: Figures) -> dict[str, Figure]:
    """How many times as many calls per second as each peer, round by round."""
    found = {}
    for peer in PEERS:
        for key in COMPARED:
            ours, theirs = figures.get(f"{REFERENCE}_{key}"), figures.get(f"{peer}_{key}")
            if ours and theirs:
                found[f"{REFERENCE}_over_{peer}_{key}"] = ours.over(theirs)
    return found


def contenders_table(figures: Figures) -> Table:
    """A row for each contender, medians over the rounds."""
    table = Table(title="Ten nearest of the same memories", title_justify="left")
    table.add_column("contender", no_wrap=True)
    for heading in HEADINGS:
        table.add_column(heading, justify="right")
    for name, contender in CONTENDERS.items():
        cells = (" / ".join(_median(figures.get(f"{name}_{key}")) for key in keys) for keys in HEADINGS.values())
        table.add_row(contender.title, *cells)
    return table


def _median(figure: Figure | None) -> str:
    if figure is None:
        return "-"
    return f"{figure.median:,.0f}" if figure.median >= 100 else f"{figure.median:.2f}"
