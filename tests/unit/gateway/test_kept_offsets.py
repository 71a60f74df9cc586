"""The offset of a time in JSON says where it is asked."""

import json

from camillo.v1.memory_service_pb2 import BatchRecallRequest, RecallRequest
from camillo_server.doors.gateway.http_requests import keep_offset
from google.protobuf import json_format

from tests.cases import each_case

MOMENT = "2026-11-20T08:00:00"


def read(body: str, message: RecallRequest | BatchRecallRequest) -> None:
    json_format.Parse(body, message)
    keep_offset(json.loads(body), message)


@each_case(
    ("fields", "zone"),
    [
        ({"queryTime": f"{MOMENT}+11:00"}, "+11:00"),
        ({"query_time": f"{MOMENT}.5-03:30"}, "-03:30"),
        ({"queryTime": f"{MOMENT}+11:00", "timeZone": "Asia/Tokyo"}, "Asia/Tokyo"),
        ({"queryTime": f"{MOMENT}Z"}, ""),
        ({"asOf": f"{MOMENT}+11:00"}, ""),
        ({"text": f'"queryTime": "{MOMENT}+11:00"'}, ""),
    ],
)
def test_an_offset_is_the_zone_where_none_is_named(fields: dict[str, str], zone: str) -> None:
    message = RecallRequest()
    read(json.dumps(fields), message)
    assert message.time_zone == zone


def test_each_recall_of_a_batch_has_its_own() -> None:
    times = (f"{MOMENT}+05:45", f"{MOMENT}Z")
    message = BatchRecallRequest()
    read(json.dumps({"requests": [{"queryTime": each} for each in times]}), message)
    assert [each.time_zone for each in message.requests] == ["+05:45", ""]
