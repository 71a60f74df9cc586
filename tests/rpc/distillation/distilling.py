"""Short ways to say what tests of distillation do, and how the chat server answers who distils."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from camillo.v1 import distillation_pb2 as pb
from camillo.v1 import distillation_service_pb2 as service

from tests.chat_server import Answer, ChatServer
from tests.server_fixtures import Caller

Told = Mapping[str, Any]


def with_model(provider: ChatServer, **distillation: Any) -> dict[str, Any]:
    """Settings under which this provider distils every space of two tenants."""
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


def stated(turn: Told, text: str = "", **fields: Any) -> dict[str, Any]:
    """One object of an answer: a memory that says what this turn says, or a text that it holds."""
    text = text or turn["text"]
    return {
        "operation": "add",
        "memory": None,
        "record": "memory",
        "kind": "fact",
        "text": text,
        "subject": turn["speaker"],
        "names": [],
        "confidence": 0.9,
        "valid_from": None,
        "valid_until": None,
        "evidence": [{"event": turn["event"], "speaker": turn["speaker"], "quote": text}],
        **fields,
    }


def turns(told: Told) -> Iterator[dict[str, Any]]:
    """The turns of a request, by the names that an answer has for their parts."""
    for day in told["days"]:
        for label, speaker, text in day["turns"]:
            yield {"event": label, "speaker": speaker, "text": text}


def each_turn(told: Told) -> Sequence[dict[str, Any]]:
    """A memory of each turn."""
    return [stated(turn) for turn in turns(told)]


def supersedes(told: Told) -> Sequence[dict[str, Any]]:
    """Each turn supersedes the memory that was shown first."""
    label = told["memories"][0][0]
    return [stated(turn, operation="supersede", memory=label) for turn in turns(told)]


def states(make: Callable[[Told], Sequence[dict[str, Any]]] = each_turn) -> Answer:
    """An answer in the right form, with what this makes of the turns."""

    def answer(handler: Any, told: Any) -> None:
        handler.complete(json.dumps({"statements": list(make(told))}, ensure_ascii=False))

    return answer


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
