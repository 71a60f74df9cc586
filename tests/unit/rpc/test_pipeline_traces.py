"""Traces of calls: only who has a credential says which are recorded."""

import grpc
import pytest
from camillo.v1 import artifact_service_pb2 as service
from camillo_server.settings.sections import ServerSettings
from camillo_server.telemetry.instruments import Instruments
from camillo_server.telemetry.tracing import tracing_to
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from tests.unit.rpc.counting_service import counting_service, serving

SAMPLED = (("traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"),)
REQUEST = service.GetUploadRequest(upload_id="0198c0de-0000-7000-8000-000000000001")


async def test_a_caller_without_a_credential_has_nothing_recorded() -> None:
    exporter, counting = InMemorySpanExporter(), counting_service()
    tracing = tracing_to(SimpleSpanProcessor(exporter), 0.0, Resource.create())
    async with serving(counting, ServerSettings(), Instruments(), tracing) as stub:
        await stub.GetUpload(REQUEST, metadata=SAMPLED, timeout=30)
        assert len(exporter.get_finished_spans()) == 1
        counting.key.is_revoked = True
        with pytest.raises(grpc.aio.AioRpcError) as error:
            await stub.GetUpload(REQUEST, metadata=SAMPLED, timeout=30)
        assert error.value.code() is grpc.StatusCode.UNAUTHENTICATED
    assert len(exporter.get_finished_spans()) == 1
