"""The goals of recall, judged by what was measured."""

from collections.abc import Mapping, Sequence

from bench.measure.report import Goal, Verdict, bound, median, ratio
from bench.measure.servers import DIMENSIONS
from bench.measure.timing import Figure

# A round of the same call differs from the next by this much.
NOISE = 1.05
BYTES_A_NUMBER = 2
Figures = Mapping[str, Figure]

ECHO, ECHO_QPS = "10k.echo_p50_ms", "10k.echo_qps_16"
LATENCIES = (
    Goal("10k by vector / echo, p50", "10k.recall_vector_p50_ms", over=ECHO, most=1.6, unit="x"),
    Goal(
        "the same by 16 callers, calls/s",
        "10k.recall_vector_qps_16",
        over=ECHO_QPS,
        least=0.5,
        unit="x",
    ),
    Goal(
        "a repeated text / echo, p50",
        "10k.recall_text_repeat_p50_ms",
        over=ECHO,
        most=1.7,
        unit="x",
    ),
)
LARGE = (
    Goal("100k by vector, p95", "100k.recall_vector_p95_ms", most=6, unit="ms"),
    Goal("100k, growth of the process / what the cache counts", "100k.rss_over_counted", most=1.3, unit="x"),
    Goal("1M by vector, p95", "1M.recall_vector_p95_ms", most=15, unit="ms"),
    Goal("1M, of the exact ten", "1M.recall_at_10", least=0.98),
    Goal("cold 10k, first answer", "10k.cold_first_ms", most=30, unit="ms"),
    Goal("cold 10k, loaded", "10k.load_ms", most=200, unit="ms"),
    Goal("cold 1M, loaded", "1M.load_ms", most=60_000, unit="ms"),
    *(
        Goal(f"calls beside / calls before, {name}", f"1M.load_slowdown_{name}", most=2, unit="x")
        for name in ("p50", "p95", "max")
    ),
)
WRITES = (
    Goal("own write, found at its revision", "own_write_visible_share", least=1),
    Goal("write visible in another server, p95", "replica_visible_p95_ms", most=20, unit="ms"),
    Goal(
        "Remember by text / (2.5 x echo + 1.5 ms), p50",
        "remember_text_of_allowed",
        most=1,
        unit="x",
    ),
)


def named(size: str, name: str) -> str:
    """The name of a figure of one size."""
    return f"{size}.{name}"


def verdicts(figures: Figures, sizes: Sequence[str]) -> list[Verdict]:
    """Every goal, with what was measured of it."""
    added = difference(figures, "10k.recall_text_p50_ms", ECHO)
    embedded = difference(figures, "10k.recall_text_p50_ms", "10k.recall_vector_p50_ms")
    alone = median(figures, "10k.embedding_p50_ms")
    return [
        *(goal.verdict(figures) for goal in LATENCIES),
        bound("10k by text - echo, p50", added, most=2, unit="ms"),
        bound("10k (by text - by vector) / embedding", _over(embedded, alone), most=1.3, unit="x"),
        *(goal.verdict(figures) for goal in LARGE),
        *(verdict for size in sizes for verdict in _of_size(figures, size)),
        *(goal.verdict(figures) for goal in WRITES),
    ]


def _of_size(figures: Figures, size: str) -> list[Verdict]:
    slower = ratio(figures, named(size, "filtered_p50_ms"), named(size, "recall_vector_p50_ms"))
    exact = median(figures, named(size, "recall_at_10"))
    found = median(figures, named(size, "filtered_recall_at_10"))
    counted = median(figures, named(size, "bytes_per_memory"))
    grown = median(figures, named(size, "rss_bytes_per_memory"))
    allowed = _allowed_bytes(figures, size)
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


def _allowed_bytes(figures: Figures, size: str) -> float | None:
    """The bytes that a memory's vector (two bytes a number) and its text take by themselves."""
    text_bytes = median(figures, named(size, "text_bytes_per_memory"))
    return None if text_bytes is None else BYTES_A_NUMBER * DIMENSIONS + text_bytes


def difference(figures: Figures, name: str, less: str) -> float | None:
    """Round by round; None where one of them was not measured."""
    if name not in figures or less not in figures:
        return None
    pairs = zip(figures[name].rounds, figures[less].rounds, strict=True)
    return Figure(tuple(mine - theirs for mine, theirs in pairs)).median


def _over(value: float | None, of: float | None) -> float | None:
    return None if value is None or of is None else value / of
