"""Every domain error has its code, its reason and the metadata that the contract names."""

from typing import Any

import pytest
from camillo.v1.error_reason_pb2 import ErrorReason
from camillo_server.doors.rpc.errors import DOMAIN, status_code, to_status
from camillo_server.kernel import errors
from camillo_server.kernel.errors import DomainError, FieldViolation
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo, RetryInfo
from grpc import StatusCode

from tests.cases import each_case

# The error, its code, its reason, its metadata.
OF_ARTIFACTS: list[tuple[DomainError, StatusCode, str, dict[str, str]]] = [
    (errors.NotFound("artifact", "tool_1"), StatusCode.NOT_FOUND, "ARTIFACT_NOT_FOUND", {"artifact_id": "tool_1"}),
    (errors.NotFound("upload", "u1"), StatusCode.NOT_FOUND, "UPLOAD_NOT_FOUND", {"upload_id": "u1"}),
    (errors.AlreadyExists("upload", "u1"), StatusCode.ALREADY_EXISTS, "ALREADY_EXISTS", {"upload_id": "u1"}),
    (
        errors.VersionConflict("artifact", 2, 5),
        StatusCode.ABORTED,
        "VERSION_CONFLICT",
        {"expected_version": "2", "actual_version": "5"},
    ),
    (
        errors.UploadOffsetMismatch(10, 12),
        StatusCode.ABORTED,
        "UPLOAD_OFFSET_MISMATCH",
        {"expected_offset": "10", "actual_offset": "12"},
    ),
    (
        errors.ContentMismatch("size", 3, 4),
        StatusCode.INVALID_ARGUMENT,
        "CONTENT_MISMATCH",
        {"what": "size", "expected": "3", "actual": "4"},
    ),
    (errors.RangePastEnd("lines", 7), StatusCode.OUT_OF_RANGE, "RANGE_PAST_END", {"unit": "lines", "length": "7"}),
    (errors.NotText(), StatusCode.FAILED_PRECONDITION, "NOT_TEXT", {}),
    (
        errors.DocumentUnreadable("too_large", 8, "has more than 8 bytes of text"),
        StatusCode.FAILED_PRECONDITION,
        "DOCUMENT_UNREADABLE",
        {"why": "too_large", "limit": "8"},
    ),
    (
        errors.DocumentUnreadable("damaged", None, "is damaged"),
        StatusCode.FAILED_PRECONDITION,
        "DOCUMENT_UNREADABLE",
        {"why": "damaged"},
    ),
    (errors.NotJson(), StatusCode.FAILED_PRECONDITION, "NOT_JSON", {}),
    (errors.JsonValueNotFound("/a/ключ"), StatusCode.NOT_FOUND, "JSON_VALUE_NOT_FOUND", {"json_pointer": "/a/ключ"}),
    (errors.BytesUnavailable(), StatusCode.UNAVAILABLE, "BYTES_UNAVAILABLE", {}),
    (errors.BytesLost(), StatusCode.DATA_LOSS, "BYTES_LOST", {}),
    (errors.KeyMissing("k2"), StatusCode.FAILED_PRECONDITION, "KEY_MISSING", {"key_id": "k2"}),
    (errors.KeyMissing(""), StatusCode.FAILED_PRECONDITION, "KEY_MISSING", {"key_id": ""}),
    (errors.StorageFull(), StatusCode.RESOURCE_EXHAUSTED, "STORAGE_FULL", {}),
]


OF_CONTEXT: list[tuple[DomainError, StatusCode, str, dict[str, str]]] = [
    *(
        (errors.NotFound(noun, "x"), StatusCode.NOT_FOUND, f"{noun.upper()}_NOT_FOUND", {key: "x"})
        for noun, key in (
            ("event", "event_id"),
            ("decision", "decision_id"),
            ("task", "task_id"),
            ("document", "document_id"),
            ("skill", "name"),
            ("view", "name"),
            ("recipe", "name"),
        )
    ),
    (errors.RefNotFound("ref 引"), StatusCode.FAILED_PRECONDITION, "REF_NOT_FOUND", {"ref": "ref 引"}),
    (errors.ProvenanceRequired("cites nothing"), StatusCode.FAILED_PRECONDITION, "PROVENANCE_REQUIRED", {}),
    (
        errors.SupersessionCycle("decision", "d1"),
        StatusCode.FAILED_PRECONDITION,
        "DECISION_CYCLE",
        {"decision_id": "d1"},
    ),
    (
        errors.BudgetTooSmall(100, 130, {"identity": 120, "frame": 10}),
        StatusCode.FAILED_PRECONDITION,
        "BUDGET_TOO_SMALL",
        {"max_tokens": "100", "needed_tokens": "130", "sections": "identity=120,frame=10"},
    ),
    (errors.NotShareable("t1"), StatusCode.FAILED_PRECONDITION, "NOT_SHAREABLE", {"ref": "t1"}),
]


def details(error: DomainError, kind: type[Any]) -> list[Any]:
    found = []
    for detail in to_status(error).details:
        message = kind()
        if detail.Unpack(message):
            found.append(message)
    return found


@each_case(("error", "code", "reason", "metadata"), [*OF_ARTIFACTS, *OF_CONTEXT])
def test_an_error_is_told_as_the_contract_says(
    error: DomainError, code: StatusCode, reason: str, metadata: dict[str, str]
) -> None:
    (info,) = details(error, ErrorInfo)
    assert (status_code(error), to_status(error).code) == (code, code.value[0])
    assert (info.domain, info.reason, dict(info.metadata)) == (DOMAIN, reason, metadata)
    assert to_status(error).message == str(error)


def test_only_what_passes_by_itself_says_when_to_come_back() -> None:
    waits = {reason for error, _, reason, _ in OF_ARTIFACTS if details(error, RetryInfo)}
    assert waits == {"BYTES_UNAVAILABLE"}


def kinds(of: type[DomainError] = DomainError) -> set[type[DomainError]]:
    return {kind for each in of.__subclasses__() for kind in (each, *kinds(each))}


def test_every_domain_error_has_a_code_and_a_reason() -> None:
    assert len(kinds()) > 20
    assert {kind.code for kind in kinds()} <= {code.name for code in StatusCode}
    # These three follow from the noun.
    without = {kind for kind in kinds() if not hasattr(kind, "reason")}
    assert without == {errors.NotFound, errors.AlreadyExists, errors.WrongState}


def test_every_fixed_reason_is_one_of_the_contract() -> None:
    known = {name.removeprefix("ERROR_REASON_") for name in ErrorReason.keys()}  # noqa: SIM118
    fixed = {kind.reason for kind in kinds() if hasattr(kind, "reason")}
    assert len(fixed) > 15
    assert fixed <= known
    with pytest.raises(ValueError, match="DREAM_NOT_FOUND"):
        to_status(errors.NotFound("dream", "d"))


# Bytes of all headers together that a client of gRPC takes unless it is told otherwise.
HEADER_BYTES = 8 * 1024


@pytest.mark.parametrize("description", ["must have 1 to 128 characters, has 0", "茶" * 40], ids=["latin", "chinese"])
def test_a_hundred_broken_limits_fit_into_the_headers(description: str) -> None:
    violations = [FieldViolation(f"memory.tags[{i}]", description) for i in range(100)]
    status = to_status(errors.InvalidField(violations))
    encoded = len(status.SerializeToString()) * 4 / 3
    # gRPC tells the message apart from the details, too, and each byte that is not ASCII by three.
    assert encoded + 3 * len(status.message.encode()) < HEADER_BYTES - 512
    told = BadRequest()
    assert status.details[1].Unpack(told)
    fields = [violation.field for violation in told.field_violations]
    assert fields == [f"memory.tags[{i}]" for i in range(len(fields))]
    assert 15 < len(fields) < 100
    assert status.message.endswith("; and 95 more")


def test_few_broken_limits_are_all_told() -> None:
    violations = [FieldViolation(f"f{i}", "is missing") for i in range(5)]
    status = to_status(errors.InvalidField(violations))
    assert "more" not in status.message
    assert len(BadRequest.FromString(status.details[1].value).field_violations) == 5
