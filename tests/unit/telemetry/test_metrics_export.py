"""Metrics as a collector sees them, over HTTP and by push."""

import urllib.error
import urllib.request

import pytest
from camillo_server.models.embedding.spend import UsedTotals
from camillo_server.settings.settings import TelemetrySettings
from camillo_server.telemetry.instruments import Instruments, JobFigures, PoolUse, ProviderUse, QueryCacheUse
from camillo_server.telemetry.metrics_export import HistogramSource, PushReader, register
from camillo_server.telemetry.tracing import start_telemetry
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import Histogram, MetricExporter, MetricExportResult, MetricsData
from opentelemetry.sdk.resources import Resource

from tests.patience import PATIENCE_SECONDS
from tests.ports import free_port


def scraped(port: int) -> list[str]:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=PATIENCE_SECONDS) as response:
        return str(response.read(), "utf-8").splitlines()


def test_prometheus_sees_every_figure() -> None:
    telemetry = start_telemetry(TelemetrySettings(prometheus_port=free_port()))
    port = telemetry.prometheus_port
    assert port is not None
    figures = telemetry.instruments
    figures.record_request("/s/Get", "OK", 0.0006)
    figures.record_request("/s/Get", "OK", 20.0)
    figures.in_flight = 3
    figures.record_rejection("overloaded")
    figures.record_embedding_failure("timeout")
    figures.record_loop_lag(0.002)
    figures.backlog = lambda: 7
    figures.pool = lambda: PoolUse(size=8, idle=5, waiting=1)
    figures.jobs = lambda: [JobFigures("embed_scope", 4, 2, 1, 12.5)]
    figures.query_cache = lambda: QueryCacheUse(hits=5, joined=1, misses=3, size_bytes=4096)
    figures.provider = lambda: ProviderUse({"ok": 4, "timeout": 2}, 900, 0.25, "half_open")
    figures.token_uses.models = lambda: {("judging", "litellm-m"): UsedTotals(1, 40, 2, 500_000_000)}
    figures.token_uses.context = lambda: {("bundle", "mcp"): 80}
    try:
        lines = scraped(port)
    finally:
        telemetry.stop()
    duration = 'camillo_request_duration_seconds_bucket{code="OK",le="%s",method="/s/Get"} %s'
    assert duration % ("0.0005", "0.0") in lines
    assert duration % ("0.001", "1.0") in lines
    assert duration % ("10.0", "1.0") in lines
    assert duration % ("+Inf", "2.0") in lines
    assert 'camillo_request_duration_seconds_sum{code="OK",method="/s/Get"} 20.0006' in lines
    assert "camillo_request_in_flight 3.0" in lines
    assert 'camillo_request_rejected_total{reason="overloaded"} 1.0' in lines
    assert 'camillo_embedding_failures_total{reason="timeout"} 1.0' in lines
    assert "camillo_event_loop_lag_seconds_count 1.0" in lines
    assert "camillo_embedding_backlog 7.0" in lines
    assert 'camillo_pool_connections{state="busy"} 3.0' in lines
    assert 'camillo_pool_connections{state="waiting"} 1.0' in lines
    assert 'camillo_jobs{state="waiting",task="embed_scope"} 4.0' in lines
    assert 'camillo_jobs{state="running",task="embed_scope"} 2.0' in lines
    assert 'camillo_jobs{state="dead",task="embed_scope"} 1.0' in lines
    assert 'camillo_jobs_oldest_waiting_seconds{task="embed_scope"} 12.5' in lines
    assert 'camillo_embedding_query_cache_lookups_total{result="hit"} 5.0' in lines
    assert 'camillo_embedding_query_cache_lookups_total{result="joined"} 1.0' in lines
    assert 'camillo_embedding_query_cache_lookups_total{result="miss"} 3.0' in lines
    assert "camillo_embedding_query_cache_size_bytes 4096.0" in lines
    assert 'camillo_embedding_provider_calls_total{outcome="timeout"} 2.0' in lines
    assert "camillo_embedding_provider_tokens_total 900.0" in lines
    assert "camillo_embedding_provider_spend_USD_total 0.25" in lines
    assert 'camillo_embedding_provider_breaker{state="half_open"} 1.0' in lines
    assert 'camillo_embedding_provider_breaker{state="open"} 0.0' in lines
    assert 'camillo_model_requests_total{model="litellm-m",operation="judging"} 1.0' in lines
    assert 'camillo_model_tokens_total{direction="input",model="litellm-m",operation="judging"} 40.0' in lines
    assert 'camillo_model_tokens_total{direction="output",model="litellm-m",operation="judging"} 2.0' in lines
    assert 'camillo_model_spend_USD_total{model="litellm-m",operation="judging"} 0.5' in lines
    assert 'camillo_context_tokens_total{door="mcp",operation="bundle"} 80.0' in lines


def test_without_a_provider_that_costs_money_nothing_is_told_of_one() -> None:
    telemetry = start_telemetry(TelemetrySettings(prometheus_port=free_port()))
    assert telemetry.prometheus_port is not None
    telemetry.instruments.provider = lambda: None
    try:
        lines = scraped(telemetry.prometheus_port)
    finally:
        telemetry.stop()
    assert any("camillo_request_in_flight" in line for line in lines)
    assert not any(line.startswith("camillo_embedding_provider") for line in lines)


def test_a_second_look_sees_totals_and_not_differences() -> None:
    telemetry = start_telemetry(TelemetrySettings(prometheus_port=free_port()))
    assert telemetry.prometheus_port is not None
    try:
        for count in (1, 2):
            telemetry.instruments.record_request("/s/Get", "OK", 0.5)
            line = f'camillo_request_duration_seconds_count{{code="OK",method="/s/Get"}} {count}.0'
            assert line in scraped(telemetry.prometheus_port)
    finally:
        telemetry.stop()


def test_a_figure_that_cannot_be_read_does_not_hide_the_others() -> None:
    telemetry = start_telemetry(TelemetrySettings(prometheus_port=free_port()))
    assert telemetry.prometheus_port is not None

    def broken() -> int:
        raise RuntimeError("the pool is closed")

    telemetry.instruments.backlog = broken
    try:
        lines = scraped(telemetry.prometheus_port)
    finally:
        telemetry.stop()
    assert "camillo_request_in_flight 0.0" in lines
    assert not any(line.startswith("camillo_embedding_backlog ") for line in lines)


def test_stopping_closes_the_port() -> None:
    telemetry = start_telemetry(TelemetrySettings(prometheus_port=free_port()))
    assert telemetry.prometheus_port is not None
    assert scraped(telemetry.prometheus_port)
    telemetry.stop()
    with pytest.raises(urllib.error.URLError):
        scraped(telemetry.prometheus_port)


def test_each_worker_has_a_port_of_its_own() -> None:
    first = free_port()
    telemetry = start_telemetry(TelemetrySettings(prometheus_port=first), worker=0)
    other = start_telemetry(TelemetrySettings(prometheus_port=first), worker=1)
    try:
        assert (telemetry.prometheus_port, other.prometheus_port) == (first, first + 1)
    finally:
        telemetry.stop()
        other.stop()


@pytest.mark.parametrize("port", [None, 0])
def test_without_a_port_nothing_listens_and_figures_are_still_counted(port: int | None) -> None:
    telemetry = start_telemetry(TelemetrySettings(prometheus_port=port))
    assert telemetry.prometheus_port is None
    assert not telemetry.tracing.enabled
    telemetry.instruments.record_request("/s/Get", "OK", 0.5)
    telemetry.stop()


class KeptExports(MetricExporter):
    """An exporter that keeps what it is given."""

    def __init__(self) -> None:
        super().__init__()
        self.exported: list[MetricsData] = []

    def export(self, metrics_data: MetricsData, timeout_millis: float = 10_000, **kwargs: object) -> MetricExportResult:
        self.exported.append(metrics_data)
        return MetricExportResult.SUCCESS

    def force_flush(self, timeout_millis: float = 10_000) -> bool:
        return True

    def shutdown(self, timeout_millis: float = 30_000, **kwargs: object) -> None:
        pass


def test_a_push_carries_the_histograms_beside_what_the_sdk_collected() -> None:
    instruments, exporter = Instruments(), KeptExports()
    resource = Resource.create({"service.name": "camillo"})
    reader = PushReader(HistogramSource(instruments, resource), exporter, interval_seconds=3600)
    provider = MeterProvider([reader], resource, shutdown_on_exit=False)
    register(instruments, provider.get_meter("camillo"))
    instruments.record_request("/s/Get", "OK", 0.5)
    provider.force_flush()
    provider.shutdown()
    metrics = {
        metric.name: metric
        for resource_metrics in exporter.exported[0].resource_metrics
        for scope_metrics in resource_metrics.scope_metrics
        for metric in scope_metrics.metrics
    }
    assert "camillo.request.in_flight" in metrics
    assert "camillo.event_loop.lag" not in metrics
    durations = metrics["camillo.request.duration"].data
    assert isinstance(durations, Histogram)
    [point] = durations.data_points
    assert (point.count, point.sum, point.min, point.max) == (1, 0.5, 0.5, 0.5)
    assert point.attributes == {"method": "/s/Get", "code": "OK"}
