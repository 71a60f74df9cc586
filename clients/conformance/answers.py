"""Answers of runners in one form: proto3 JSON may be written in several ways, names of error types differ by
language."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from camillo.v1.artifact_pb2 import Artifact
from camillo.v1.artifact_service_pb2 import OffloadOutputResponse
from camillo.v1.context_pb2 import Bundle
from camillo.v1.event_service_pb2 import RecordedEvent
from camillo.v1.knowledge_service_pb2 import PublishDocumentResponse
from camillo.v1.memory_service_pb2 import RecallResponse
from camillo_client.methods import method_named
from google.protobuf.json_format import MessageToDict, ParseDict, ParseError
from google.protobuf.message import Message

# Messages with which a client's own methods answer.
_MESSAGES: Mapping[str, type[Message]] = {
    "recall": RecallResponse,
    "bundle": Bundle,
    "record": RecordedEvent,
    "put": Artifact,
    "publish": PublishDocumentResponse,
    "offload": OffloadOutputResponse,
}
_AFFIXES = re.compile(r"^(camillo|err|reason|kind)|(exception|error)$")


class NotProto(ValueError):
    """An answer that is no proto3 JSON of its message."""


def canonical(do: str, method: str, answer: Any) -> Any:
    """The answer to a command as the harness compares it: fields by their names in the contract, all of them there."""
    if do == "call":
        return as_proto(answer, method_named(method).response)
    if do in ("pages", "stream"):
        if not isinstance(answer, list):
            raise NotProto(f"{do} is answered by a list, not {type(answer).__name__}")
        return [as_proto(each, method_named(method).response) for each in answer]
    if kind := _MESSAGES.get(do):
        return as_proto(answer, kind)
    if do in ("hits", "parse_refs"):
        if not isinstance(answer, list) or not all(isinstance(each, dict) for each in answer):
            raise NotProto(f"{do} is answered by objects in a list, not {str(answer)[:200]}")
        return [{_snake(key): value for key, value in each.items()} for each in answer]
    return answer


def canonical_request(kind: type[Message], request: Any) -> Any:
    """The request as JSON libraries write it; NotProto if the scenario names a field that the message has not."""
    try:
        return MessageToDict(ParseDict(request, kind()))
    except ParseError as error:
        raise NotProto(f"the scenario's request: {error}") from None


def as_proto(answer: Any, kind: type[Message]) -> Any:
    """Read as this message and written again; NotProto if it is none."""
    if not isinstance(answer, dict):
        # An empty list would pass for a message without a field.
        raise NotProto(f"no {kind.DESCRIPTOR.name} in proto3 JSON: {str(answer)[:200]}")
    try:
        message = ParseDict(answer, kind())
    except (ParseError, TypeError, AttributeError) as error:
        raise NotProto(f"no {kind.DESCRIPTOR.name} in proto3 JSON: {error}") from None
    return to_dict(message)


def to_dict(message: Message) -> Any:
    return MessageToDict(message, preserving_proto_field_name=True, always_print_fields_with_no_presence=True)


def canonical_error(error: Mapping[str, Any]) -> dict[str, Any]:
    """An error with names that do not depend on the language."""
    return {
        **error,
        "code": _bare(error.get("code")),
        "type": type_name(error.get("type")),
        "reason": str(error.get("reason") or "").removeprefix("ERROR_REASON_"),
        "metadata": error.get("metadata") or {},
        "fields": error.get("fields") or [],
    }


def expected_error(error: Mapping[str, Any]) -> dict[str, Any]:
    """The error that a scenario expects, in the same form."""
    names = {"code": _bare, "type": type_name}
    return {key: _each_name(value, names[key]) if key in names else value for key, value in error.items()}


def _each_name(value: Any, canonical_name: Any) -> Any:
    if isinstance(value, Mapping):
        return {"$one_of": [canonical_name(each) for each in value["$one_of"]]}
    return canonical_name(value)


def type_name(name: Any) -> str:
    """`MemoryNotFoundException`, `ErrMemoryNotFound` and `MEMORY_NOT_FOUND` are one."""
    bare = _bare(str(name or "").rpartition("::")[2].rpartition(".")[2])
    shorn = _AFFIXES.sub("", bare)
    return shorn or bare


def _bare(name: Any) -> str:
    return re.sub(r"[^a-z0-9]", "", str(name or "").lower())


def _snake(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()
