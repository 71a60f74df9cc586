"""Distillations and proposals as rows: what goes into a statement, what comes out of one."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from psycopg.types.json import Jsonb

from camillo_server.features.distillation.proposal import (
    Distillation,
    DistillationId,
    DistillationState,
    DistillationTrigger,
    ModelRequest,
    Proposal,
    ProposalId,
    ProposalState,
)
from camillo_server.features.distillation.statement import DropReason, Operation, Quote, RecordType, Statement
from camillo_server.features.events.event import EventId
from camillo_server.kernel.ids import MemoryId
from camillo_server.kernel.kinds import MemoryKind, Sensitivity
from camillo_server.kernel.scope import TRUST_LEVELS, Scope
from camillo_server.lib.crypto.keyring import Keyring
from camillo_server.rows.forgettable import Forgettable
from camillo_server.storage.encrypted_json import MIN_ENCRYPTED, EncryptedJson, Json, JsonLocation
from camillo_server.storage.statements import scope_parameters, statements

PROPOSAL, ANSWER = "proposal", "distillation_answer"
FORGETTING = statements("features/distillation/forgetting")
# A proposal goes with what it quotes, and with the record that it became; an answer of a model, with what it is about.
PROPOSALS = Forgettable("proposals", FORGETTING, PROPOSAL, own_texts=("content",))
DISTILLATION_ANSWERS = Forgettable("distillation_answers", FORGETTING, ANSWER)
# Columns of a distillation that are fields of it, as they are.
COUNTS = (
    *("turns", "turns_sent", "said_tokens", "sent_tokens", "input_tokens", "output_tokens", "nano_usd", "requests"),
    *("first_event_id", "last_event_id", "session_id", "model_id", "prompt_digest", "created_at", "reverted_at"),
)


class DistillationRows:
    """Turns distillations and proposals into rows and back; what is as sensitive as its events is encrypted as they
    are."""

    def __init__(self, keyring: Keyring) -> None:
        self._json = EncryptedJson(keyring)

    def parameters(self, scope: Scope, distillation: Distillation) -> dict[str, Any]:
        """Everything that a statement stores of a distillation."""
        return {
            **scope_parameters(scope),
            **{name: getattr(distillation, name) for name in COUNTS},
            "distillation_id": distillation.distillation_id,
            "state": int(distillation.state),
            "trigger": int(distillation.trigger),
            "dropped": Jsonb({str(int(reason)): count for reason, count in distillation.dropped.items()}),
            "left_out": Jsonb(dict(distillation.left_out)),
        }

    def answer_parameters(
        self, scope: Scope, request: ModelRequest, answer_id: UUID, place: int, sensitivity: Sensitivity
    ) -> dict[str, Any]:
        """Everything that a statement stores of a request, but its distillation. Raises KeyMissing."""
        location = _location(scope, ANSWER, answer_id)
        return {
            **scope_parameters(scope),
            "answer_id": answer_id,
            "place": place,
            "sensitivity": int(sensitivity),
            "event_ids": list(request.event_ids),
            "memory_ids": [memory_id for memory_id, _ in request.memories],
            **self._json.columns(_request_json(request), location, encrypted=sensitivity >= MIN_ENCRYPTED),
        }

    def distillation(self, row: Any) -> Distillation:
        """The distillation in a named row."""
        return Distillation(
            **{name: getattr(row, name) for name in COUNTS if name != "prompt_digest"},
            prompt_digest=bytes(row.prompt_digest),
            distillation_id=DistillationId(row.distillation_id),
            state=DistillationState(row.state),
            trigger=DistillationTrigger(row.trigger),
            dropped={DropReason(int(reason)): count for reason, count in row.dropped.items()},
            left_out=row.left_out,
            proposals=row.proposals,
            accepted=row.accepted,
        )

    def request(self, scope: Scope, row: Any) -> ModelRequest:
        """The request in a named row, with its answer. Raises KeyMissing, BytesLost."""
        columns = (row.details, row.key_id, row.sealed_details)
        details = self._json.read(columns, _location(scope, ANSWER, row.answer_id))
        return ModelRequest(
            event_ids=[EventId(UUID(each)) for each in details["event_ids"]],
            texts=details["texts"],
            memories=[(MemoryId(UUID(memory_id)), version) for memory_id, version in details["memories"]],
            seed=bytes.fromhex(details["seed"]),
            answer=details["answer"],
        )

    def proposal_parameters(self, scope: Scope, proposal: Proposal) -> dict[str, Any]:
        """Everything that a statement stores of a proposal. Raises KeyMissing."""
        stated = proposal.stated
        return {
            **scope_parameters(scope),
            **self.detail_columns(scope, proposal),
            "proposal_id": proposal.proposal_id,
            "distillation_id": proposal.distillation_id,
            "place": proposal.place,
            "state": int(proposal.state),
            "operation": int(stated.operation),
            "record_type": int(stated.record_type),
            "kind": int(stated.kind),
            "sensitivity": int(stated.sensitivity),
            "trust_level": int(stated.trust_level),
            "confidence": stated.confidence,
            "event_ids": list(proposal.event_ids),
            "memory_id": stated.memory_id,
            "memory_version": proposal.memory_version,
            "occurred_at": stated.occurred_at,
            "valid_from": stated.valid_from,
            "valid_until": stated.valid_until,
            "created_at": proposal.created_at,
        }

    def detail_columns(self, scope: Scope, proposal: Proposal) -> dict[str, Any]:
        """The columns of what a proposal says. Raises KeyMissing."""
        stated = proposal.stated
        details = {
            "content": stated.content,
            "subject": stated.subject,
            "names": list(stated.names),
            "quotes": [[str(quote.event_id), quote.text] for quote in stated.quotes],
        }
        location = _location(scope, PROPOSAL, proposal.proposal_id)
        return self._json.columns(details, location, encrypted=stated.sensitivity >= MIN_ENCRYPTED)

    def proposal(self, scope: Scope, row: Any) -> Proposal:
        """The proposal in a named row. Raises KeyMissing, BytesLost."""
        columns = (row.details, row.key_id, row.sealed_details)
        details = self._json.read(columns, _location(scope, PROPOSAL, row.proposal_id))
        return Proposal(
            proposal_id=ProposalId(row.proposal_id),
            distillation_id=DistillationId(row.distillation_id),
            place=row.place,
            state=ProposalState(row.state),
            stated=_statement(row, details),
            created_at=row.created_at,
            memory_version=row.memory_version,
            result_id=row.result_id,
            is_new=row.is_new,
            edited=row.edited,
            reviewer=row.reviewer,
            credential=row.credential,
            reviewed_at=row.reviewed_at,
        )


def _statement(row: Any, details: Json) -> Statement:
    return Statement(
        operation=Operation(row.operation),
        record_type=RecordType(row.record_type),
        content=details["content"],
        kind=MemoryKind(row.kind),
        subject=details["subject"],
        names=tuple(details["names"]),
        quotes=tuple(Quote(EventId(UUID(event_id)), text) for event_id, text in details["quotes"]),
        confidence=row.confidence,
        trust_level=TRUST_LEVELS[row.trust_level],
        sensitivity=Sensitivity(row.sensitivity),
        occurred_at=row.occurred_at,
        valid_from=row.valid_from,
        valid_until=row.valid_until,
        memory_id=row.memory_id,
    )


def _request_json(request: ModelRequest) -> Mapping[str, Any]:
    return {
        "event_ids": [str(each) for each in request.event_ids],
        "texts": list(request.texts),
        "memories": [[str(memory_id), version] for memory_id, version in request.memories],
        "seed": request.seed.hex(),
        "answer": request.answer,
    }


def _location(scope: Scope, purpose: str, row_id: object) -> JsonLocation:
    return JsonLocation.in_scope(scope.tenant_id, scope.agent_id, purpose, row_id)
