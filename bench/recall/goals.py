"""The goals of recall, judged by what was measured."""

from collections.abc import Mapping, Sequence

from bench.measure.report import Verdict, bound
from bench.measure.servers import DIMENSIONS
from bench.measure.timing import Figure

# A round of the same call differs from the next by this much.
NOISE = 1.05
BYTES_A_NUMBER = 2
Figures = Mapping[str, Figure]


def named(size: str, name: str) -> str:
    """The name of a figure of one size."""
    return f"{size}.{name}"


def verdicts(figures: Figures, sizes: Sequence[str]) -> list[Verdict]:
    """Every goal, with what was measured of it."""
    return [
        *_latencies(figures),
        *_large_scopes(figures),
        *_loading(figures),
        *(verdict for size in sizes for verdict in _of_size(figures, size)),
        *_writes(figures),
    ]


def _latencies(figures: Figures) -> list[Verdict]:
    vector, echo = "10k.recall_vector_p50_ms", "10k.echo_p50_ms"
    text, repeat = "10k.recall_text_p50_ms", "10k.recall_text_repeat_p50_ms"
    rates = "10k.recall_vector_qps_16", "10k.echo_qps_16"
    return [
        bound("10k by vector / echo, p50", ratio(figures, vector, echo), most=1.6, unit="x"),
        bound("the same by 16 callers, calls/s", ratio(figures, *rates), least=0.5, unit="x"),
        bound("10k by text - echo, p50", difference(figures, text, echo), most=2, unit="ms"),
        bound("a repeated text / echo, p50", ratio(figures, repeat, echo), most=1.7, unit="x"),
    ]


def _large_scopes(figures: Figures) -> list[Verdict]:
    p95, exact = "recall_vector_p95_ms", "recall_at_10"
    return [
        bound("100k by vector, p95", median(figures, f"100k.{p95}"), most=6, unit="ms"),
        bound("1M by vector, p95", median(figures, f"1M.{p95}"), most=15, unit="ms"),
        bound("1M, of the exact ten", median(figures, f"1M.{exact}"), least=0.98),
    ]


def _loading(figures: Figures) -> list[Verdict]:
    seconds = median(figures, "1M.load_ms")
    return [
        bound("cold 10k, first answer", median(figures, "10k.cold_first_ms"), most=30, unit="ms"),
        bound("cold 10k, loaded", median(figures, "10k.load_ms"), most=200, unit="ms"),
        bound("cold 1M, loaded", seconds and seconds / 1000, most=60, unit="s"),
        *(
            bound(
                f"calls beside / calls before, {name}",
                median(figures, f"1M.load_slowdown_{name}"),
                most=2,
                unit="x",
            )
            for name in ("p50", "p95", "max")
        ),
    ]


def _of_size(figures: Figures, size: str) -> list[Verdict]:
    def name(figure: str) -> str:
        return named(size, figure)

    slower = ratio(figures, name("filtered_p50_ms"), name("recall_vector_p50_ms"))
    exact = median(figures, name("recall_at_10"))
    found = median(figures, name("filtered_recall_at_10"))
    counted, grown = (
        median(figures, name(figure)) for figure in ("bytes_per_memory", "rss_bytes_per_memory")
    )
    allowed = allowed_bytes(figures, size)
    return [
        bound(f"{size}: filter of 1% / without, p50", slower, most=NOISE, unit="x"),
        bound(f"{size}: of the exact ten under the filter", found, least=min(exact or 1, 1)),
        bound(f"{size}: bytes / (vector + text)", _over(counted, allowed), most=1.5, unit="x"),
        bound(
            f"{size}: growth of the process / (vector + text)",
            _over(grown, allowed),
            most=1.5,
            unit="x",
        ),
    ]


def _writes(figures: Figures) -> list[Verdict]:
    return [
        bound(
            "own write, found at its revision", median(figures, "own_write_visible_share"), least=1
        ),
        bound(
            "write visible in another server, p95",
            median(figures, "replica_visible_p95_ms"),
            most=20,
            unit="ms",
        ),
        bound(
            "Remember by text / (2.5 x echo + 1.5 ms), p50",
            median(figures, "remember_text_of_allowed"),
            most=1,
            unit="x",
        ),
    ]


def allowed_bytes(figures: Figures, size: str) -> float | None:
    """What a memory's vector, of two bytes a number, and its text take by themselves."""
    text_bytes = median(figures, named(size, "text_bytes_per_memory"))
    return None if text_bytes is None else BYTES_A_NUMBER * DIMENSIONS + text_bytes


def median(figures: Figures, name: str) -> float | None:
    """None where it was not measured."""
    return figures[name].median if name in figures else None


def ratio(figures: Figures, name: str, of: str) -> float | None:
    """Round by round; None where one of them was not measured."""
    both = name in figures and of in figures
    return figures[name].over(figures[of]).median if both else None


def difference(figures: Figures, name: str, less: str) -> float | None:
    """Round by round; None where one of them was not measured."""
    if name not in figures or less not in figures:
        return None
    pairs = zip(figures[name].rounds, figures[less].rounds, strict=True)
    return Figure(tuple(mine - theirs for mine, theirs in pairs)).median


def _over(value: float | None, of: float | None) -> float | None:
    return None if value is None or of is None else value / of
