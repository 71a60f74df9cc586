"""Metrics of the indexes in memory, as a collector sees them."""

from camillo_server.settings.settings import TelemetrySettings
from camillo_server.telemetry.instruments import IndexUse, Instruments
from camillo_server.telemetry.tracing import start_telemetry

from tests.ports import free_port
from tests.unit.telemetry.test_metrics_export import scraped

USE = IndexUse(scopes=3, bytes_held=4_000, max_bytes=9_000, hits=70, misses=11, loads=5, failures=2, evictions=1)


def seen(use: IndexUse | None, loads: tuple[float, ...] = (), lags: tuple[float, ...] = ()) -> str:
    """Metrics as Prometheus reads them."""
    telemetry = start_telemetry(TelemetrySettings(prometheus_port=free_port()))
    assert telemetry.prometheus_port is not None
    figures = telemetry.instruments
    figures.indexes = None if use is None else lambda: use
    for seconds in loads:
        figures.record_index_load(seconds)
    for seconds in lags:
        figures.record_index_lag(seconds)
    try:
        return "\n".join(scraped(telemetry.prometheus_port))
    finally:
        telemetry.stop()


def test_residency_use_and_fate_of_indexes_are_told() -> None:
    lines = seen(USE).splitlines()
    assert 'camillo_index_scopes{kind="held"} 3.0' in lines
    assert 'camillo_index_memory_bytes{kind="held"} 4000.0' in lines
    assert 'camillo_index_memory_bytes{kind="budget"} 9000.0' in lines
    assert 'camillo_index_lookups_total{kind="hit"} 70.0' in lines
    assert 'camillo_index_lookups_total{kind="miss"} 11.0' in lines
    assert 'camillo_index_events_total{kind="load"} 5.0' in lines
    assert 'camillo_index_events_total{kind="eviction"} 1.0' in lines
    assert 'camillo_index_events_total{kind="failure"} 2.0' in lines


def test_loads_and_lags_are_told_by_how_long_they_took() -> None:
    lines = seen(None, loads=(0.02, 0.2, 90.0), lags=(0.001, 0.3)).splitlines()
    load, lag = "camillo_index_load_seconds", "camillo_index_lag_seconds"
    assert [line for line in lines if line.startswith(load) and "_bucket" not in line] == [
        f"{load}_count 3.0",
        f"{load}_sum 90.22",
    ]
    assert f"# TYPE {load} histogram" in lines
    for bound, count in (("0.01", 0), ("0.025", 1), ("0.25", 2), ("60.0", 2), ("+Inf", 3)):
        assert f'{load}_bucket{{le="{bound}"}} {count}.0' in lines
    for bound, count in (("0.001", 1), ("0.25", 1), ("0.5", 2), ("2.5", 2), ("+Inf", 2)):
        assert f'{lag}_bucket{{le="{bound}"}} {count}.0' in lines
    assert f"{lag}_sum 0.301" in lines


def test_without_indexes_nothing_is_told_of_them() -> None:
    assert "camillo_index" in seen(USE)
    told = seen(None)
    assert "camillo_request_in_flight" in told
    assert not any(line.startswith("camillo_index") for line in told.splitlines())


def test_each_record_is_counted_in_its_own_distribution() -> None:
    instruments = Instruments()
    instruments.record_index_load(2.0)
    instruments.record_index_lag(0.5)
    instruments.record_index_lag(0.25)
    assert (instruments.index_load_seconds.total, sum(instruments.index_load_seconds.counts)) == (2.0, 1)
    assert (instruments.index_lag_seconds.total, sum(instruments.index_lag_seconds.counts)) == (0.75, 2)
    assert sum(instruments.loop_lag_seconds.counts) == 0
