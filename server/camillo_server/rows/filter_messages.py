"""Filters of memories: messages of the contract into conditions."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from camillo.v1 import actor_pb2, recall_pb2
from camillo.v1 import memory_pb2 as pb
from camillo.v1.metadata_condition_pb2 import MetadataCondition
from camillo_formats.characters import composed
from google.protobuf.message import Message

from camillo_server.doors.rpc.fields import distinct, member, tags_of, time_of
from camillo_server.doors.rpc.json_values import EXACT_WHOLE, MAX_ID, flat_object, plain_object
from camillo_server.kernel.errors import invalid_field
from camillo_server.kernel.kinds import MemoryKind, Sensitivity
from camillo_server.kernel.scope import TrustLevel
from camillo_server.rows.row_filter import (
    NO_FILTER,
    OPERATORS,
    SIGNS,
    Archived,
    MemoryFilter,
    MetadataComparison,
    Validity,
    is_number,
)

FIELD = "filter.metadata_conditions.value"
MAX_VALUES = 64
OPERATOR_SHOWN = 40


def metadata_conditions(messages: Iterable[MetadataCondition]) -> Sequence[MetadataComparison]:
    """The comparisons of a filter. Raises InvalidField."""
    return tuple(each for message in messages for each in _comparisons(message))


def _comparisons(message: MetadataCondition) -> Iterator[MetadataComparison]:
    compared = plain_object(message.value)
    if not compared:
        raise invalid_field(FIELD, 'must compare the value: {"gte": 10}')
    for operator, operand in compared.items():
        problem = _problem(operator, operand)
        if problem is not None:
            raise invalid_field(f"{FIELD}.{operator[:OPERATOR_SHOWN]}", problem)
        yield MetadataComparison(composed(message.key), operator, _composed(operand))


def _problem(operator: str, operand: Any) -> str | None:
    if operator not in OPERATORS:
        return f"must be one of {', '.join(OPERATORS)}"
    if operator == "exists":
        return None if isinstance(operand, bool) else "must be true or false"
    if operator == "in":
        if not isinstance(operand, list) or not 0 < len(operand) <= MAX_VALUES:
            return f"must be a list of 1 to {MAX_VALUES} values"
        return _first_problem(operand)
    if operator in SIGNS and not (isinstance(operand, str) or is_number(operand)):
        return "must be a number or a text"
    return _first_problem((operand,))


def _first_problem(values: Iterable[Any]) -> str | None:
    for value in values:
        if isinstance(value, dict | list):
            return "must be a string, number, bool or null"
        # As for metadata: it may have been another number before it became a message.
        if is_number(value) and EXACT_WHOLE <= abs(value) <= MAX_ID and value == int(value):
            return "must be a text: whole numbers from 9007199254740992 on would lose digits"
    return None


def _composed(operand: Any) -> Any:
    if isinstance(operand, list):
        return tuple(map(_composed, operand))
    return composed(operand) if isinstance(operand, str) else operand


def memory_filter(message: pb.MemoryFilter) -> MemoryFilter:
    """Raises InvalidField."""
    if not message.ListFields():
        return NO_FILTER
    level, compared = message.max_sensitivity, message.metadata_conditions
    filter_ = MemoryFilter(
        tags_any=tags_of(message.tags_any),
        tags_all=tags_of(message.tags_all),
        kinds=tuple(MemoryKind(value) for value in message.kinds if value),
        session_id=message.session_id,
        occurred_from=time_of(message, "occurred_from"),
        occurred_before=time_of(message, "occurred_before"),
        min_importance=message.min_importance,
        max_sensitivity=Sensitivity(level) if level else None,
        archived=member(message.archived, Archived.EXCLUDE),
        metadata=flat_object(message.metadata) if message.HasField("metadata") else {},
        metadata_conditions=metadata_conditions(compared) if compared else (),
        min_trust=TrustLevel(message.min_trust),
        document_categories=distinct(message.document_categories),
        validity=Validity(message.validity) if message.validity else None,
    )
    chunk_metadata = _chunk_metadata(message)
    return _of_chunks(filter_, chunk_metadata) if chunk_metadata else filter_


def _chunk_metadata(message: pb.MemoryFilter) -> dict[str, str]:
    """Metadata that chunks of workflow steps, tool calls and tool results must have to pass the filter."""
    status = message.workflow_status and actor_pb2.WorkflowStatus.Name(message.workflow_status)
    named = {
        "workflow": message.workflow,
        "step": message.workflow_step,
        "status": str(status or "").removeprefix("WORKFLOW_STATUS_").lower(),
        "tool": message.tool,
    }
    return {key: value for key, value in named.items() if value}


def _of_chunks(filter_: MemoryFilter, metadata: Mapping[str, str]) -> MemoryFilter:
    """The filter for chunks with such metadata: a memory is no step and no call, whatever its own says. Raises
    InvalidField where another value of a key is asked for, too."""
    for key, value in metadata.items():
        if filter_.metadata.get(key, value) != value:
            raise invalid_field("filter.metadata", f"says something else of {key} than the filter")
    return replace(filter_, metadata={**filter_.metadata, **metadata}, chunks_only=True)


def has_condition(filter_: Message, neutral: pb.ArchivedFilter) -> bool:
    """Whether a filter or a selector restricts memories; `neutral` is its default for archived ones."""
    for field, value in filter_.ListFields():
        is_neutral = (
            (field.name == "archived" and value == neutral)
            or (field.name == "validity" and value == recall_pb2.VALIDITY_FILTER_ANY)
            or (field.name == "kinds" and not any(value))
            or (field.name == "metadata" and not value.fields)
            or field.name == "document_categories"
        )
        if not is_neutral:
            return True
    return False
