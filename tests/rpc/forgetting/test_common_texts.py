"""A common text may be said again after a memory that said it was forgotten; a value may not."""

import pytest
from camillo.v1.forgetting_pb2 import RecordIds
from camillo.v1.lifecycle_service_pb2 import ForgetRequest
from camillo.v1.memory_service_pb2 import ForgetMemoriesRequest, MemoryIds

from tests.rpc.memories.calls import remember
from tests.rpc.records import record, texts
from tests.server_fixtures import Server, refused


@pytest.mark.parametrize("text", ["yes", "Да, конечно", "好的，谢谢", "👍", "Thank you very much!"])
async def test_a_common_text_that_was_forgotten_may_be_said_again_and_the_receipt_tells_so(
    server: Server, text: str
) -> None:
    gone = [(await remember(server.alice, each)).memory_id for each in (text, "Ana", "600 123 456")]
    answer = await server.alice(ForgetMemoriesRequest(memory_ids=MemoryIds(ids=gone)))
    assert (answer.receipt.blocked_values, answer.receipt.unblocked_values) == (2, 1)
    await record(server.alice, text)
    assert text in await texts(server.alice)
    for value in ("ana!", "600123456"):
        assert (await refused(record(server.alice, value))).reason == "VALUE_REJECTED"


async def test_what_others_said_stays_where_a_common_text_is_forgotten(server: Server) -> None:
    said = "Thank you very much!"
    await record(server.alice, said)
    gone = await remember(server.alice, said)
    request = ForgetRequest(records=RecordIds(memory_ids=[gone.memory_id]))
    answer = await server.alice(request)
    assert answer.receipt.unblocked_values == 1
    assert said in await texts(server.alice)
    # Whoever names it has all of it removed, and none of it blocked.
    answer = await server.alice(ForgetRequest(value=said))
    assert (answer.receipt.blocked_values, answer.receipt.unblocked_values) == (0, 1)
    assert said not in await texts(server.alice)
