"""Short ways to say what tests of distillation do."""

from collections.abc import Sequence
from typing import Any

from camillo.v1 import distillation_pb2 as pb
from camillo.v1 import distillation_service_pb2 as service

from tests.chat_server import ChatServer
from tests.server_fixtures import Caller


def with_model(provider: ChatServer, **distillation: Any) -> dict[str, Any]:
    """Settings under which this provider distils every space of "acme"."""
    return {
        "memory": {"embedding_model": "lexical", "embedding_budget_usd": 1},
        "distillation": {
            "litellm_model": "openai/test",
            "litellm_api_base": provider.url,
            "litellm_api_key": "sk-test",
            "litellm_timeout_seconds": 20,
            "spaces": {"acme": ["*"]},
            **distillation,
        },
    }


async def distil(caller: Caller, **fields: Any) -> service.DistillResponse:
    answer: service.DistillResponse = await caller(service.DistillRequest(**fields))
    return answer


async def accept(caller: Caller, proposals: Sequence[pb.Proposal], **fields: Any) -> list[pb.Proposal]:
    ids = [each.proposal_id for each in proposals]
    answer = await caller(service.AcceptProposalsRequest(proposal_ids=ids, **fields))
    return list(answer.proposals)


async def reject(caller: Caller, proposals: Sequence[pb.Proposal]) -> list[pb.Proposal]:
    ids = [each.proposal_id for each in proposals]
    return list((await caller(service.RejectProposalsRequest(proposal_ids=ids))).proposals)


async def revert(caller: Caller, distillation: pb.Distillation, **fields: Any) -> service.RevertDistillationResponse:
    request = service.RevertDistillationRequest(distillation_id=distillation.distillation_id, **fields)
    answer: service.RevertDistillationResponse = await caller(request)
    return answer


async def replay(caller: Caller, distillation: pb.Distillation) -> service.ReplayDistillationResponse:
    request = service.ReplayDistillationRequest(distillation_id=distillation.distillation_id)
    answer: service.ReplayDistillationResponse = await caller(request)
    return answer


async def proposals(caller: Caller, **fields: Any) -> list[pb.Proposal]:
    return list((await caller(service.ListProposalsRequest(**fields))).proposals)


async def distillations(caller: Caller, **fields: Any) -> list[pb.Distillation]:
    return list((await caller(service.ListDistillationsRequest(**fields))).distillations)
