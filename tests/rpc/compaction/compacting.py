"""Short ways to say what tests of compactions do."""

from typing import Any

from camillo.v1 import lifecycle_pb2 as pb
from camillo.v1 import lifecycle_service_pb2 as service

from tests.server_fixtures import Caller

ALIKE = ("The user prefers dark mode in the editor", "User prefers dark mode in the editor.")


async def compact(caller: Caller, **fields: Any) -> service.CompactResponse:
    criteria = fields.pop("criteria", criteria_of())
    work = {"proposals": fields.pop("proposals")} if "proposals" in fields else {"criteria": criteria}
    answer: service.CompactResponse = await caller(service.CompactRequest(**work, **fields))
    return answer


def criteria_of(**fields: Any) -> service.CompactionCriteria:
    return service.CompactionCriteria(**fields)


async def revert(caller: Caller, compaction: pb.Compaction, **fields: Any) -> Any:
    return await caller(service.RevertCompactionRequest(compaction_id=compaction.compaction_id, **fields))


async def compactions(caller: Caller, **fields: Any) -> list[pb.Compaction]:
    answer = await caller(service.ListCompactionsRequest(**fields))
    return list(answer.compactions)
