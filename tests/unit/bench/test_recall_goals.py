"""The goals of recall."""

from bench.measure.report import Verdict
from bench.measure.timing import Figure
from bench.recall.__main__ import KEYS, by_size
from bench.recall.cold import ColdStart, Load, figures_of
from bench.recall.goals import verdicts


def judged(figures: dict[str, Figure], sizes: list[str]) -> dict[str, Verdict]:
    return {verdict.what: verdict for verdict in verdicts(figures, sizes)}


def test_ratios_are_taken_round_by_round() -> None:
    # The second round was slow for both.
    figures = {
        "10k.echo_p50_ms": Figure((0.5, 5.0, 0.5)),
        "10k.recall_vector_p50_ms": Figure((0.75, 7.5, 0.75)),
        "10k.recall_text_p50_ms": Figure((2.6, 7.1, 2.6)),
    }
    told = judged(figures, ["10k"])
    assert told["10k by vector / echo, p50"].measured == "1.5 x"
    assert told["10k by vector / echo, p50"].met is True
    assert told["10k by text - echo, p50"].met is False
    assert told["a repeated text / echo, p50"].met is None


def test_the_rate_has_to_reach_half_of_the_echo() -> None:
    figures = {"10k.echo_qps_16": Figure((1_000.0,)), "10k.recall_vector_qps_16": Figure((499.0,))}
    assert judged(figures, ["10k"])["the same by 16 callers, calls/s"].met is False


def test_bytes_are_judged_by_the_vector_and_the_text() -> None:
    figures = {
        "1k.text_bytes_per_memory": Figure((232.0,)),
        "1k.bytes_per_memory": Figure((1_500.0,)),
        "1k.rss_bytes_per_memory": Figure((1_501.0,)),
    }
    told = judged(figures, ["1k"])
    assert told["1k: bytes / (vector + text)"].met is True
    assert told["1k: growth of the process / (vector + text)"].met is False


def test_the_growth_of_the_process_is_told_over_what_its_own_load_counted() -> None:
    def start(load_ms: float | None, rss_bytes: float, cache_bytes: float | None) -> ColdStart:
        return ColdStart(Load(3.0, load_ms, rss_bytes, cache_bytes), [1.0], [1.5])

    # The second scope was evicted before it was asked for its bytes, the third never loaded.
    figures = figures_of([start(90.0, 2_600.0, 1_300.0), start(90.0, 1_500.0, None), start(None, 10.0, None)])
    assert figures["rss_over_counted"] == Figure((2.0,))
    of_size = {f"100k.{name}": figure for name, figure in figures.items()}
    assert by_size(of_size, ["100k"])["100k"]["rss_over_counted"] == 2.0  # type: ignore[index]
    assert judged(of_size, ["100k"])["100k, growth of the process / what the cache counts"].met is False
    assert "rss_over_counted" not in figures_of([start(90.0, 1_500.0, None)])


def test_a_filter_has_to_be_as_exact_as_the_search_without() -> None:
    figures = {"100k.recall_at_10": Figure((0.985,)), "100k.filtered_recall_at_10": Figure((0.98,))}
    name = "100k: of the exact ten under the filter"
    assert judged(figures, ["100k"])[name].met is False
    exact = figures | {"100k.filtered_recall_at_10": Figure((1.0,))}
    assert judged(exact, ["100k"])[name].met is True


def test_a_large_scope_may_not_slow_others_down_while_it_loads() -> None:
    figures = {
        "1M.load_ms": Figure((59_000.0,)),
        "1M.load_slowdown_p50": Figure((1.2,)),
        "1M.load_slowdown_p95": Figure((2.5,)),
    }
    told = judged(figures, ["1M"])
    assert told["cold 1M, loaded"].met is True
    assert told["calls beside / calls before, p50"].met is True
    assert told["calls beside / calls before, p95"].met is False
    assert told["calls beside / calls before, max"].met is None


def test_the_last_line_has_an_object_for_each_size() -> None:
    figures = {
        "1k.echo_p50_ms": Figure((1.0, 2.0, 3.0)),
        "1k.cache_share": Figure((1.0,)),
        "10k.cache_share": Figure((0.5,)),
        "replica_visible_p95_ms": Figure((7.0,)),
    }
    told = by_size(figures, ["1k", "10k", "100k"])
    of_1k, of_10k, of_100k = (told[size] for size in ("1k", "10k", "100k"))
    assert isinstance(of_1k, dict)
    assert isinstance(of_10k, dict)
    assert isinstance(of_100k, dict)
    assert set(KEYS) <= set(of_100k)
    assert of_1k["echo_p50_ms"] == 2.0
    assert [each["answered_by"] for each in (of_1k, of_10k, of_100k)] == ["CACHE", "BOTH", None]
    assert told["replica_visible_p95_ms"] == 7.0
