"""docs/configuration.md tells of every setting and every figure there is, and of no other."""

import re
from pathlib import Path

from camillo_server.models.embedding.spend import UsedTotals
from camillo_server.settings.settings import describe_settings, load_settings
from camillo_server.telemetry.instruments import IndexUse, Instruments, JobFigures, PoolUse, ProviderUse, QueryCacheUse
from camillo_server.telemetry.metrics_export import HistogramSource, PushReader, register
from camillo_server.telemetry.spool import SpoolUse
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import Histogram, Metric
from opentelemetry.sdk.resources import Resource

from tests.unit.telemetry.test_metrics_export import KeptExports

DOCUMENT = Path(__file__).parents[2] / "docs/configuration.md"


def rows(heading: str) -> list[list[str]]:
    """The cells of the rows under a table's heading."""
    lines = DOCUMENT.read_text().splitlines()
    begin = next(number for number, line in enumerate(lines) if line.startswith(heading)) + 2
    found = []
    for line in lines[begin:]:
        if not line.startswith("|"):
            break
        found.append([cell.strip() for cell in line.strip("|").split("|")])
    return found


def test_every_setting_is_told_with_its_variable() -> None:
    told = [(path.strip("`"), variable.strip("`")) for path, _, variable, _ in rows("| path |")]
    settings = describe_settings(load_settings(None, {}, {}))
    assert sorted(told) == sorted((path, variable) for path, _, variable in settings)


def test_every_figure_is_told_with_its_unit_and_attributes() -> None:
    told = {
        name.strip("`"): (kind, sorted(re.findall("`([a-z]+)`", attributes)))
        for name, kind, attributes, _ in rows("| name | kind |")
    }
    assert told == {metric.name: (_kind(metric), _keys(metric)) for metric in collected()}


def collected() -> list[Metric]:
    """Every figure, each with some value."""
    instruments, exporter = Instruments(in_flight=1), KeptExports()
    instruments.record_request("/s/Get", "OK", 0.5)
    instruments.record_rejection("overloaded")
    instruments.record_embedding_failure("timeout")
    instruments.value_refusals["MemoryService.Remember"] += 1
    instruments.unentered_audits["refusal"] += 1
    instruments.record_vector_fault("recall")
    instruments.record_reranking("ok")
    instruments.record_judged("cached", 2)
    instruments.database_faults = lambda: {"damaged": 1}
    instruments.record_loop_lag(0.5)
    instruments.record_index_load(0.5)
    instruments.record_index_lag(0.5)
    instruments.backlog = lambda: 1
    instruments.pool = lambda: PoolUse(1, 1, 1)
    instruments.jobs = lambda: [JobFigures("embed_scope", 1, 1, 1, 1.0)]
    instruments.query_cache = lambda: QueryCacheUse(1, 1, 1, 1)
    instruments.provider = lambda: ProviderUse({"ok": 1}, 1, 1.0, "open")
    instruments.token_uses.models = lambda: {("judging", "m"): UsedTotals(1, 1, 1, 1)}
    instruments.token_uses.context = lambda: {("bundle", "grpc"): 1}
    instruments.spool = lambda: SpoolUse(1, 1, 1, 1.0)
    instruments.spool_counts.failed["QUOTA_EXCEEDED"] += 1
    instruments.indexes = lambda: IndexUse(1, 1, 1, 1, 1, 1, 1, 1)
    resource = Resource.create({"service.name": "camillo"})
    reader = PushReader(HistogramSource(instruments, resource), exporter, interval_seconds=3600)
    provider = MeterProvider([reader], resource, shutdown_on_exit=False)
    register(instruments, provider.get_meter("camillo"))
    provider.force_flush()
    provider.shutdown()
    return [
        metric
        for resource_metrics in exporter.exported[0].resource_metrics
        for scope_metrics in resource_metrics.scope_metrics
        for metric in scope_metrics.metrics
    ]


def _keys(metric: Metric) -> list[str]:
    return sorted({key for point in metric.data.data_points for key in point.attributes or ()})


def _kind(metric: Metric) -> str:
    unit = f", {metric.unit}" if metric.unit else ""
    if isinstance(metric.data, Histogram):
        return f"histogram{unit}"
    # A sum that only grows is a counter.
    return f"{'counter' if getattr(metric.data, 'is_monotonic', False) else 'gauge'}{unit}"
