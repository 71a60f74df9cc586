"""Days begin and end in the time zone of whoever asks."""

from datetime import UTC, datetime
from typing import Any

import pytest
from camillo.v1 import memory_service_pb2 as service
from camillo.v1 import snapshot_service_pb2 as snapshots
from camillo.v1.recall_pb2 import TIME_MODE_ONLY

from tests.rpc.memories.calls import remember
from tests.server_fixtures import Server, refused

# 08:00 on the 20th in Sydney, and 16:00 on the 19th in New York.
ASKED = datetime(2026, 11, 19, 21, tzinfo=UTC)
# 19:00 on the 19th in Sydney: UTC's yesterday is the 18th.
DINNER = datetime(2026, 11, 19, 8, tzinfo=UTC)
ZONES = [
    ("Australia/Sydney", True),
    ("+11:00", True),
    ("", False),
    ("UTC", False),
    ("America/New_York", False),
    ("-05:00", False),
]


async def found(server: Server, **asked: Any) -> list[str]:
    request = service.RecallRequest(time_mode=TIME_MODE_ONLY, query_time=ASKED, limit=5, **asked)
    return [hit.memory.content for hit in (await server.alice(request)).hits]


@pytest.mark.parametrize(("zone", "is_yesterday"), ZONES)
@pytest.mark.parametrize("question", ["what did I do yesterday?", "昨天我做了什么？"])
async def test_yesterday_is_the_day_before_in_the_zone_of_the_request(
    server: Server, zone: str, is_yesterday: bool, question: str
) -> None:
    server.clock.move((ASKED - server.clock.now()).total_seconds())
    await remember(server.alice, "Dinner at the harbour 晚饭", occurred_at=DINNER)
    assert bool(await found(server, text=question, time_zone=zone)) is is_yesterday
    # Whatever the zone, the day itself finds it.
    assert await found(server, text="what happened on 19 November 2026?", time_zone=zone)


@pytest.mark.parametrize("zone", ["Mars/Base", "../UTC", "Europe", "+25:00", "Ünknown", "\x00"])
async def test_a_zone_that_nobody_knows_is_refused_with_what_to_send(server: Server, zone: str) -> None:
    for request in (
        service.RecallRequest(text="x", time_zone=zone),
        snapshots.BuildBundleRequest(query_text="x", time_zone=zone),
        snapshots.BuildSnapshotRequest(trigger_event="x", time_zone=zone),
    ):
        told = await refused(server.alice(request))
        assert (told.reason, told.fields) == ("INVALID_FIELD", ("time_zone",))


async def test_the_first_and_the_last_moment_have_a_day_in_every_zone(server: Server) -> None:
    await remember(server.alice, "tea")
    for moment in (datetime(1, 1, 1, tzinfo=UTC), datetime(9999, 12, 31, 23, tzinfo=UTC)):
        for zone in ("+14:00", "-12:00", "Pacific/Kiritimati"):
            request = service.RecallRequest(text="yesterday", query_time=moment, time_zone=zone)
            await server.alice(request)
