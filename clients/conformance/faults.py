"""Faults that the proxy is told to inflict on calls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import grpc
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.json_format import ParseDict
from google.protobuf.message import Message
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo, RetryInfo
from google.rpc.status_pb2 import Status

DETAILS_KEY = "grpc-status-details-bin"
# A field that no version of the contract has: a tag of number 1,000,000 with a text of three bytes.
UNKNOWN_FIELD = bytes([0x82, 0xA4, 0xE8, 0x03, 3]) + b"new"


@dataclass(frozen=True, slots=True)
class Failure:
    """A status as a server tells it."""

    code: str
    message: str = "as the scenario says"
    reason: str = ""
    domain: str = "camillo.v1"
    metadata: Mapping[str, str] = field(default_factory=dict)
    fields: Mapping[str, str] = field(default_factory=dict)
    retry_after_seconds: float | None = None
    # Details that are no message.
    mangled: bool = False

    @property
    def status_code(self) -> grpc.StatusCode:
        return grpc.StatusCode[self.code]

    def trailers(self) -> tuple[tuple[str, bytes], ...]:
        """The metadata that carries the details; none without details."""
        if self.mangled:
            return ((DETAILS_KEY, b"\xff\xfe not a message"),)
        details = [_packed(each) for each in self._details()]
        if not details:
            return ()
        status = Status(code=self.status_code.value[0], message=self.message, details=details)
        return ((DETAILS_KEY, status.SerializeToString()),)

    def _details(self) -> list[Message]:
        told: list[Message] = []
        if self.reason:
            told.append(ErrorInfo(reason=self.reason, domain=self.domain, metadata=self.metadata))
        if self.fields:
            fields = [{"field": name, "description": text} for name, text in self.fields.items()]
            told.append(BadRequest(field_violations=fields))
        if self.retry_after_seconds is not None:
            retry = RetryInfo()
            retry.retry_delay.FromMilliseconds(round(self.retry_after_seconds * 1000))
            told.append(retry)
        return told


@dataclass(slots=True)
class Fault:
    """Something that befalls the next calls of a method; unless a field says so, they pass."""

    method: str
    times: int = 1
    # Not passed on.
    fail: Failure | None = None
    # Passed on and carried out; the answer is replaced by this.
    lose_answer: Failure | None = None
    # Waits before it passes the call on.
    delay_seconds: float = 0.0
    # Passed on and carried out; the answer waits.
    delay_answer_seconds: float = 0.0
    # Breaks the answer off behind so many messages.
    cut_after_messages: int | None = None
    # Ends the answer in good order behind so many messages, as a server does that goes away.
    end_after_messages: int | None = None
    # Breaks an upload off behind so many messages.
    cut_after_sent: int | None = None
    # Fields that are taken out of every message of the answer.
    clear: Sequence[str] = ()
    # Laid over every message of the answer, in proto3 JSON.
    rewrite: Mapping[str, Any] | None = None
    # Adds a field of a newer contract to every message of the answer.
    unknown_field: bool = False
    # How many calls it has befallen.
    befallen: int = 0

    def rewritten(self, answer: bytes, kind: type[Message]) -> bytes:
        """A message of the answer as the client gets it."""
        if self.clear or self.rewrite is not None:
            message = kind.FromString(answer)
            for name in self.clear:
                message.ClearField(name)
            message.MergeFrom(ParseDict(dict(self.rewrite or {}), kind()))
            answer = message.SerializeToString()
        return answer + UNKNOWN_FIELD if self.unknown_field else answer


def fault(told: Mapping[str, Any]) -> Fault:
    """The fault that a step of a scenario describes; TypeError for a field that no fault has."""
    if "befallen" in told:
        raise TypeError("what a fault has befallen is not told beforehand")
    failures = {name: Failure(**told[name]) for name in ("fail", "lose_answer") if name in told}
    return Fault(**{**told, **failures})


def _packed(detail: Message) -> AnyMessage:
    packed = AnyMessage()
    packed.Pack(detail)
    return packed
