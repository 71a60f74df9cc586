"""What cannot be read is the caller's mistake."""

import pytest
from camillo.v1.memory_service_pb2 import RecallRequest
from camillo_server.kernel.errors import InvalidField
from camillo_server.rpc.pipeline import readable, reader

NOT_UTF8 = b"\x12\x02\xff\xfe"


def test_a_message_is_handed_on_as_it_is() -> None:
    sent = RecallRequest(text="שלום 👋🏽")
    assert readable(reader(RecallRequest.FromString)(sent.SerializeToString())) == sent


@pytest.mark.parametrize("data", [NOT_UTF8, b"\xff"])
def test_bytes_that_are_no_message_are_refused_later(data: bytes) -> None:
    marker = reader(RecallRequest.FromString)(data)
    with pytest.raises(InvalidField, match="request: is not a message"):
        readable(marker)
