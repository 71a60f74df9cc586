"""How large a request may be: no smaller than one that keeps every limit, and small where little is asked."""

import json

from camillo.v1 import memory_service_pb2 as service
from camillo.v1.event_service_pb2 import RecordEventRequest
from camillo_server.doors.rpc.field_limits import limit_of
from camillo_server.doors.rpc.request_sizes import MIN_BYTES, max_request_bytes
from google.protobuf.struct_pb2 import Struct

from tests.cases import each_case
from tests.rpc.test_random_requests import METHODS

MANY = {
    *("BatchRemember", "ImportMemories", "BatchRecall", "BatchRecordEvents", "BuildWorkingMemory"),
    *("BatchSetMemory", "VerifyAudit"),
}
LONG = {"PutArtifact", "PublishDocument", "OffloadOutput", "RecordEvent", "AppendRun", "EndRun"}


def test_only_lists_of_records_and_long_texts_may_be_large() -> None:
    large = {method.name for method in METHODS if max_request_bytes(method.input_type) > 2 * 1024 * 1024}
    assert large == MANY | LONG


@each_case("text", ["9", "{}", "[]", '""', "true", "null", "[[]]", "0.5", "[1,1]"])
def test_an_object_fits_whatever_it_is_full_of(text: str) -> None:
    limit = limit_of(type(RecordEventRequest().event), "json").bytes.max
    value = json.loads(text)
    values = [value] * (limit // (len(text) + 1) - 10)
    request = RecordEventRequest()
    request.event.json.update({"a": values})
    assert len(json.dumps({"a": values}, separators=(",", ":"))) <= limit
    assert request.ByteSize() <= max_request_bytes(RecordEventRequest.DESCRIPTOR)


def test_the_largest_memory_fits() -> None:
    request = service.RememberRequest(
        memory={
            "content": "𝄞" * 2_000,
            "tags": ["𝄞" * 128] * 64,
            "source_refs": ["𝄞" * 256] * 64,
            "vector": {"values": [0.5] * 4096},
        }
    )
    metadata = Struct()
    metadata.update({f"{number:0>128}": "𝄞" * 30 for number in range(64)})
    request.memory.metadata.CopyFrom(metadata)
    assert request.ByteSize() > MIN_BYTES
    assert request.ByteSize() < max_request_bytes(request.DESCRIPTOR)
