"""Answers of the contract in the form of the context daemon's design, with the fields that it shows and no others."""

from collections.abc import Iterator, Mapping
from typing import Any

from camillo.v1 import (
    context_pb2,
    decision_pb2,
    decision_service_pb2,
    event_service_pb2,
    memory_pb2,
    task_pb2,
)
from google.protobuf.timestamp_pb2 import Timestamp

# Sensitivities above these have no name in the design, and none of its paths shows them.
LEVELS: Mapping[int, str] = {
    memory_pb2.SENSITIVITY_PUBLIC: "none",
    memory_pb2.SENSITIVITY_INTERNAL: "low",
    memory_pb2.SENSITIVITY_CONFIDENTIAL: "high",
}
WITHHELD = "sensitivity"
# The weights are floats of 32 bits, whose further digits say nothing.
WEIGHT_DIGITS = 6


def is_shown(sensitivity: int) -> bool:
    """Whether the design has a level for it: what is restricted is never shown."""
    return sensitivity != memory_pb2.SENSITIVITY_RESTRICTED


def recorded_event(answer: event_service_pb2.RecordEventResponse) -> dict[str, Any]:
    """The answer of POST /api/v1/events."""
    recorded = answer.recorded
    return {
        "event_id": recorded.event_id,
        "chunk_ids": [*recorded.chunk_ids],
        "created_at": _time(recorded.recorded_at),
    }


def built_bundle(bundle: context_pb2.Bundle) -> dict[str, Any]:
    """The answer of POST /api/v1/acb/build."""
    withheld = [item for section in bundle.sections for item in section.items if not is_shown(item.sensitivity)]
    omissions = [_omission(each) for each in bundle.omissions]
    if withheld:
        omissions.append(_omitted(WITHHELD, [item.refs[0] for item in withheld if item.refs], ""))
    return {
        "acb_id": bundle.bundle_id,
        "budget_tokens": bundle.budget_tokens,
        "token_used_est": bundle.tokens - sum(item.tokens for item in withheld),
        "sections": [*_sections(bundle)],
        "omissions": omissions,
        "provenance": _provenance(bundle.provenance),
    }


def decision_row(tenant_id: str, decision: decision_pb2.Decision) -> dict[str, Any]:
    """A decision with the columns of the design's table."""
    stated = decision.stated
    return {
        "decision_id": decision.decision_id,
        "tenant_id": tenant_id,
        "ts": _time(decision.created_at),
        "status": _name(decision_pb2.DecisionStatus.Name(decision.status), "DECISION_STATUS_"),
        "scope": _name(decision_pb2.DecisionReach.Name(stated.reach), "DECISION_REACH_"),
        "decision": stated.decision,
        "rationale": [*stated.rationale],
        "constraints": [*stated.constraints],
        "alternatives": [*stated.alternatives],
        "consequences": [*stated.consequences],
        "refs": [*stated.refs],
    }


def decision_rows(tenant_id: str, found: decision_service_pb2.QueryDecisionsResponse) -> dict[str, Any]:
    """The answer of GET /api/v1/decisions/query."""
    stated = (each.decision for each in found.decisions)
    shown = [each for each in stated if is_shown(each.stated.sensitivity)]
    return {"decisions": [decision_row(tenant_id, each) for each in shown]}


def task_row(tenant_id: str, task: task_pb2.Task) -> dict[str, Any]:
    """A task with the columns of the design's table."""
    stated = task.stated
    return {
        "task_id": task.task_id,
        "tenant_id": tenant_id,
        "ts": _time(task.updated_at),
        "status": _name(task_pb2.TaskStatus.Name(stated.status), "TASK_STATUS_"),
        "title": stated.title,
        "details": stated.details,
        "refs": [*stated.refs],
    }


def _sections(bundle: context_pb2.Bundle) -> Iterator[dict[str, Any]]:
    for section in bundle.sections:
        shown = [item for item in section.items if is_shown(item.sensitivity)]
        if shown:
            hidden = sum(item.tokens for item in section.items) - sum(item.tokens for item in shown)
            yield {
                "name": section.name,
                "items": [_item(item) for item in shown],
                "token_est": section.tokens - hidden,
            }


def _item(item: context_pb2.BundleItem) -> dict[str, Any]:
    refs = [*item.refs]
    if item.type == context_pb2.BUNDLE_ITEM_TYPE_DECISION:
        # Its own id, then what it rests on.
        own, *sources = refs
        return {"type": "decision", "decision_id": own, "text": item.text, "refs": sources}
    if item.type == context_pb2.BUNDLE_ITEM_TYPE_VIEW:
        refs = [f"view:{name}" for name in refs]
    return {"type": "text", "text": item.text, "refs": refs}


def _omission(omission: context_pb2.Omission) -> dict[str, Any]:
    reason = context_pb2.OmissionReason.Name(omission.reason)
    return _omitted(_name(reason, "OMISSION_REASON_"), omission.refs, omission.artifact_id)


def _omitted(reason: str, candidates: Any, artifact_id: str) -> dict[str, Any]:
    return {"reason": reason, "candidates": [*candidates], "artifact_id": artifact_id or None}


def _provenance(provenance: context_pb2.Provenance) -> dict[str, Any]:
    allowed = [LEVELS[each] for each in provenance.sensitivities_allowed if each in LEVELS]
    weights = provenance.weights
    return {
        "intent": provenance.intent,
        "query_terms": [*provenance.query_terms],
        "candidate_pool_size": provenance.candidate_pool_size,
        "filters": {"sensitivity_allowed": allowed},
        "scoring": {
            "alpha": round(weights.similarity, WEIGHT_DIGITS),
            "beta": round(weights.recency, WEIGHT_DIGITS),
            "gamma": round(weights.importance, WEIGHT_DIGITS),
        },
    }


def _name(value: str, prefix: str) -> str:
    return value.removeprefix(prefix).lower()


def _time(at: Timestamp) -> str:
    return at.ToJsonString()
