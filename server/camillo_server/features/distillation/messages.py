"""Messages of distillations and proposals."""

from collections.abc import Mapping, Sequence

from camillo.v1 import distillation_pb2 as pb

from camillo_server.features.distillation.proposal import Distillation, Proposal
from camillo_server.features.distillation.statement import DropReason


def distillation_message(distillation: Distillation) -> pb.Distillation:
    """A distillation as the contract has it."""
    return pb.Distillation(
        distillation_id=str(distillation.distillation_id),
        state=int(distillation.state),  # type: ignore[arg-type]
        trigger=int(distillation.trigger),  # type: ignore[arg-type]
        session_id=distillation.session_id,
        model_id=distillation.model_id,
        prompt_digest=distillation.prompt_digest.hex(),
        turns=distillation.turns,
        turns_sent=distillation.turns_sent,
        said_tokens=distillation.said_tokens,
        sent_tokens=distillation.sent_tokens,
        input_tokens=distillation.input_tokens,
        output_tokens=distillation.output_tokens,
        nano_usd=distillation.nano_usd,
        requests=distillation.requests,
        first_event_id=str(distillation.first_event_id),
        last_event_id=str(distillation.last_event_id),
        proposals=distillation.proposals,
        accepted=distillation.accepted,
        dropped=drop_counts(distillation.dropped),
        left_out=[
            pb.LeftOutCount(reason=reason, turns=count) for reason, count in sorted(distillation.left_out.items())
        ],
        created_at=distillation.created_at,
        reverted_at=distillation.reverted_at,
    )


def planned_message(distillation: Distillation) -> pb.Distillation:
    """A distillation of a dry run: it has no id, and has not ended."""
    message = distillation_message(distillation)
    for field in ("distillation_id", "state", "prompt_digest", "created_at"):
        message.ClearField(field)
    return message


def drop_counts(dropped: Mapping[DropReason, int]) -> Sequence[pb.DropCount]:
    """The counts in the order of the reasons."""
    return [
        pb.DropCount(reason=int(reason), statements=count)  # type: ignore[arg-type]
        for reason, count in sorted(dropped.items())
    ]


def proposal_message(proposal: Proposal) -> pb.Proposal:
    """A proposal as the contract has it."""
    stated = proposal.stated
    return pb.Proposal(
        proposal_id=str(proposal.proposal_id),
        distillation_id=str(proposal.distillation_id),
        state=int(proposal.state),  # type: ignore[arg-type]
        operation=int(stated.operation),  # type: ignore[arg-type]
        record=int(stated.record_type),  # type: ignore[arg-type]
        content=stated.content,
        kind=int(stated.kind),  # type: ignore[arg-type]
        subject=stated.subject,
        names=stated.names,
        quotes=[pb.EventQuote(event_id=str(quote.event_id), text=quote.text) for quote in stated.quotes],
        confidence=stated.confidence,
        sensitivity=int(stated.sensitivity),  # type: ignore[arg-type]
        trust_level=int(stated.trust_level),  # type: ignore[arg-type]
        occurred_at=stated.occurred_at,
        valid_from=stated.valid_from,
        valid_until=stated.valid_until,
        memory_id=str(stated.memory_id or ""),
        memory_version=proposal.memory_version or 0,
        result_id=str(proposal.result_id or ""),
        edited=proposal.edited,
        reviewer=proposal.reviewer,
        created_at=proposal.created_at,
        reviewed_at=proposal.reviewed_at,
    )


def stated_message(proposal: Proposal) -> pb.Proposal:
    """A proposal that is not stored: it has no id and no state."""
    message = proposal_message(proposal)
    for field in ("proposal_id", "state"):
        message.ClearField(field)
    return message
