"""Long texts are read at once; many values in lists and JSON are read in a thread."""

from typing import Any

import pytest
from camillo.v1 import memory_service_pb2 as service
from camillo.v1.event_service_pb2 import BatchRecordEventsRequest, RecordEventRequest
from camillo_server.doors.rpc.call import reading_cost
from camillo_server.kernel.off_loop import fits_loop
from google.protobuf.struct_pb2 import Struct

TEXT = "漢字 שלום 👋🏽 " * 3_000


def json_of(count: int) -> Struct:
    struct = Struct()
    struct.update({"values": [True, None, "茶"] * count})
    return struct


@pytest.mark.parametrize(
    "request_",
    [
        service.RecallRequest(text=TEXT),
        service.RecallRequest(vector={"values": [0.5] * 20_000}),
        RecordEventRequest(event={"text": TEXT, "tags": ["drinks"]}),
        RecordEventRequest(event={"json": json_of(100)}),
        service.BatchRememberRequest(memories=[{"content": "茶"}] * 500),
    ],
)
def test_long_texts_and_few_values_fit_the_loop(request_: Any) -> None:
    assert fits_loop(reading_cost(request_))


@pytest.mark.parametrize(
    "request_",
    [
        service.RecallRequest(text=TEXT * 4),
        RecordEventRequest(event={"json": json_of(1_000)}),
        BatchRecordEventsRequest(events=[{"json": json_of(10)}] * 100),
        service.BatchRememberRequest(memories=[{"content": "Ada prefers tea 茶"}] * 1_000),
    ],
)
def test_what_takes_long_does_not(request_: Any) -> None:
    assert not fits_loop(reading_cost(request_))
