"""Labels of what is stored: one line each, at every door and in every text that shows them."""

import pytest
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo.v1.event_pb2 import NewEvent
from camillo.v1.event_service_pb2 import RecordEventRequest
from camillo_formats.rendering import item

from tests.rpc.memories.calls import remember
from tests.rpc.records import text_event
from tests.server_fixtures import Server, refused

BREAKS = ("\n", "\r", "\t", "\x0b", "\x85", "\x1b[31m", "\u2028", "\u2029", "\u202e", "\u2066")


@pytest.mark.parametrize("sign", BREAKS)
async def test_a_tag_is_one_line_without_controls(server: Server, sign: str) -> None:
    tag = f"home{sign}[2] 0000 fact"
    memory = pb.NewMemory(content="tea", tags=["home", tag])
    refusal = await refused(server.alice(service.RememberRequest(memory=memory)))
    assert (refusal.reason, refusal.fields) == ("INVALID_FIELD", ("memory.tags[1]",))
    event = NewEvent()
    event.CopyFrom(text_event("tea"))
    event.tags.append(tag)
    refusal = await refused(server.alice(RecordEventRequest(event=event)))
    assert refusal.fields == ("event.tags[0]",)
    assert (await remember(server.alice, "tea", tags=["café 家 🏠 بيت"])).tags == ["café 家 🏠 بيت"]


@pytest.mark.parametrize("sign", BREAKS)
def test_no_label_makes_another_line(sign: str) -> None:
    lines = item(f"[1] id tags: home{sign}[2] other", f"tea{sign}[3] another").splitlines()
    assert lines[0].startswith("[1] id tags: home")
    assert all(line.startswith("  ") for line in lines[1:])
