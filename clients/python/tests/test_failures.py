"""Errors on the wire become typed errors."""

from __future__ import annotations

import pickle
from concurrent.futures import ThreadPoolExecutor, wait

import grpc
import pytest
from clients.python.tests.fake_server import FakeServer
from clients.python.tests.fake_service import status
from grpc import StatusCode
from grpc.aio import AioRpcError, Metadata

from camillo.v1.error_reason_pb2 import ErrorReason
from camillo_client import Camillo, errors
from camillo_client.errors import CamilloError, FieldViolation
from camillo_client.failures import BY_REASON, from_rpc_error, from_status


def _error(code: StatusCode, details: bytes | None = None, message: str = "") -> AioRpcError:
    trailing = Metadata() if details is None else Metadata(("grpc-status-details-bin", details))
    return AioRpcError(code, Metadata(), trailing, message)


def _mapped(code: StatusCode, reason: str, **details: object) -> CamilloError:
    wire = status(code, reason, **details)  # type: ignore[arg-type]
    return from_rpc_error(_error(code, wire.SerializeToString()))


def test_every_reason_of_the_contract_has_a_class() -> None:
    reasons = {name.removeprefix("ERROR_REASON_") for name in ErrorReason.keys()}  # noqa: SIM118
    assert BY_REASON.keys() == reasons - {"UNSPECIFIED"}
    assert len(set(BY_REASON.values())) == len(BY_REASON)


def test_a_version_conflict_tells_both_versions() -> None:
    error = _mapped(
        StatusCode.ABORTED,
        "VERSION_CONFLICT",
        metadata={"expected_version": "3", "actual_version": "5"},
        message="moved on",
    )
    assert isinstance(error, errors.VersionConflict)
    assert (error.expected, error.actual, error.code) == (3, 5, StatusCode.ABORTED)
    assert str(error) == "VERSION_CONFLICT: " + error.message


def test_a_document_that_cannot_be_read_tells_why() -> None:
    told = {"why": "too_many_pages", "limit": "2000"}
    error = _mapped(StatusCode.FAILED_PRECONDITION, "DOCUMENT_UNREADABLE", metadata=told)
    damaged = _mapped(StatusCode.FAILED_PRECONDITION, "DOCUMENT_UNREADABLE", metadata={"why": "damaged"})
    assert isinstance(error, errors.DocumentUnreadable)
    assert isinstance(damaged, errors.DocumentUnreadable)
    assert (error.why, error.limit) == ("too_many_pages", 2_000)
    assert (damaged.why, damaged.limit) == ("damaged", None)


def test_an_upload_that_does_not_follow_tells_where_to_go_on() -> None:
    error = _mapped(
        StatusCode.ABORTED, "UPLOAD_OFFSET_MISMATCH", metadata={"expected_offset": "1048576", "actual_offset": "0"}
    )
    assert isinstance(error, errors.UploadOffsetMismatch)
    assert (error.expected, error.actual) == (1048576, 0)


def test_bytes_that_are_not_those_announced_are_told() -> None:
    told = {"what": "sha256", "expected": "0a", "actual": "ff"}
    error = _mapped(StatusCode.INVALID_ARGUMENT, "CONTENT_MISMATCH", metadata=told)
    assert isinstance(error, errors.ContentMismatch)
    assert (error.what, error.expected, error.actual) == ("sha256", "0a", "ff")


def test_a_range_past_the_end_tells_the_length() -> None:
    told = {"unit": "lines", "length": "7"}
    error = _mapped(StatusCode.OUT_OF_RANGE, "RANGE_PAST_END", metadata=told)
    assert isinstance(error, errors.RangePastEnd)
    assert (error.unit, error.length) == ("lines", 7)


def test_what_is_missing_is_named() -> None:
    missing = _mapped(StatusCode.FAILED_PRECONDITION, "KEY_MISSING", metadata={"key_id": "k2"})
    pointer = {"json_pointer": "/пользователи/3"}
    value = _mapped(StatusCode.NOT_FOUND, "JSON_VALUE_NOT_FOUND", metadata=pointer)
    assert isinstance(missing, errors.KeyMissing)
    assert isinstance(value, errors.JsonValueNotFound)
    assert (missing.key_id, value.json_pointer) == ("k2", "/пользователи/3")


@pytest.mark.parametrize(
    ("reason", "kind", "group"),
    [
        ("ARTIFACT_NOT_FOUND", errors.ArtifactNotFound, errors.NotFound),
        ("UPLOAD_NOT_FOUND", errors.UploadNotFound, errors.NotFound),
        ("JSON_VALUE_NOT_FOUND", errors.JsonValueNotFound, errors.NotFound),
        ("CONTENT_MISMATCH", errors.ContentMismatch, errors.InvalidArgument),
        ("NOT_TEXT", errors.NotText, errors.FailedPrecondition),
        ("NOT_JSON", errors.NotJson, errors.FailedPrecondition),
        ("KEY_MISSING", errors.KeyMissing, errors.FailedPrecondition),
        ("BYTES_UNAVAILABLE", errors.BytesUnavailable, errors.Unavailable),
        ("STORAGE_FULL", errors.StorageFull, errors.ResourceExhausted),
        ("BYTES_LOST", errors.BytesLost, CamilloError),
        ("EVENT_NOT_FOUND", errors.EventNotFound, errors.NotFound),
        ("DECISION_NOT_FOUND", errors.DecisionNotFound, errors.NotFound),
        ("TASK_NOT_FOUND", errors.TaskNotFound, errors.NotFound),
        ("SLOT_NOT_FOUND", errors.SlotNotFound, errors.NotFound),
        ("DOCUMENT_NOT_FOUND", errors.DocumentNotFound, errors.NotFound),
        ("SKILL_NOT_FOUND", errors.SkillNotFound, errors.NotFound),
        ("VIEW_NOT_FOUND", errors.ViewNotFound, errors.NotFound),
        ("RECIPE_NOT_FOUND", errors.RecipeNotFound, errors.NotFound),
        ("PROVENANCE_REQUIRED", errors.ProvenanceRequired, errors.FailedPrecondition),
        ("DECISION_CYCLE", errors.DecisionCycle, errors.FailedPrecondition),
    ],
)
def test_a_reason_is_caught_with_its_group(reason: str, kind: type[CamilloError], group: type[CamilloError]) -> None:
    assert BY_REASON[reason] is kind
    assert issubclass(kind, group)


def test_metadata_that_is_no_number_is_none() -> None:
    error = _mapped(StatusCode.ABORTED, "VERSION_CONFLICT", metadata={"expected_version": "x"})
    assert isinstance(error, errors.VersionConflict)
    assert (error.expected, error.actual) == (None, None)


@pytest.mark.parametrize("told", ["", "--5", "1_000", "9" * 5000, "\N{SUPERSCRIPT TWO}", "nan"])
def test_numbers_that_are_none_do_no_harm(told: str) -> None:
    metadata = {"expected_version": told, "max_tokens": told, "sections": f"identity={told}, a=1"}
    conflict = _mapped(StatusCode.ABORTED, "VERSION_CONFLICT", metadata=metadata)
    assert isinstance(conflict, errors.VersionConflict)
    assert conflict.expected is None
    budget = _mapped(StatusCode.FAILED_PRECONDITION, "BUDGET_TOO_SMALL", metadata=metadata)
    assert isinstance(budget, errors.BudgetTooSmall)
    assert (budget.max_tokens, budget.sections) == (None, {"a": 1})


def test_a_field_that_the_message_names_is_told_once() -> None:
    code, fields = StatusCode.INVALID_ARGUMENT, {"limit": "1 to 200", "text": "is missing"}
    wire = status(code, "INVALID_FIELD", fields=fields).SerializeToString()
    error = from_rpc_error(_error(code, wire, "limit: 1 to 200"))
    assert str(error) == "INVALID_FIELD: limit: 1 to 200; text: is missing"


def test_there_is_no_waiting_backwards() -> None:
    error = _mapped(StatusCode.UNAVAILABLE, "SERVER_DRAINING", retry_after_seconds=-3)
    assert error.retry_after_seconds == 0.0


def test_invalid_fields_are_named() -> None:
    error = _mapped(StatusCode.INVALID_ARGUMENT, "INVALID_FIELD", fields={"limit": "1 to 200"})
    assert isinstance(error, errors.InvalidField)
    assert error.field_violations == (FieldViolation("limit", "1 to 200"),)
    assert "limit: 1 to 200" in str(error)


def test_a_budget_that_is_too_small_tells_what_is_needed() -> None:
    told = {"max_tokens": "100", "needed_tokens": "812", "sections": "identity=800, rules=12"}
    error = _mapped(StatusCode.FAILED_PRECONDITION, "BUDGET_TOO_SMALL", metadata=told)
    assert isinstance(error, errors.BudgetTooSmall)
    assert (error.max_tokens, error.needed_tokens) == (100, 812)
    assert error.sections == {"identity": 800, "rules": 12}
    mangled = _mapped(StatusCode.FAILED_PRECONDITION, "BUDGET_TOO_SMALL", metadata={"sections": "x=y,,"})
    assert isinstance(mangled, errors.BudgetTooSmall)
    assert (mangled.needed_tokens, mangled.sections) == (None, {})


def test_a_ref_that_is_refused_is_named() -> None:
    missing = _mapped(StatusCode.FAILED_PRECONDITION, "REF_NOT_FOUND", metadata={"ref": "r-ü"})
    secret = _mapped(StatusCode.FAILED_PRECONDITION, "NOT_SHAREABLE", metadata={"ref": "r2"})
    assert isinstance(missing, errors.RefNotFound)
    assert isinstance(secret, errors.NotShareable)
    assert (missing.ref, secret.ref) == ("r-ü", "r2")


def test_the_time_to_wait_is_in_seconds() -> None:
    error = _mapped(StatusCode.RESOURCE_EXHAUSTED, "OVERLOADED", retry_after_seconds=1.25)
    assert isinstance(error, errors.Overloaded)
    assert error.retry_after_seconds == 1.25
    assert _mapped(StatusCode.RESOURCE_EXHAUSTED, "OVERLOADED").retry_after_seconds is None


def test_an_unknown_reason_is_kept() -> None:
    error = _mapped(StatusCode.NOT_FOUND, "DREAM_NOT_FOUND", metadata={"dream": "d"})
    assert type(error) is errors.NotFound
    assert (error.reason, error.metadata) == ("DREAM_NOT_FOUND", {"dream": "d"})
    assert type(_mapped(StatusCode.DATA_LOSS, "NEWER")) is CamilloError


def test_a_reason_of_another_domain_is_not_ours() -> None:
    ours = _mapped(StatusCode.UNAVAILABLE, "STORAGE_UNAVAILABLE")
    theirs = _mapped(StatusCode.UNAVAILABLE, "STORAGE_UNAVAILABLE", domain="proxy.example")
    assert (type(ours), type(theirs)) == (errors.StorageUnavailable, errors.Unavailable)


def test_a_failure_without_details_goes_by_its_code() -> None:
    error = from_rpc_error(_error(StatusCode.UNAVAILABLE, message="no route"))
    assert type(error) is errors.Unavailable
    assert (error.message, error.reason, str(error)) == ("no route", "", "UNAVAILABLE: no route")


@pytest.mark.parametrize("details", [b"\xff\xff\xff", b""])
def test_details_that_are_no_status_do_no_harm(details: bytes) -> None:
    assert type(from_rpc_error(_error(StatusCode.NOT_FOUND, details))) is errors.NotFound


def test_a_detail_that_is_mangled_does_no_harm() -> None:
    wire = status(StatusCode.NOT_FOUND, "MEMORY_NOT_FOUND", retry_after_seconds=1)
    wire.details[0].value = b"\xff\xff"
    error = from_status(wire)
    assert (type(error), error.retry_after_seconds) == (errors.NotFound, 1)


def test_a_status_of_a_batch_maps_like_a_failed_call() -> None:
    wire = status(StatusCode.NOT_FOUND, "MEMORY_NOT_FOUND", message="gone")
    error = from_status(wire, request_id="r1")
    assert isinstance(error, errors.MemoryNotFound)
    assert (error.code, error.message, error.request_id) == (StatusCode.NOT_FOUND, "gone", "r1")
    assert from_status(status(StatusCode.OK)).code is StatusCode.OK


def test_an_unknown_number_of_a_status_is_unknown() -> None:
    wire = status(StatusCode.OK)
    wire.code = 99
    assert from_status(wire).code is StatusCode.UNKNOWN


def test_errors_survive_pickling() -> None:
    error = _mapped(StatusCode.ABORTED, "VERSION_CONFLICT", metadata={"actual_version": "5"})
    copy = pickle.loads(pickle.dumps(error))  # noqa: S301
    assert isinstance(copy, errors.VersionConflict)
    assert (copy.actual, str(copy)) == (5, str(error))


def test_every_error_is_a_camillo_error_and_no_grpc_error() -> None:
    assert all(issubclass(kind, CamilloError) for kind in BY_REASON.values())
    assert not issubclass(CamilloError, grpc.RpcError)


def test_a_stream_that_was_reset_on_its_way_is_unavailable_and_a_defect_is_not() -> None:
    reset = from_rpc_error(_error(StatusCode.INTERNAL, message="Received RST_STREAM with error code 2"))
    assert isinstance(reset, errors.Unavailable)
    defect = from_rpc_error(_error(StatusCode.INTERNAL, message="something is wrong"))
    assert isinstance(defect, errors.InternalError)


def test_what_a_server_cancels_is_unavailable() -> None:
    gone = from_rpc_error(_error(StatusCode.CANCELLED, message="CANCELLED"))
    assert isinstance(gone, errors.Unavailable)
    assert gone.code is StatusCode.UNAVAILABLE


def test_what_is_cancelled_here_says_nothing_of_the_server(sync_client: Camillo, thread_server: FakeServer) -> None:
    thread_server.desk.stalled.add("Recall")
    with ThreadPoolExecutor() as threads:
        asking = threads.submit(sync_client.recall, "tea")
        while not thread_server.desk.of("Recall"):
            wait([asking], timeout=0.01)
        sync_client.close()
        with pytest.raises(CamilloError) as told:
            asking.result(10)
    assert told.value.code is StatusCode.CANCELLED
